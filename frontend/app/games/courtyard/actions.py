"""The buttons that send commands of the courtyard game."""

from frontend.app.components.primary_button import ActionButtons

ACTIONS = ActionButtons(("Discard",))
