"""Translation functions of the screen of Caravanserai."""

from domain.games.caravanserai.messages import TEXT
from frontend.app.core.i18n import words_of

t, tn = words_of("caravanserai", TEXT)
