"""The buttons that send commands of Caravansérail."""

from frontend.app.components.primary_button import ActionButtons

ACTIONS = ActionButtons()
