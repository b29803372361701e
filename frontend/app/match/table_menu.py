"""The menu of the match page: everything about the table but the moves."""

from typing import Any

from _native import fill, go

from frontend.app.api import client, local_gateway
from frontend.app.components.film import Film
from frontend.app.components.menu_button import menu_button, menu_link, settings_link
from frontend.app.components.share import share, share_link
from frontend.app.components.sheet import Sheet
from frontend.app.contract.context import MatchContext
from frontend.app.contract.provenance import draws_line, origin_paragraph
from frontend.app.core import match_ids
from frontend.app.core.dom import button, el, link_box, muted_text, stack, toast
from frontend.app.core.i18n import t
from frontend.app.core.problem import show_problem
from frontend.app.core.single_flight import SingleFlight
from frontend.app.core.types import Action, Callback, Data, DomEvent, Node
from frontend.app.games.loader import load_bundle
from frontend.app.match.leave_table import leave_items
from frontend.app.match.picture_address import picture_address
from frontend.app.match.table_items import mute_button, show_atom_link

FILM_TURNS = 6  # number of turns in the animation of a running game


class MatchMenu:
    """The menu of the match page (``button`` opens its sheet); its items are built when it opens.

    ``open_rules()`` opens the rules at the current topic, or is None for a game without a guide;
    ``film`` shows animations; ``sync()`` requests the match from the service.
    """

    def __init__(self, context: MatchContext, open_rules: Action | None, sync: Action) -> None:
        self.context = context
        self.open_rules = open_rules
        self.film = Film()
        self.sync = sync
        self.flight = SingleFlight()
        self.body = stack()
        self.sheet = Sheet(t("table.this_table"), self.body)
        self.button = button(t("table.menu"), lambda _e: self.open(), "round quiet", "i-menu")
        self.is_local = match_ids.is_local_match(context.id)

    def open(self) -> None:
        """Open the menu."""
        if self.is_local:
            self._fill([settings_link()])
            match_id = self.context.id
            if not (match_ids.is_lesson(match_id) or match_ids.is_trial(match_id)):
                local_gateway.load_server(self._show_local_items)
        else:
            data = self.context.match.data
            leave = leave_items(data, self.body, self._leave, self.open)
            items = [*self._share_items(), *self._seat_items(), settings_link()]
            self._fill([*items, self._fair_draws(), *leave])
        self.sheet.open()

    def _fill(self, items: list[Node]) -> None:
        fill(self.body, self._rules_item(), items)

    def _rules_item(self) -> Node | None:
        if self.open_rules is None:
            return None
        open_rules = self.open_rules

        def on_tap(_event: DomEvent) -> None:
            self.sheet.close()
            open_rules()

        return menu_button(t("rules.title"), t("rules.menu_hint"), on_tap)

    # -- local matches -------------------------------------------------------------------------

    def _show_local_items(self, server: Any) -> None:
        """Show the menu items of a local match; lessons and trials have none."""
        context = self.context
        table = server.matches.get(context.id)
        practice = table is not None and "practice" in table.head
        items = local_gateway.menu_items(context, practice, self.sheet.close)
        items.append(settings_link())
        origin_text = origin_paragraph(context.match.data)
        self._fill(items if origin_text is None else [*items, origin_text])

    # -- matches of the service ----------------------------------------------------------------

    def _seat_items(self) -> list[Node]:
        """Return the items for a player: notifications and seat recovery."""
        context = self.context
        if not context.match.own_seats():
            return []
        items = [mute_button(context.id, self._post_mute)]
        if context.match.data["status"] != "finished":
            items += self._recovery_items()
        return items

    def _share_items(self) -> list[Node]:
        context = self.context
        match = context.match
        code = match.data.get("share") or context.share_code
        version = match.version if context.at is None else context.at
        return [
            menu_button(
                t("share.position"),
                t("share.position_hint"),
                lambda _e: share(share_link(match.data, version, context.share_code)),
            ),
            menu_button(t("review.animation"), t("review.film_hint"), lambda _e: self._show_film()),
            menu_link(
                t("file.export"), t("file.export_hint"), context.path + "/export", download=True
            ),
            menu_button(
                t("table.feed"),
                t("table.feed_hint"),
                lambda _e: show_atom_link(self.body, context.id, code, []),
            ),
        ]

    def _fair_draws(self) -> Node:
        """Return the fold that says how the random draws can be verified."""
        data = self.context.match.data
        return el(
            "details",
            {},
            el("summary", {}, t("file.fairness")),
            el("p", {}, draws_line(data) or t("file.draws_committed")),
            link_box(data["fairness"]["commitment"]),
        )

    def _show_film(self) -> None:
        """Show the animation of the latest turns, or of everything up to the moment shown."""
        context = self.context
        match = context.match
        last = match.version if context.at is None else context.at
        marks = [mark for mark in match.turns.versions if mark < last]
        begin = {"from": marks[-FILM_TURNS]} if len(marks) > FILM_TURNS else {}
        self.sheet.close()
        self.film.show(picture_address(context, "animation.gif", to=last, **begin))

    def _recovery_items(self) -> list[Node]:
        """Return the buttons for seat recovery, or why there are none if nobody else plays."""
        if self.context.match.is_alone:
            return [muted_text(t("account.only_recovery_code"))]
        return [
            menu_button(
                t("seat.pin_title"),
                t("seat.pin_menu_hint"),
                lambda _e: self.show_recovery_form(False),
            ),
            menu_button(
                t("seat.let_player_back"),
                t("seat.let_back_hint"),
                lambda _e: self.show_recovery_form(True),
            ),
        ]

    def show_recovery_form(self, others: bool, code: str = "") -> None:
        """Show the form to let another player back in (``others``), or to set the own seat's PIN.

        Does nothing for spectators. ``code``: a recovery code to prefill the first form with.
        """
        context = self.context
        held = context.match.own_seats()
        if not held:
            return

        def asked() -> None:
            self.sheet.close()
            toast(t("seat.request_sent"))
            go(context.address_at(), True)  # remove the used code from the address
            self.sync()

        def show_form() -> None:
            from frontend.app.components.seat_recovery import SeatPinForm, SeatRecoveryForm

            if context.is_closed:
                return
            if others:
                SeatRecoveryForm(context.path, held[0], context.match.names, self.body, asked, code)
            else:
                SeatPinForm(context.path, context.match.seat_to_act() or held[0], self.body)
            self.sheet.open()

        load_bundle("back", show_form)

    def _post_mute(self, body: Data, text: str) -> None:
        def done(_answer: Any) -> None:
            toast(text)
            if self.sheet.is_open:
                self.open()

        self._post("/mute", body, done)

    def _leave(self, stand_in: str) -> None:
        def done(_answer: Any) -> None:
            toast(t("table.left"))
            self.context.navigate("/")

        self._post("/leave", {"stand_in": stand_in}, done)

    def _post(self, rest: str, body: Data, done: Callback) -> None:
        self.flight.run(client.send, (self.context.path + rest, body), done, show_problem)
