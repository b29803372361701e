"""Notification settings: channels (push on this device, mail, chats), kinds and quiet hours.

Loaded as a separate part of the code.
"""

from typing import Any

from _native import fill, push_state, unsubscribe_push, zone_name

from frontend.app.api import client
from frontend.app.components.toggle import switch
from frontend.app.core.dom import bar, button, el, toast
from frontend.app.core.i18n import LANGUAGE, t
from frontend.app.core.problem import Problem
from frontend.app.core.types import Data, DomEvent, Node
from frontend.app.match.notification_offer import tell_here

PATH = "/api/notices"
KINDS = (
    ("turn", t("It is my turn")),
    ("reminder", t("My time runs short")),
    ("plan", t("My plan does not fit any more")),
    ("proposal", t("A take-back or a vote is asked for")),
    ("word", t("Somebody wrote")),
    ("over", t("A game is over")),
    ("time", t("Time is up, or a bot takes or gives back a seat")),
    ("rematch", t("I am asked for another game")),
)
NIGHT = (22 * 60, 8 * 60)
SILENT = {
    "none": t(
        "This browser, or this address without https, allows no notices. Mails and chats do work."
    ),
    "install": t("Here the app has to be installed first: tap Share, then Add to Home Screen."),
    "denied": t("You told this browser not to let the app notify you; its settings change that."),
}


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def _minutes(clock: str) -> int:
    hours, _, minutes = clock.partition(":")
    return int(hours) * 60 + int(minutes)


def _failed(problem: Problem) -> None:
    toast(problem.detail)


