"""The translations and action buttons of the game's screen."""

from domain.caravanserai.messages import TEXT
from frontend.app.primary import Actions
from frontend.app.words import words_of

t, tn = words_of("caravanserai", TEXT)
ACTIONS = Actions()
