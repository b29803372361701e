"""Translation functions for the screen of the courtyard game."""

from frontend.app.core.i18n import translator_for

t = translator_for("courtyard")
