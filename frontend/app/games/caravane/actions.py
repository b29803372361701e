"""The buttons that send commands of Caravane."""

from frontend.app.components.primary_button import ActionButtons

ACTIONS = ActionButtons()
