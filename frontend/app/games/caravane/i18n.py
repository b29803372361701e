"""Translation functions for the screen of Caravane."""

from frontend.app.core.i18n import translator_for

t = translator_for("caravane")
