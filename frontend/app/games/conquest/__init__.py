"""The translations and action buttons of the game's screen."""

from domain.conquest.messages import TEXT
from frontend.app.primary import Actions
from frontend.app.words import words_of

t, tn = words_of("conquest", TEXT)
"""The translation functions of the game, see `domain.words`."""
ACTIONS = Actions(("Jettison", "GiveUp"))
