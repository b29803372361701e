"""The buttons that send a command of Caravane."""

from frontend.app.components.primary_button import ActionButtons

ACTIONS = ActionButtons()
