"""Translation functions for the screen of Caravane."""

from frontend.app.core.i18n import translators_for

t, tn = translators_for("caravane")
