"""Translation functions for the screen of the courtyard game."""

from domain.games.courtyard.messages import TEXT
from frontend.app.core.i18n import translators_for

t, tn = translators_for("courtyard", TEXT)
