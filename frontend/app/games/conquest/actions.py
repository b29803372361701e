"""The buttons that send a command of Caravan Conquest."""

from frontend.app.primary import Actions

ACTIONS = Actions(("Jettison", "GiveUp"))
