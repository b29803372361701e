"""The buttons that send a command of Caravane."""

from frontend.app.primary import Actions

ACTIONS = Actions()
