"""The buttons that send a command of Caravanserai."""

from frontend.app.components.primary_button import ActionButtons

ACTIONS = ActionButtons()
