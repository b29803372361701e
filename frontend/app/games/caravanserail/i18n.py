"""Translation functions of the screen of Caravansérail."""

from frontend.app.words import words_of

t, tn = words_of("caravanserail")
