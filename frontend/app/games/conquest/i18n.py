"""Translation functions of the screen of Caravan Conquest."""

from domain.games.conquest.messages import TEXT
from frontend.app.core.i18n import words_of

t, tn = words_of("conquest", TEXT)
