"""The "You" page: name, devices, recovery code, contacts and notifications of the player."""

from collections.abc import Callable
from typing import Any

from _native import fill, format_day, go

from frontend.app.api import client, session
from frontend.app.components import page_frame
from frontend.app.components.confirm_dialog import ConfirmDialog
from frontend.app.components.menu_button import settings_link
from frontend.app.components.share import copy_button
from frontend.app.core.dom import (
    after,
    button,
    el,
    muted_text,
    row,
    set_blocked_reason,
    show,
    stack,
    toast,
)
from frontend.app.core.i18n import join_sentences, t
from frontend.app.core.problem import RETRY_DELAY_MS, Problem, show_problem
from frontend.app.core.types import Callback, Data, DomEvent, Navigate, Node
from frontend.app.games import loader
from frontend.app.pages.account.claim_identity import claim_player, loss_warning
from frontend.app.pages.account.device_link import DeviceLinkSheet
from frontend.app.pages.account.vacation import vacation_card
from frontend.app.pages.field_form import field_form


def titled_card(title: str, *parts: Any) -> Node:
    """Return a card with a heading."""
    return el("section", {"class": "card"}, el("h2", {}, title), *parts)


def _create_on_tap(path: str, on_created: Callback) -> Callback:
    """Return the handler of a button that creates something by a request without a body."""

    def on_tap(event: DomEvent) -> None:
        node = set_blocked_reason(event.currentTarget, t("common.one_moment"))

        def on_error(problem: Problem) -> None:
            set_blocked_reason(node, None)
            show_problem(problem)

        client.call("POST", path, None, on_created, on_error)

    return on_tap


def _show_secret(card: Node, title: str, kind: str, secret: str, once: str) -> None:
    """Show a new link or code, which the service never sends again."""
    fill(
        card,
        el("h2", {}, title),
        el("div", {"class": kind, "tabindex": "0"}, secret),
        el("p", {"role": "status"}, once),
        row(copy_button(secret)),
    )


def _lazy_card(
    part: str, title: str, text: str, label: str, fill_card: Callable[[Node], object]
) -> Node:
    """Return a card whose button loads the code bundle ``part``, then calls ``fill_card(body)``.

    The button stays in place so that a second tap does not hit the content that appears.
    """
    body = stack()

    def ask(event: DomEvent) -> None:
        set_blocked_reason(event.currentTarget, t("account.section_open"))
        loader.load_bundle(part, lambda: fill_card(body))

    card = {"class": "card company" if part == "company" else "card"}
    return el("section", card, el("h2", {}, title), el("p", {}, text), button(label, ask), body)


def _contacts_card() -> Node:
    """Return the card for results, contacts and calendar, whose code is loaded on demand."""

    def fill_card(body: Node) -> None:
        from frontend.app.pages.account.contacts import ContactsCard

        ContactsCard(body)

    about = (t("account.history_title"), t("account.history_text"), t("account.history_open"))
    return _lazy_card("company", *about, fill_card)


def notifications_card() -> Node:
    """Return the card for notification settings, whose code is loaded on demand."""

    def fill_card(body: Node) -> None:
        from frontend.app.pages.account.notifications import NotificationSettings

        NotificationSettings(body)

    about = (t("notification.title"), t("notification.text"), t("notification.offer"))
    return _lazy_card("notices", *about, fill_card)


def _pins_notice() -> Node:
    """Return the notice that seat PINs were revoked with the device that had set them."""
    return titled_card(
        t("account.seat_pins"), el("p", {"role": "alert"}, t("account.pins_revoked"))
    )


def _seat_link() -> Node:
    """Return the link to the page for recovering a single seat."""
    return el("a", {"class": "button quiet", "href": "/back"}, t("account.lost_device_link"))


def _delete_devices(rest: str, done: Callback) -> None:
    """Sign out the device whose id follows in the path, or all others if ``rest`` is empty."""
    client.call("DELETE", "/api/players/devices" + rest, None, done, show_problem)


