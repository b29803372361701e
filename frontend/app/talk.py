"""Words at the table: a line to say something to everybody, above what happened; and what others
say, told for a moment wherever one looks."""

from _native import matches

from frontend.app import net
from frontend.app.dom import el, toast
from frontend.app.match_page import MatchPage
from frontend.app.net import Problem
from frontend.app.typed import Data, DomEvent, Event
from frontend.app.words import t

MOST = 500
"""Characters of one word, as the service takes them."""
TOLD = 8
"""Seconds for which the words of another are told."""


class Talk:
    """``node`` is the line. It is there for who sits at a table with people elsewhere."""

    def __init__(self, page: MatchPage) -> None:
        self.page = page
        self.sending = False
        field = {"type": "text", "name": "say", "maxlength": MOST, "autocomplete": "off"}
        words = {
            "aria-label": t("Say something to all at the table"),
            "placeholder": t("Your words"),
        }
        self.line = el("input", {**field, **words, "enterkeyhint": "send"})
        send = el("button", {"type": "submit", "class": "button"}, t("Say it"))
        self.node = el("form", {"class": "talk", "onsubmit": self._entered}, self.line, send)

    def draw(self) -> None:
        """There is somebody to talk to, or not."""
        people = [seat for seat in self.page.match.data["seats"] if seat["kind"] == "human"]
        elsewhere = any(not seat["you"] for seat in people)
        self.node.hidden = not (elsewhere and self.page.match.held())

    def hear(self, events: list[Event]) -> None:
        """Tells what others have just said, where the log does not show it anyway."""
        if matches("(min-width: 900px)") or self.page.layout.log_sheet.is_open:
            return
        held = self.page.match.held()
        for event in events:
            if event["type"] == "Said" and event["data"]["seat"] not in (None, *held):
                toast(event["text"], TOLD)

    def _entered(self, event: DomEvent) -> None:
        event.preventDefault()
        words = str(self.line.value).strip()
        if not words or self.sending:
            self.line.focus()
            return
        match = self.page.match
        seat = match.held()[0] if match.in_hand is None else match.in_hand
        self.sending = True
        body: Data = {"seat": seat, "text": words, "to": None}
        net.send(self.page.path + "/say", body, self._said, self._failed)

    def _said(self, _match: Data) -> None:
        self.sending = False
        self.line.value = ""
        self.page.sync()

    def _failed(self, problem: Problem) -> None:
        self.sending = False
        toast(problem.detail)
