"""Translation functions of the screen of Caravansérail."""

from frontend.app.core.i18n import words_of

t, tn = words_of("caravanserail")
