"""The buttons that send a command of the courtyard game."""

from frontend.app.components.primary_button import ActionButtons

ACTIONS = ActionButtons(("Discard",))
