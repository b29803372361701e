"""The buttons that send a command of Caravanserai."""

from frontend.app.primary import Actions

ACTIONS = Actions()
