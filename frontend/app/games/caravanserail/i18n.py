"""Translation functions for the screen of Caravansérail."""

from frontend.app.core.i18n import translator_for

t = translator_for("caravanserail")
