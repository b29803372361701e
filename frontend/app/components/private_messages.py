"""Private messages: the latest ones and a form to send one to another player."""

from typing import Any

from frontend.app.api import client
from frontend.app.contract.game_screen import ScreenHost
from frontend.app.core.dom import button, el
from frontend.app.core.i18n import t
from frontend.app.core.problem import show_problem
from frontend.app.core.single_flight import SingleFlight
from frontend.app.core.types import DomEvent, Event, Node

MAX_SHOWN = 4


def is_private_message(event: Event) -> bool:
    """Return whether an event is a private message, even one redacted for this viewer."""
    data = event["data"]
    return event["type"] == "Said" and (data["seat"] is None or data["to"] is not None)


class PrivateMessages:
    """The latest private messages that this device may read, with a form to send one."""

    def __init__(self, host: ScreenHost) -> None:
        self.host = host
        self.recipient: Any = None
        self.draft = ""
        self.flight = SingleFlight()

    def build(self, seat: int) -> tuple[Any, ...]:
        """Return the nodes; none unless the device holds one seat and another person plays."""
        people = [
            each["seat"]
            for each in self.host.match.data["seats"]
            if each["kind"] == "human" and each["seat"] != seat
        ]
        if len(self.host.match.own_seats()) != 1 or not people:
            return ()
        if self.recipient not in people:
            self.recipient = people[0]
        heard = [self._line(event, seat) for event in self.messages()[-MAX_SHOWN:]]
        given = {"class": "whispers", "open": bool(heard or self.draft)}
        summary = el("summary", {}, t("chat.private_message"))
        lines = el("ul", {"class": "heard"}, heard)
        return (el("details", given, summary, lines, self._form(seat, people)),)

    def messages(self) -> list[Event]:
        """Return the private messages that this device may read."""
        said = [event for event in self.host.match.events if event["type"] == "Said"]
        return [event for event in said if event["data"]["to"] is not None]

    def _line(self, event: Event, seat: int) -> Node:
        data = event["data"]
        names = self.host.match.names
        mine = data["seat"] == seat
        author = t("chat.you_to", names=names[data["to"]]) if mine else names[data["seat"]]
        tone = f"--tone:var(--seat-{data['to'] if mine else data['seat']})"
        return el("li", {"style": tone}, el("b", {}, author + ": "), data["text"])

    def _form(self, seat: int, people: Any) -> Node:
        names = self.host.match.names

        def on_select(event: DomEvent) -> None:
            self.recipient = int(event.target.value)

        def typed(event: DomEvent) -> None:
            self.draft = event.target.value

        def on_press(event: DomEvent) -> None:
            if event.key == "Enter":
                event.preventDefault()
                self._send(seat)

        options = [
            el("option", {"value": each, "selected": each == self.recipient}, names[each])
            for each in people
        ]
        self.line = el(
            "input",
            {
                "type": "text",
                "name": "whisper",
                "maxlength": 200,
                "aria-label": t("chat.private_field"),
                "placeholder": t("chat.placeholder"),
                "autocomplete": "off",
                "value": self.draft,
                "oninput": typed,
                "onkeydown": on_press,
            },
        )
        given = {"aria-label": t("chat.to"), "name": "whom", "onchange": on_select}
        select = el("select", given, options)
        send = button(t("chat.send_private"), lambda _e: self._send(seat))
        return el("div", {"class": "whisper"}, select, self.line, send)

    def _send(self, seat: int) -> None:
        text = self.draft.strip()
        if not text:
            return

        def on_sent(_match: Any) -> None:
            self.draft = ""
            self.line.value = ""
            self.host.sync()

        body = {"seat": seat, "text": text, "to": self.recipient}
        self.flight.run(client.send, (self.host.path + "/say", body), on_sent, show_problem)
