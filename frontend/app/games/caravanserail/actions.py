"""The command buttons of Caravansérail; no command discards anything."""

from frontend.app.components.primary_button import ActionButtons

ACTIONS = ActionButtons()
