"""A private word to one player, and those that came."""

from frontend.app import net
from frontend.app.dom import button, el, toast

SHOWN = 4


class Whispers:
    """The latest private words of a seat with a line to write one."""

    def __init__(self, host):
        self.host = host
        self.to = None
        self.words = ""
        self.sending = False

    def count(self):
        """How many private words there are that this device may read."""
        return len([*self._all()])

    def made(self, seat):
        """The nodes; none for a device that holds several seats, whose people sit together."""
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
                el("summary", {}, "A private word"),
                el("ul", {"class": "heard"}, heard),
                self._form(seat, people),
            ),
        )

    def _all(self):
        for event in self.host.match.events:
            if event["type"] == "Said" and event["data"]["to"] is not None:
                yield event

    def _line(self, event, seat):
        data = event["data"]
        names = self.host.names()
        mine = data["seat"] == seat
        who = f"You to {names[data['to']]}" if mine else names[data["seat"]]
        tone = f"--tone:var(--seat-{data['to'] if mine else data['seat']})"
        return el("li", {"style": tone}, el("b", {}, who + ": "), data["text"])

    def _form(self, seat, people):
        names = self.host.names()

        def picked(event):
            self.to = int(event.target.value)

        def typed(event):
            self.words = event.target.value

        def pressed(event):
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
                "aria-label": "Your private word",
                "placeholder": "Your words",
                "autocomplete": "off",
                "value": self.words,
                "oninput": typed,
                "onkeydown": pressed,
            },
        )
        select = el(
            "select", {"aria-label": "To whom", "name": "whom", "onchange": picked}, options
        )
        send = button("Whisper", lambda _e: self._say(seat))
        return el("div", {"class": "whisper"}, select, self.line, send)

    def _say(self, seat):
        words = self.words.strip()
        if not words or self.sending:
            return
        self.sending = True

        def done(_match):
            self.sending = False
            self.words = ""
            self.line.value = ""
            self.host.sync()

        def failed(problem):
            self.sending = False
            toast(problem.detail)

        body = {"seat": seat, "text": words, "to": self.to}
        net.send(self.host.path + "/say", body, done, failed)
