"""Translation functions of the screen of Caravane."""

from frontend.app.words import words_of

t, tn = words_of("caravane")
