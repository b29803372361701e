"""The command buttons of Caravane; no command discards anything."""

from frontend.app.components.primary_button import ActionButtons

ACTIONS = ActionButtons()
