"""The buttons that send commands of Caravanserai."""

from frontend.app.components.primary_button import ActionButtons

ACTIONS = ActionButtons()
