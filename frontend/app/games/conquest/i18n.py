"""Translation functions for the screen of Caravan Conquest."""

from domain.games.conquest.messages import TEXT
from frontend.app.core.i18n import translators_for

t, tn = translators_for("conquest", TEXT)