class Notices:
    """The notification settings, drawn into a card."""

    def __init__(self, card: Node) -> None:
        self.card = card
        self.secret = ""
        self._load()

    def _load(self, *_more: Any) -> None:
        client.get(PATH, self._show, _failed)

    def _show(self, data: Data) -> None:
        fill(
            self.card,
            self._here(data["ways"]),
            self._ways(data["ways"]),
            self._mail() if data["offers"]["mail"] else None,
            self._hook(),
            self._wishes(data["wishes"]),
        )

    # --- this device --------------------------------------------------------------------------

    def _here(self, ways: list[Data]) -> Node | None:
        state = push_state()
        if state in SILENT:
            return el("p", {"class": "muted"}, SILENT[state])
        if state == "granted" and [way for way in ways if way["this"]]:
            return None

        def ask(event: DomEvent) -> None:
            bar(event.currentTarget, t("One moment."))
            tell_here(self._load, self._load)

        return button(t("Tell me on this device"), ask, "primary")

    # --- channels -----------------------------------------------------------------------------

    def _ways(self, ways: list[Data]) -> Node:
        return el("div", {}, [self._way(way) for way in ways])

    def _way(self, way: Data) -> Node:
        words = self._state(way)
        name = t("this device") if way["this"] else way["name"]
        tried = button(
            t("Try it"),
            lambda _e: self._try(way),
            **{"aria-label": t("Try it: {name}", name=name)},
        )
        off = button(
            t("Turn off"),
            lambda _e: self._remove(way),
            **{"aria-label": t("Turn off: {name}", name=name)},
        )
        resumed = button(
            t("Resume"),
            lambda _e: self._resume(way),
            **{"aria-label": t("Resume: {name}", name=name)},
        )
        return el(
            "div",
            {"class": "seat-line wraps"},
            el(
                "span",
                {"class": "name"},
                name,
                el("br", {}),
                el("small", {"class": "muted"}, words),
            ),
            resumed if way.get("paused_until") else None,
            tried if way["confirmed"] else None,
            off,
        )

    def _state(self, way: Data) -> str:
        if not way["confirmed"]:
            return t("waits for you to follow the link in the mail")
        if way.get("paused_until"):
            return t("paused, because notifications failed again and again")
        if way.get("problem"):
            return t("the last notice did not arrive")
        return t("on")

    def _try(self, way: Data) -> None:
        def sent(_way: Data) -> None:
            toast(t("Sent: it should be there in a moment."))
            if way.get("paused_until"):
                self._load()

        def lost(problem: Problem) -> None:
            toast(problem.detail)
            self._load()

        client.call("POST", f"{PATH}/ways/{way['id']}/test", None, sent, lost)

    def _resume(self, way: Data) -> None:
        client.call("POST", f"{PATH}/ways/{way['id']}/resume", None, self._load, _failed)

    def _remove(self, way: Data) -> None:
        if way["this"]:
            unsubscribe_push()
        client.call("DELETE", f"{PATH}/ways/{way['id']}", None, self._show, _failed)

    # --- mail and chats -----------------------------------------------------------------------

    def _mail(self) -> Node:
        def asked(_way: Data) -> None:
            toast(t("A mail is on its way; follow the link in it."))
            self._load()

        return self._form(t("Mail address"), "email", t("Tell me by mail"), "/mail", asked)

    def _hook(self) -> Node:
        def added(way: Data) -> None:
            self.secret = way.get("secret") or ""
            self._load()

        small = t(
            "of a webhook of Discord or Slack, an ntfy topic, a Telegram bot, a Matrix room, or"
            " your own server (https)"
        )
        form = self._form(
            t("Address of a chat"), "url", t("Tell me there"), "/webhook", added, small
        )
        if self.secret:
            said = t("Its messages are signed with this key, which is shown only now:")
            key = el("div", {"class": "link code", "tabindex": "0"}, self.secret)
            form.append(el("p", {"role": "status"}, said))
            form.append(key)
            self.secret = ""
        return form

    def _form(
        self, label: str, kind: str, action: str, path: str, done: Any, small: str = ""
    ) -> Node:
        name = "notices-" + kind
        field = el("input", {"type": kind, "id": name, "maxlength": 1000, "autocomplete": kind})
        said = el("p", {"class": "problem", "role": "alert"})

        def failed(problem: Problem) -> None:
            fill(said, problem.detail)
            field.focus()

        def enter(event: DomEvent) -> None:
            event.preventDefault()
            fill(said)
            address = str(field.value).strip()
            if address:
                client.call("POST", PATH + path, {"address": address}, done, failed)
            else:
                field.focus()

        return el(
            "form",
            {"class": "stack", "onsubmit": enter, "novalidate": True},
            el("label", {"for": name}, label),
            el("p", {"class": "muted"}, small) if small else None,
            field,
            said,
            el("button", {"type": "submit", "class": "button"}, action),
        )

    # --- kinds and quiet hours ----------------------------------------------------------------

    def _wishes(self, wishes: Data) -> Node:
        kinds = list(wishes["kinds"])
        quiet = wishes["quiet"]

        def save() -> None:
            body = {"kinds": kinds, "quiet": quiet, "language": LANGUAGE.tag}
            client.call("PUT", PATH, body, self._show, _failed)

        def want(kind: str, on: Any) -> None:
            others = [each for each in kinds if each != kind]
            kinds[:] = [*others, kind] if on else others
            save()

        def hush(on: Any) -> None:
            nonlocal quiet
            quiet = (
                {"start": NIGHT[0], "end": NIGHT[1], "zone": zone_name() or "UTC"} if on else None
            )
            save()

        def at(which: str, clock: str) -> None:
            if clock:
                quiet[which] = _minutes(clock)
                save()

        def time(which: str, label: str) -> Node:
            given = {"type": "time", "value": _clock(quiet[which])}
            change = {"onchange": lambda event: at(which, str(event.target.value))}
            return el("label", {}, label, el("input", {**given, **change}))

        return el(
            "div",
            {"class": "stack"},
            el("h3", {}, t("What I want to hear")),
            [
                switch(label, "", kind in kinds, lambda on, kind=kind: want(kind, on))
                for kind, label in KINDS
            ],
            switch(
                t("Quiet at night"), t("what happens then is told afterwards"), bool(quiet), hush
            ),
            el("div", {"class": "row"}, time("start", t("from")), time("end", t("until")))
            if quiet
            else None,
        )
