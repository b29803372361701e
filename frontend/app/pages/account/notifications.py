"""Notification settings: channels (push on this device, mail, chats), kinds and quiet hours.

Loaded as a separate code bundle.
"""

from collections.abc import Callable
from typing import Any

from _native import fill, push_state, time_zone_name, unsubscribe_push

from frontend.app.api import client
from frontend.app.components.toggle import toggle_field
from frontend.app.core.dom import button, el, muted_text, row, set_blocked_reason, stack, toast
from frontend.app.core.i18n import LANGUAGE, t
from frontend.app.core.problem import Problem, show_problem
from frontend.app.core.types import Callback, Data, DomEvent, Node
from frontend.app.match.notification_offer import enable_push
from frontend.app.pages.field_form import field_form

NOTIFICATIONS_PATH = "/api/notices"
KINDS = (
    ("turn", t("notification.kind.turn")),
    ("reminder", t("notification.kind.reminder")),
    ("plan", t("notification.kind.plan")),
    ("proposal", t("notification.kind.proposal")),
    ("word", t("notification.kind.word")),
    ("over", t("notification.kind.over")),
    ("time", t("notification.kind.time")),
    ("rematch", t("notification.kind.rematch")),
)
DEFAULT_QUIET_MINUTES = (22 * 60, 8 * 60)
PUSH_BLOCKED_TEXTS = {
    "none": t("notification.no_push"),
    "install": t("notification.install_first"),
    "denied": t("notification.denied"),
}


def _parse_time(clock: str) -> int:
    hours, _, minutes = clock.partition(":")
    return int(hours) * 60 + int(minutes)


def _quiet_times(quiet: Data, on_change: Callable[[str, str], object]) -> Node:
    """Build the fields of the quiet hours; ``on_change("start" or "end", "22:00")``."""

    def field(which: str, label: str) -> Node:
        given = {
            "type": "time",
            "value": f"{quiet[which] // 60:02d}:{quiet[which] % 60:02d}",
            "onchange": lambda event: on_change(which, str(event.target.value)),
        }
        return el("label", {}, label, el("input", given))

    return row(
        field("start", t("notification.quiet_from")), field("end", t("notification.quiet_until"))
    )


def _channel_path(channel: Data) -> str:
    return f"{NOTIFICATIONS_PATH}/ways/{channel['id']}"


