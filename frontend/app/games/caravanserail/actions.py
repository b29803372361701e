"""The buttons that send a command of Caravansérail."""

from frontend.app.components.primary_button import ActionButtons

ACTIONS = ActionButtons()