class AccountPage(page_frame.Page):
    """The page ``/you``."""

    def __init__(self, navigate: Navigate) -> None:
        self.navigate = navigate
        # kinds of secrets revoked because the device that created them was signed out here
        self.revoked: list[str] = []
        self.page = page_frame.page(t("page.nav_you"))
        self.page.append(el("div", {"class": "skeleton", "style": "min-height:30vh"}))
        self.device_link = DeviceLinkSheet()
        show(self.page, page_frame.navigation("/you"), self.device_link.sheet.node)
        session.load(self._load)

    def _load(self) -> None:
        if session.current["known"]:
            client.get("/api/players/devices", self._show, self.while_open(self._on_error))
        elif session.maybe_signed_in():
            # Without a response it is unknown whether this device has a player.
            after(RETRY_DELAY_MS, self.while_open(lambda: session.load(self._load)))
        else:
            self._show_signed_out()

    def _on_error(self, problem: Problem) -> None:
        if problem.status == 401:
            session.forget_player()
            self._show_signed_out()
        else:
            toast(problem.detail)

    def _show_signed_out(self) -> None:
        if self.closed:
            return
        fill(
            self.page,
            page_frame.header_bar(t("page.nav_you")),
            el("section", {"class": "card"}, el("p", {}, t("account.not_signed_in"))),
            settings_link(),
            self._recovery_form(t("account.have_recovery_code")),
            _seat_link(),
        )

    def _show(self, data: Data) -> None:
        if self.closed:
            return
        self.revoked += [kind for kind in data["revoked"] if kind not in self.revoked]
        code = data["recovery_code"]
        fill(
            self.page,
            page_frame.header_bar(t("page.nav_you")),
            titled_card(session.own_name(), muted_text(t("account.name_hint"))),
            settings_link(),
            self._new_calendar() if "calendar" in self.revoked else None,
            _pins_notice() if "seat_pin" in self.revoked else None,
            self._recovery_code_card(code, not code and "recovery_code" in self.revoked),
            self._devices(data["items"], data["linked_by"]),
            _contacts_card(),
            notifications_card(),
            vacation_card(),
            self._recovery_form(t("account.not_you")),
            _seat_link(),
        )

    # --- devices ------------------------------------------------------------------------------

    def _devices(self, devices: list[Data], linked_by: Data) -> Node:
        others = [each for each in devices if not each["this"]]
        known = [each["id"] for each in devices]
        # Devices whose linking device has since been signed out.
        orphans = [each for each, maker in linked_by.items() if maker not in known]
        lines = [self._device(each, each["id"] in orphans) for each in devices]
        sign_out = button(
            t("account.sign_out_others"), lambda _e: _delete_devices("", self._signed_out)
        )
        return titled_card(
            t("account.devices"),
            el("div", {}, lines),
            button(t("account.use_other_device"), lambda _e: self.device_link.open()),
            sign_out if len(others) > 1 else None,
        )

    def _device(self, device: Data, is_orphan: bool) -> Node:
        """Return the line of a device.

        ``is_orphan``: whether the device that linked it has been signed out.
        """
        text = t("account.not_seen_lately")
        if device["this"]:
            text = t("account.this_device")
        elif device["last_seen"]:
            text = t("account.last_seen", day=format_day(device["last_seen"]))
        since = t("account.device_since", words=text, day=format_day(device["created"]))
        parts = [device["name"], el("br", {}), el("small", {"class": "muted"}, since)]
        if is_orphan:
            parts += [el("br", {}), el("small", {}, t("account.linked_by_signed_out"))]
        label = {"aria-label": t("account.sign_out_name", name=device["name"], words=text)}
        sign_out = self._leave if device["this"] else self._sign_out_device
        return el(
            "div",
            {"class": "seat-line"},
            el("span", {"class": "name"}, parts),
            button(t("account.sign_out"), lambda _e: sign_out(device), **label),
        )

    def _leave(self, device: Data) -> None:
        """Sign out this device, after a question."""

        def left(_data: Any) -> None:
            session.forget_player()
            toast(t("account.signed_out_here"))
            self._show_signed_out()

        name = session.own_name()
        ConfirmDialog(
            t("account.sign_out_here"),
            [t("account.sign_out_text", name=name), loss_warning(name)],
            t("account.sign_out"),
            t("account.stay_as", name=name),
            lambda: _delete_devices("/" + device["id"], left),
        )

    def _signed_out(self, data: Data, ended: str | None = None) -> None:
        """Show the remaining devices after one or all others were signed out.

        ``ended``: the id of the one device that was signed out, None if all others were. Offers to
        sign out the devices that this one had linked, too.
        """
        toast(t("account.signed_out_there"))
        self._show(data)
        linked = [each for each in data["items"] if data["linked_by"].get(each["id"]) == ended]
        if ended is None or not linked:
            return
        names = t("format.list_separator").join([each["name"] for each in linked])
        ConfirmDialog(
            t("account.sign_out_linked", n=len(linked)),
            [t("account.linked_by_text", names=names), t("account.linked_unknown")],
            t("account.sign_out"),
            t("account.keep_signed_in"),
            lambda: self._sign_out_all(linked),
        )

    def _sign_out_all(self, devices: list[Data]) -> None:
        for each in devices:
            self._sign_out_device(each)

    def _sign_out_device(self, device: Data) -> None:
        """Sign out another device, then offer to sign out the devices it had linked."""
        _delete_devices("/" + device["id"], lambda data: self._signed_out(data, device["id"]))

    def _new_calendar(self) -> Node:
        """Return the card that offers a new calendar address after the old one was revoked."""
        card = el("section", {"class": "card"})

        def on_created(data: Data) -> None:
            self.revoked.remove("calendar")
            title, once = t("account.calendar_link"), t("account.calendar_once")
            _show_secret(card, title, "link", data["url"], once)

        make = _create_on_tap("/api/players/me/calendar", on_created)
        return fill(
            card,
            el("h2", {}, t("account.calendar")),
            el("p", {"role": "alert"}, t("account.calendar_revoked")),
            button(t("account.calendar_new_link_revoked"), make),
        )

    # --- the recovery code --------------------------------------------------------------------

    def _recovery_code_card(self, made: Any, is_revoked: bool) -> Node:
        """Return the card with the recovery code.

        ``made``: when the current code was created, None if there is none. ``is_revoked``: whether
        the code was revoked because the device that created it was signed out here.
        """
        card = el("section", {"class": "card"})
        text = t("account.recovery_revoked") if is_revoked else t("account.no_account")
        if made:
            text = join_sentences([text, t("account.recovery_made", day=format_day(made))])

        def on_created(data: Data) -> None:
            title, once = t("account.your_recovery_code"), t("account.recovery_once")
            _show_secret(card, title, "link code", data["code"], once)

        make = _create_on_tap("/api/players/recovery", on_created)
        label = t("account.recovery_new") if made or is_revoked else t("account.recovery_get")
        role = {"role": "alert"} if is_revoked else {}
        kind = "primary" if is_revoked else ""
        title = el("h2", {}, t("account.back_up"))
        return fill(card, title, el("p", role, text), button(label, make, kind))

    def _recovery_form(self, title: str) -> Node:
        given = {"type": "text", "id": "code", "maxlength": 60, "autocomplete": "off"}
        field = el("input", {**given, "autocapitalize": "characters", "spellcheck": "false"})

        def enter(code: str, failed: Callback) -> None:
            claim_player("/api/players/recover", code, self._reload, failed)

        form = field_form(t("account.recovery_code"), field, t("account.use_code"), enter)
        return titled_card(title, form)

    def _reload(self) -> None:
        go("/you", True)
        self.navigate(None)