class NotificationSettings:
    """The notification settings, drawn into ``card`` once loaded."""

    def __init__(self, card: Node) -> None:
        self.card = card
        self.secret = ""
        self._load()

    def _load(self, *_more: Any) -> None:
        client.get(NOTIFICATIONS_PATH, self._show, show_problem)

    def _show(self, data: Data) -> None:
        fill(
            self.card,
            self._push_button(data["ways"]),
            el("div", {}, [self._channel_line(way) for way in data["ways"]]),
            self._mail_form() if data["offers"]["mail"] else None,
            self._webhook_form(),
            self._preferences(data["wishes"]),
        )

    # --- this device --------------------------------------------------------------------------

    def _push_button(self, channels: list[Data]) -> Node | None:
        state = push_state()
        if state in PUSH_BLOCKED_TEXTS:
            return muted_text(PUSH_BLOCKED_TEXTS[state])
        if state == "granted" and [way for way in channels if way["this"]]:
            return None

        def ask(event: DomEvent) -> None:
            set_blocked_reason(event.currentTarget, t("common.one_moment"))
            enable_push(self._load, self._load)

        return button(t("notification.on_this_device"), ask, "primary")

    # --- channels -----------------------------------------------------------------------------

    def _channel_line(self, channel: Data) -> Node:
        def act(label: str, name: str, action: Callback) -> Node:
            return button(label, lambda _e: action(channel), **{"aria-label": name})

        name = t("account.this_device") if channel["this"] else channel["name"]
        state = el("small", {"class": "muted"}, self._channel_state(channel))
        resume_name = t("notification.resume_name", name=name)
        test_name = t("notification.test_name", name=name)
        off_name = t("notification.turn_off_name", name=name)
        resume = act(t("notification.resume"), resume_name, self._resume_channel)
        test = act(t("notification.test"), test_name, self._test_channel)
        return el(
            "div",
            {"class": "seat-line wraps"},
            el("span", {"class": "name"}, name, el("br", {}), state),
            resume if channel.get("paused_until") else None,
            test if channel["confirmed"] else None,
            act(t("notification.turn_off"), off_name, self._remove_channel),
        )

    def _channel_state(self, channel: Data) -> str:
        if not channel["confirmed"]:
            return t("notification.unconfirmed")
        if channel.get("paused_until"):
            return t("notification.paused")
        if channel.get("problem"):
            return t("notification.failed")
        return t("notification.on")

    def _test_channel(self, channel: Data) -> None:
        def on_sent(_answer: Data) -> None:
            toast(t("notification.test_sent"))
            if channel.get("paused_until"):
                self._load()

        def on_error(problem: Problem) -> None:
            show_problem(problem)
            self._load()

        client.call("POST", _channel_path(channel) + "/test", None, on_sent, on_error)

    def _resume_channel(self, channel: Data) -> None:
        path = _channel_path(channel) + "/resume"
        client.call("POST", path, None, self._load, show_problem)

    def _remove_channel(self, channel: Data) -> None:
        if channel["this"]:
            unsubscribe_push()
        client.call("DELETE", _channel_path(channel), None, self._show, show_problem)

    # --- mail and chats -----------------------------------------------------------------------

    def _mail_form(self) -> Node:
        def asked(_answer: Data) -> None:
            toast(t("notification.mail_sent"))
            self._load()

        label, action = t("notification.mail_address"), t("notification.by_mail")
        return self._form(label, "email", action, "/mail", asked)

    def _webhook_form(self) -> Node:
        def on_add(channel: Data) -> None:
            self.secret = channel.get("secret") or ""
            self._load()

        label, action = t("notification.webhook_url"), t("notification.by_webhook")
        hint = t("notification.webhook_hint")
        form = self._form(label, "url", action, "/webhook", on_add, hint)
        if self.secret:
            key = el("div", {"class": "link code", "tabindex": "0"}, self.secret)
            form.append(el("p", {"role": "status"}, t("notification.webhook_key")), key)
            self.secret = ""
        return form

    def _form(
        self, label: str, kind: str, action: str, path: str, done: Any, hint: str = ""
    ) -> Node:
        name = "notices-" + kind
        field = el("input", {"type": kind, "id": name, "maxlength": 1000, "autocomplete": kind})

        def add(address: str, failed: Callback) -> None:
            client.call("POST", NOTIFICATIONS_PATH + path, {"address": address}, done, failed)

        return field_form(label, field, action, add, hint)

    # --- kinds and quiet hours ----------------------------------------------------------------

    def _preferences(self, preferences: Data) -> Node:
        kinds = list(preferences["kinds"])
        quiet = preferences["quiet"]

        def save() -> None:
            body = {"kinds": kinds, "quiet": quiet, "language": LANGUAGE.tag}
            client.call("PUT", NOTIFICATIONS_PATH, body, self._show, show_problem)

        def want(kind: str, on: Any) -> None:
            others = [each for each in kinds if each != kind]
            kinds[:] = [*others, kind] if on else others
            save()

        def hush(on: Any) -> None:
            nonlocal quiet
            start, end = DEFAULT_QUIET_MINUTES
            zone = time_zone_name() or "UTC"
            quiet = {"start": start, "end": end, "zone": zone} if on else None
            save()

        def at(which: str, clock: str) -> None:
            if clock:
                quiet[which] = _parse_time(clock)
                save()

        toggles = [
            toggle_field(label, "", kind in kinds, lambda on, kind=kind: want(kind, on))
            for kind, label in KINDS
        ]
        title, hint = t("notification.quiet_hours"), t("notification.quiet_hint")
        return stack(
            el("h3", {}, t("notification.kinds")),
            toggles,
            toggle_field(title, hint, bool(quiet), hush),
            _quiet_times(quiet, at) if quiet else None,
        )
