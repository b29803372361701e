"""The command buttons of the courtyard game, and which commands discard something."""

from frontend.app.components.primary_button import ActionButtons

ACTIONS = ActionButtons(("Discard",))
