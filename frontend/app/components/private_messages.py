"""Private messages: reading those received and writing one to another player."""

from collections.abc import Iterator
from typing import Any

from frontend.app.api import client
from frontend.app.contract.game_screen import Host
from frontend.app.core.dom import button, el, toast
from frontend.app.core.i18n import t
from frontend.app.core.problem import Problem
from frontend.app.core.types import DomEvent, Event, Node

SHOWN = 4


def private(event: Event) -> bool:
    """Whether an event is a private message, including redacted ones between others."""
    data = event["data"]
    return event["type"] == "Said" and (data["seat"] is None or data["to"] is not None)


class Whispers:
    """The latest private messages of a seat, with a form to write one."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.to: Any = None
        self.words = ""
        self.sending = False

    def count(self) -> int:
        """Return how many private messages this device may read."""
        return len([*self._all()])

    def made(self, seat: int) -> tuple[Any, ...]:
        """Return the nodes; none on a device with several seats, whose players sit together."""
        people = [
            each["seat"]
            for each in self.host.match.data["seats"]
            if each["kind"] == "human" and each["seat"] != seat
        ]
        if len(self.host.match.held()) != 1 or not people:
            return ()
        if self.to not in people:
            self.to = people[0]
        heard = [self._line(event, seat) for event in [*self._all()][-SHOWN:]]
        return (
            el(
                "details",
                {"class": "whispers", "open": bool(heard) or bool(self.words)},
                el("summary", {}, t("A private word")),
                el("ul", {"class": "heard"}, heard),
                self._form(seat, people),
            ),
        )

    def _all(self) -> Iterator[Any]:
        for event in self.host.match.events:
            if event["type"] == "Said" and event["data"]["to"] is not None:
                yield event

    def _line(self, event: Event, seat: int) -> Node:
        data = event["data"]
        names = self.host.names()
        mine = data["seat"] == seat
        who = t("You to {names}", names=names[data["to"]]) if mine else names[data["seat"]]
        tone = f"--tone:var(--seat-{data['to'] if mine else data['seat']})"
        return el("li", {"style": tone}, el("b", {}, who + ": "), data["text"])

    def _form(self, seat: int, people: Any) -> Node:
        names = self.host.names()

        def picked(event: DomEvent) -> None:
            self.to = int(event.target.value)

        def typed(event: DomEvent) -> None:
            self.words = event.target.value

        def pressed(event: DomEvent) -> None:
            if event.key == "Enter":
                event.preventDefault()
                self._say(seat)

        options = [
            el("option", {"value": each, "selected": each == self.to}, names[each])
            for each in people
        ]
        self.line = el(
            "input",
            {
                "type": "text",
                "name": "whisper",
                "maxlength": 200,
                "aria-label": t("Your private word"),
                "placeholder": t("Your words"),
                "autocomplete": "off",
                "value": self.words,
                "oninput": typed,
                "onkeydown": pressed,
            },
        )
        select = el(
            "select", {"aria-label": t("To whom"), "name": "whom", "onchange": picked}, options
        )
        send = button(t("Whisper"), lambda _e: self._say(seat))
        return el("div", {"class": "whisper"}, select, self.line, send)

    def _say(self, seat: int) -> None:
        words = self.words.strip()
        if not words or self.sending:
            return
        self.sending = True

        def done(_match: Any) -> None:
            self.sending = False
            self.words = ""
            self.line.value = ""
            self.host.sync()

        def failed(problem: Problem) -> None:
            self.sending = False
            toast(problem.detail)

        body = {"seat": seat, "text": words, "to": self.to}
        client.send(self.host.path + "/say", body, done, failed)
