"""The buttons that send a command of Caravan Conquest."""

from frontend.app.components.primary_button import Actions

ACTIONS = Actions(("Jettison", "GiveUp"))
