"""Taking moves back: proposals as banners, their fate in words, and going back to a moment.

The service works out what an undo would be. Nothing here decides; it only says so beforehand.
"""

from _native import fill

from frontend.app.dom import button, el, toast
from frontend.app.match import KERNEL

WHAT = {
    "free": ("Go back to here", "Free"),
    "open": ("Go back to here", "At once"),
    "consent": ("Ask to go back", "Everyone has to agree"),
}


class GoingBack:
    """The take-backs of one table. ``slots`` are all places where a banner can be seen."""

    def __init__(self, table):
        self.table = table
        self.slots = []
        self.dismissed = 0
        self.shown = None
        self.fate = (None, None)
        self.node = el("div", {"class": "go-back", "hidden": True})

    # -- banners -------------------------------------------------------------------------------

    def banners(self):
        """Shows the open proposal, or what became of the own one, wherever people look."""
        proposal = self.table.match.data["undo"].get("proposal")
        fate = None if proposal else self._fate()
        told = (proposal, fate)
        if told != self.shown:
            self.shown = told
            for slot in self.slots:
                fill(slot, self._banner(proposal, fate))

    def _banner(self, proposal, fate):
        if proposal:
            return self._proposal(proposal)
        if fate:
            words, version = fate
            return el(
                "div",
                {"class": "notice", "role": "alert"},
                el("span", {}, words),
                button("Good", lambda _e: self._dismiss(version)),
            )
        return None

    def _proposal(self, proposal):
        table = self.table
        held = table.match.held()
        mine = proposal["seat"] in held
        who = "You" if held == [proposal["seat"]] else table.names()[proposal["seat"]]
        to = proposal["to_version"]
        words = f"{who} {'ask' if who == 'You' else 'asks'} to go back{self._before(to)}."
        asked = [seat for seat in proposal["waiting"] if seat in held]
        look = button("Look", lambda _e: table.show_moment(to), "quiet")
        if asked and not mine:
            more = f"{proposal['reason']} A new move closes this."
            ways = [
                button("Agree", lambda _e: table.answer(asked[0], True), "primary"),
                button("Decline", lambda _e: table.answer(asked[0], False)),
                look,
            ]
        else:
            names = " and ".join([table.names()[seat] for seat in proposal["waiting"]])
            more = f"Waiting for {names}."
            ways = [look]
            if mine:
                ways.insert(0, button("Withdraw", lambda _e: table.answer(proposal["seat"], False)))
        return el(
            "div",
            {"class": "notice asking", "role": "alert"},
            el("span", {}, words, el("small", {}, more)),
            el("div", {"class": "row"}, ways),
        )

    def _before(self, version):
        """What would be the first move to go, in words."""
        match = self.table.match
        for event in match.events[version:]:
            if event["type"] in KERNEL or event["version"] in match.taken_by:
                continue
            if event["text"] and event["seat"] is not None:
                return f" to before “{event['text'].rstrip('.')}”"
        return f" to version {version}"

    def _dismiss(self, version):
        self.dismissed = version
        self.banners()

    def _fate(self):
        stamp = (self.table.match.version, self.dismissed, self.table.match.held())
        if self.fate[0] != stamp:
            self.fate = (stamp, self._settled())
        return self.fate[1]

    def _settled(self):
        """``(words, version)`` of how the own latest proposal ended, until that is settled."""
        match = self.table.match
        held = match.held()
        asked = None
        for event in reversed(match.events):
            if event["type"] == "UndoProposed":
                asked = event
                break
        if asked is None or asked["seat"] not in held:
            return None
        end = None
        moment = asked["at"]
        for event in match.events[asked["version"] :]:
            # What one decision brings about happens at one moment, and its first event is of the
            # seat that decided; the turn that begins with its last may well be one's own.
            decided = event["at"] != moment
            moment = event["at"]
            if event["type"] == "Said" or _agrees(event):
                continue
            if end is None:
                end = event
            elif decided and event["seat"] in held:
                return None  # one has moved on oneself
        if end is None or end["version"] <= self.dismissed:
            return None
        words = self._outcome(end, held)
        return words and (words, end["version"])

    def _outcome(self, end, held):
        """What became of the own proposal; None when one closed it oneself."""
        if end["type"] == "MovesUndone" and end["data"]["kind"] == "consent":
            return "Agreed: the moves are taken back."
        if end["seat"] in held:
            return None
        who = self.table.names()[end["seat"]] if end["seat"] is not None else "Somebody"
        if end["type"] == "UndoAnswered":
            return f"{who} declined: the moves stand."
        return f"{who} has moved on, so your wish to take back is closed."

    # -- going back to the moment looked at ------------------------------------------------------

    def here(self, at):
        """Offers to go back to a version, and says beforehand what that takes; None: not now."""
        table = self.table
        match = table.match
        can = at is not None and match.data["status"] == "playing" and match.held()
        self.node.hidden = not can
        if not can:
            return
        known = table.moments.undo(at)
        label, words, does = "Go back to here", "", None
        if known is None:
            table.moments.want(at, self._known)
        elif known.get("proposal"):
            words = "A take-back is waiting for an answer."
        elif known["kind"] is None:
            words = known["reason"]
        else:
            label, kind = WHAT[known["kind"]]
            words = [el("b", {}, kind + ". "), known["reason"]]
            does = lambda _e: self._go(known)  # noqa: E731
        way = button(label, does, sign="i-undo", disabled=does is None)
        fill(self.node, way, el("p", {}, words))

    def _known(self, at):
        if self.table.history.at == at:
            self.table.draw_actions()

    def _go(self, known):
        self.table.history.to_now()
        self.table.undo_to(known["seat"], known["step"], _done)


def _agrees(event):
    return event["type"] == "UndoAnswered" and event["data"]["accept"]


def _done(match):
    if match["undo"].get("proposal") is None:
        toast("Taken back." + (" Redo brings it on again." if match.get("redo") else ""), 4)
