"""The translations and action buttons of the game's screen."""

from domain.courtyard.messages import TEXT
from frontend.app.primary import Actions
from frontend.app.words import words_of

t, tn = words_of("courtyard", TEXT)
ACTIONS = Actions(("Discard",))
