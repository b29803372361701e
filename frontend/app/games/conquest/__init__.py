"""The screen of the game, with its own words."""

from domain.conquest.words import TEXT
from frontend.app.primary import Actions
from frontend.app.words import words_of

t, tn = words_of("conquest", TEXT)
"""The words of the page in the language it is shown in; see `domain.words`."""
ACTIONS = Actions(("Jettison", "GiveUp"))
