"""Translation functions of the screen of the courtyard game."""

from domain.games.courtyard.messages import TEXT
from frontend.app.core.i18n import words_of

t, tn = words_of("courtyard", TEXT)
