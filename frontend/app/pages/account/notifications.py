"""Notification settings: channels (push on this device, mail, chats), kinds and quiet hours.

Loaded as a separate code bundle.
"""

from typing import Any

from _native import fill, push_state, time_zone_name, unsubscribe_push

from frontend.app.api import client
from frontend.app.components.toggle import toggle_field
from frontend.app.core.dom import button, el, set_blocked_reason, toast
from frontend.app.core.i18n import LANGUAGE, t
from frontend.app.core.problem import Problem
from frontend.app.core.types import Data, DomEvent, Node
from frontend.app.match.notification_offer import enable_push

NOTIFICATIONS_PATH = "/api/notices"
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
DEFAULT_QUIET_MINUTES = (22 * 60, 8 * 60)
PUSH_BLOCKED_TEXTS = {
    "none": t(
        "This browser, or this address without https, allows no notices. Mails and chats do work."
    ),
    "install": t("Here the app has to be installed first: tap Share, then Add to Home Screen."),
    "denied": t("You told this browser not to let the app notify you; its settings change that."),
}


def _format_time(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def _parse_time(clock: str) -> int:
    hours, _, minutes = clock.partition(":")
    return int(hours) * 60 + int(minutes)


def _show_error(problem: Problem) -> None:
    toast(problem.detail)


class NotificationSettings:
    """The notification settings, drawn into ``card`` once loaded."""

    def __init__(self, card: Node) -> None:
        self.card = card
        self.secret = ""
        self._load()

    def _load(self, *_more: Any) -> None:
        client.get(NOTIFICATIONS_PATH, self._show, _show_error)

    def _show(self, data: Data) -> None:
        fill(
            self.card,
            self._push_button(data["ways"]),
            self._channel_list(data["ways"]),
            self._mail_form() if data["offers"]["mail"] else None,
            self._webhook_form(),
            self._preferences(data["wishes"]),
        )

    # --- this device --------------------------------------------------------------------------

    def _push_button(self, channels: list[Data]) -> Node | None:
        state = push_state()
        if state in PUSH_BLOCKED_TEXTS:
            return el("p", {"class": "muted"}, PUSH_BLOCKED_TEXTS[state])
        if state == "granted" and [way for way in channels if way["this"]]:
            return None

        def ask(event: DomEvent) -> None:
            set_blocked_reason(event.currentTarget, t("One moment."))
            enable_push(self._load, self._load)

        return button(t("Tell me on this device"), ask, "primary")

    # --- channels -----------------------------------------------------------------------------

    def _channel_list(self, channels: list[Data]) -> Node:
        return el("div", {}, [self._channel_line(way) for way in channels])

    def _channel_line(self, channel: Data) -> Node:
        text = self._channel_state(channel)
        name = t("this device") if channel["this"] else channel["name"]
        tried = button(
            t("Try it"),
            lambda _e: self._test_channel(channel),
            **{"aria-label": t("Try it: {name}", name=name)},
        )
        off = button(
            t("Turn off"),
            lambda _e: self._remove_channel(channel),
            **{"aria-label": t("Turn off: {name}", name=name)},
        )
        resumed = button(
            t("Resume"),
            lambda _e: self._resume_channel(channel),
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
                el("small", {"class": "muted"}, text),
            ),
            resumed if channel.get("paused_until") else None,
            tried if channel["confirmed"] else None,
            off,
        )

    def _channel_state(self, channel: Data) -> str:
        if not channel["confirmed"]:
            return t("waits for you to follow the link in the mail")
        if channel.get("paused_until"):
            return t("paused, because notifications failed again and again")
        if channel.get("problem"):
            return t("the last notice did not arrive")
        return t("on")

    def _test_channel(self, channel: Data) -> None:
        def on_sent(_answer: Data) -> None:
            toast(t("Sent: it should be there in a moment."))
            if channel.get("paused_until"):
                self._load()

        def on_error(problem: Problem) -> None:
            toast(problem.detail)
            self._load()

        client.call(
            "POST", f"{NOTIFICATIONS_PATH}/ways/{channel['id']}/test", None, on_sent, on_error
        )

    def _resume_channel(self, channel: Data) -> None:
        client.call(
            "POST",
            f"{NOTIFICATIONS_PATH}/ways/{channel['id']}/resume",
            None,
            self._load,
            _show_error,
        )

    def _remove_channel(self, channel: Data) -> None:
        if channel["this"]:
            unsubscribe_push()
        client.call(
            "DELETE", f"{NOTIFICATIONS_PATH}/ways/{channel['id']}", None, self._show, _show_error
        )

    # --- mail and chats -----------------------------------------------------------------------

    def _mail_form(self) -> Node:
        def asked(_answer: Data) -> None:
            toast(t("A mail is on its way; follow the link in it."))
            self._load()

        return self._form(t("Mail address"), "email", t("Tell me by mail"), "/mail", asked)

    def _webhook_form(self) -> Node:
        def on_add(channel: Data) -> None:
            self.secret = channel.get("secret") or ""
            self._load()

        small = t(
            "of a webhook of Discord or Slack, an ntfy topic, a Telegram bot, a Matrix room, or"
            " your own server (https)"
        )
        form = self._form(
            t("Address of a chat"), "url", t("Tell me there"), "/webhook", on_add, small
        )
        if self.secret:
            text = t("Its messages are signed with this key, which is shown only now:")
            key = el("div", {"class": "link code", "tabindex": "0"}, self.secret)
            form.append(el("p", {"role": "status"}, text))
            form.append(key)
            self.secret = ""
        return form

    def _form(
        self, label: str, kind: str, action: str, path: str, done: Any, small: str = ""
    ) -> Node:
        name = "notices-" + kind
        field = el("input", {"type": kind, "id": name, "maxlength": 1000, "autocomplete": kind})
        problem_line = el("p", {"class": "problem", "role": "alert"})

        def on_error(problem: Problem) -> None:
            fill(problem_line, problem.detail)
            field.focus()

        def enter(event: DomEvent) -> None:
            event.preventDefault()
            fill(problem_line)
            address = str(field.value).strip()
            if address:
                client.call("POST", NOTIFICATIONS_PATH + path, {"address": address}, done, on_error)
            else:
                field.focus()

        return el(
            "form",
            {"class": "stack", "onsubmit": enter, "novalidate": True},
            el("label", {"for": name}, label),
            el("p", {"class": "muted"}, small) if small else None,
            field,
            problem_line,
            el("button", {"type": "submit", "class": "button"}, action),
        )

    # --- kinds and quiet hours ----------------------------------------------------------------

    def _preferences(self, preferences: Data) -> Node:
        kinds = list(preferences["kinds"])
        quiet = preferences["quiet"]

        def save() -> None:
            body = {"kinds": kinds, "quiet": quiet, "language": LANGUAGE.tag}
            client.call("PUT", NOTIFICATIONS_PATH, body, self._show, _show_error)

        def want(kind: str, on: Any) -> None:
            others = [each for each in kinds if each != kind]
            kinds[:] = [*others, kind] if on else others
            save()

        def hush(on: Any) -> None:
            nonlocal quiet
            quiet = (
                {
                    "start": DEFAULT_QUIET_MINUTES[0],
                    "end": DEFAULT_QUIET_MINUTES[1],
                    "zone": time_zone_name() or "UTC",
                }
                if on
                else None
            )
            save()

        def at(which: str, clock: str) -> None:
            if clock:
                quiet[which] = _parse_time(clock)
                save()

        def time(which: str, label: str) -> Node:
            given = {"type": "time", "value": _format_time(quiet[which])}
            change = {"onchange": lambda event: at(which, str(event.target.value))}
            return el("label", {}, label, el("input", {**given, **change}))

        return el(
            "div",
            {"class": "stack"},
            el("h3", {}, t("What I want to hear")),
            [
                toggle_field(label, "", kind in kinds, lambda on, kind=kind: want(kind, on))
                for kind, label in KINDS
            ],
            toggle_field(
                t("Quiet at night"), t("what happens then is told afterwards"), bool(quiet), hush
            ),
            el("div", {"class": "row"}, time("start", t("from")), time("end", t("until")))
            if quiet
            else None,
        )
