"""Any game without a screen of its own: what is to be seen in plain words, and the moves."""

from _native import fill

from frontend.app.dom import button, el

RULES = None
MOST = 40  # choices shown under the picture; the list of moves has them all


class Screen:
    """Shows the view as nested lists."""

    def __init__(self, host):
        self.host = host
        self.node = el("div", {"class": "board-area", "style": "overflow:auto;padding:16px"})
        self.panel = el("div", {"class": "moves"})
        self.aside = None

    def prompt(self, now):
        """What to do, in a few words."""
        return "Choose a move"

    def label(self, choice):
        """A choice in words; these come from the service."""
        return choice["label"]

    def draw(self, now):
        """Shows a moment."""
        fill(self.node, _shown(now.view))
        fill(self.panel, [self._move(choice) for choice in now.choices[:MOST]])

    def _move(self, choice):
        return button(choice["label"], lambda _e: self.host.play(choice["command"]))


def _shown(value):
    if isinstance(value, dict):
        parts = []
        for name, part in value.items():
            parts.append(el("dt", {"style": "font-weight:600"}, name.replace("_", " ")))
            parts.append(el("dd", {"style": "margin:0 0 8px 12px"}, _shown(part)))
        return el("dl", {"style": "margin:0"}, parts)
    if isinstance(value, tuple):
        if all(not isinstance(part, (dict, tuple)) for part in value):
            return ", ".join([str(part) for part in value]) or "none"
        return el("ul", {}, [el("li", {}, _shown(part)) for part in value])
    return "none" if value is None else str(value)
