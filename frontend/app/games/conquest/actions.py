"""The buttons that send commands of Caravan Conquest."""

from frontend.app.components.primary_button import ActionButtons

ACTIONS = ActionButtons(("Jettison", "GiveUp"))
