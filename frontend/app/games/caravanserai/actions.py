"""The command buttons of Caravanserai; no command discards anything."""

from frontend.app.components.primary_button import ActionButtons

ACTIONS = ActionButtons()
