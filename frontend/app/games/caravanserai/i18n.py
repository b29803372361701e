"""Translation functions for the screen of Caravanserai."""

from frontend.app.core.i18n import translator_for

t = translator_for("caravanserai")
