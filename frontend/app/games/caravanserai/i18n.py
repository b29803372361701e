"""Translation functions for the screen of Caravanserai."""

from domain.games.caravanserai.messages import TEXT
from frontend.app.core.i18n import translators_for

t, tn = translators_for("caravanserai", TEXT)
