"""The command buttons of Caravan Conquest, and which commands discard something."""

from frontend.app.components.primary_button import ActionButtons

ACTIONS = ActionButtons(("Jettison", "GiveUp"))
