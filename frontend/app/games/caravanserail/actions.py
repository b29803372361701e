"""The buttons that send a command of Caravansérail."""

from frontend.app.primary import Actions

ACTIONS = Actions()
