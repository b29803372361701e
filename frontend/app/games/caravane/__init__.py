"""The screen of the game, with its own words."""

from frontend.app.primary import Actions
from frontend.app.words import words_of

t, tn = words_of("caravane")
ACTIONS = Actions()
