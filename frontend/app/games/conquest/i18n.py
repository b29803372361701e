"""Translation functions of the screen of Caravan Conquest."""

from domain.games.conquest.messages import TEXT
from frontend.app.words import words_of

t, tn = words_of("conquest", TEXT)
