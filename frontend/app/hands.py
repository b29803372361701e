"""Whose hands a phone is in that is passed round, in a game with secrets.

Between two seats stands a page that shows nothing; only when the next one says who they are does
the phone ask the service what that seat may see.
"""

from frontend.app.dom import button, el, fill, listen, patch, picture


class Hands:
    """``host`` is the table; ``taken(seat)`` is called when somebody has taken the phone."""

    def __init__(self, host, taken):
        self.host = host
        self.taken = taken
        self.body = el("div", {"class": "handover"})
        self.node = el("dialog", {"class": "handover-page"}, self.body)
        listen(self.node, "cancel", self._put_off)
        self.asked = None
        self.offered = None

    @property
    def several(self):
        """Whether this device holds more than one seat."""
        return len(self.host.match.held()) > 1

    def due(self):
        """The seat that should get the phone now, or None.

        Whoever has it keeps it while there is something to choose; then the next one round the
        table is asked for.
        """
        match = self.host.match
        held = match.held()
        acting = [seat for seat in held if seat in match.acting()]
        if len(held) < 2 or not acting or match.in_hand in acting:
            return None
        begin = -1 if match.in_hand is None else match.in_hand
        later = [seat for seat in acting if seat > begin]
        return (later or acting)[0]

    def update(self, now, hold_back):
        """Puts the page up when the phone has to change hands, and away when it need not.

        ``hold_back``: everybody is looking at something now; the page waits to be asked for.
        """
        seat = self.due() if now.live else None
        if seat is None:
            self.asked = None
            if self.node.open:
                self.node.close()
        elif (self.asked != seat and not hold_back) or (self.node.open and self.offered != seat):
            self.ask(seat)

    def ask(self, seat):
        """Asks for a seat."""
        self.asked = self.offered = seat
        names = self.host.names()
        name = names[seat]
        others = [each for each in self.host.match.held() if each != seat]
        patch(self.node, {"aria-label": f"Give the phone to {name}"})
        fill(
            self.body,
            el("span", {"class": "big-medal", "style": f"--tone:var(--seat-{seat})"}, _camel()),
            el("h2", {}, f"Give the phone to {name}"),
            el("p", {}, f"What comes next is for {name} alone. The others look away."),
            self._me(seat, "primary"),
            el(
                "div",
                {"class": "row handover-more"},
                [self._me(each, "") for each in others],
                button("Look at the table", self._put_off, "quiet"),
            ),
        )
        if not self.node.open:
            self.host.frame.append(self.node)
            self.node.showModal()

    def _me(self, seat, kind):
        return button(f"I am {self.host.names()[seat]}", lambda _e: self.take(seat), kind)

    def _put_off(self, _event):
        if self.node.open:
            self.node.close()

    def take(self, seat):
        """The phone is in this seat's hands from now on; its view is asked for."""
        self.offered = None
        self._put_off(None)
        self.host.match.in_hand = seat
        self.host.server_choices = ()
        self.taken(seat)
        self.host.sync()


def _camel():
    return picture("camel", 72)
