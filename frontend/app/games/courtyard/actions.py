"""The buttons that send a command of the courtyard game."""

from frontend.app.primary import Actions

ACTIONS = Actions(("Discard",))
