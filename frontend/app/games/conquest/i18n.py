"""Translation functions for the screen of Caravan Conquest."""

from frontend.app.core.i18n import translator_for

t = translator_for("conquest")
