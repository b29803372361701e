"""The page for opening a table."""

from typing import Any

from _native import current_location, fill, keep_focus, scroll_into_view

from frontend.app.api import client, connection, game_catalogue, local_gateway, session
from frontend.app.components import page_frame
from frontend.app.components.radio_group import radio_group
from frontend.app.components.seat_pin import PinField, set_pin
from frontend.app.components.toggle import toggle_field
from frontend.app.core import match_ids
from frontend.app.core.dom import button, el, show, toast
from frontend.app.core.i18n import join_list, t
from frontend.app.core.problem import Problem
from frontend.app.core.single_flight import SingleFlight
from frontend.app.core.types import Callback, Data, DomEvent, Navigate, Node
from frontend.app.pages.game_summary import about_game, rules_button
from frontend.app.pages.new_table import option_fields
from frontend.app.pages.new_table.option_files import option_from_anchor
from frontend.app.pages.new_table.preview import Preview
from frontend.app.pages.new_table.seat_fields import SeatFields
from frontend.app.pages.new_table.time_control_field import TimeControlField


class NewTablePage:
    """The page ``/new``.

    ``slug``: the game to preselect. ``earlier_match_id``: a match to prefill the form from.
    ``guest``: the id of a player to reserve the second seat for.
    """

    def __init__(
        self,
        navigate: Navigate,
        slug: str | None = None,
        earlier_match_id: Any = None,
        guest: Any = None,
    ) -> None:
        self.navigate = navigate
        self.earlier_match_id = earlier_match_id
        self.guest = guest
        self.contacts: list[Data] = []
        self.slug = slug
        self.seat_fields = SeatFields("", self._draw)
        self.time_control = TimeControlField(self._draw)
        self.form = el("div", {})
        self.pin = PinField()
        self.flight = SingleFlight()
        self.closed = False
        self.options_open = False
        self.game_picker: Node | None = None
        self.summary = el("span", {"class": "chosen"})  # of the folded options
        self.is_local = bool(earlier_match_id) and match_ids.is_local_match(earlier_match_id)
        self.preview = Preview(self._preview_request)
        header = page_frame.header_bar(t("setup.new_game"))
        page = el("main", {"class": "page new-table"}, header, self.form)
        show(page, page_frame.navigation("/new"), self.preview.sheet.node)
        fill(self.form, el("div", {"class": "skeleton", "style": "min-height:50vh"}))
        game_catalogue.load(lambda games: session.load(lambda: self._begin(games)))

    def _is_all_local(self) -> bool:
        """Return whether no seat is open, so that everybody plays on this device."""
        return all(seat["kind"] != "open" for seat in self.seat_fields.request_body(self.count))

    def _begin(self, games: list[Data]) -> None:
        """Draw the form, prefilled from the earlier match if given, and load the contacts."""
        self.is_local = self.is_local or not connection.is_reachable()

        def like(match: Data) -> None:
            self._start_form(games)
            self._prefill(match)
            self._show_chosen_game()

        if self.earlier_match_id:
            client.get(
                f"/api/matches/{self.earlier_match_id}",
                like,
                lambda _problem: self._start_form(games),
            )
        else:
            self._start_form(games)
        if session.current["known"] and not self.is_local:
            client.get("/api/players/me/people", self._on_contacts, lambda _problem: None)

    def _on_contacts(self, company: Data) -> None:
        """Offer to reserve seats for people this player has played with."""
        self.contacts = company["items"]
        if self.contacts:
            self.seat_fields.set_contacts(self.contacts, self.guest)

    def _prefill(self, match: Data) -> None:
        """Prefill game, options, seats, visibility and time control from an earlier match.

        Seats of players on other devices become open seats, which they join by invitation.
        """
        self.slug = match["game"]
        self.game_picker = None
        self._set_options({**match["options"]})
        self.count = len(match["seats"])
        self.seat_fields.prefill(match["seats"])
        self.public = match["visibility"] == "public"
        if "clock" in match:
            self.time_control.prefill(match["clock"])
        self._draw()

    def close(self) -> None:
        """Mark the page as closed so that it does not open the new table any more."""
        self.closed = True

    def _start_form(self, games: list[Data]) -> None:
        self.games = {game["slug"]: game for game in games}
        slugs = [game["slug"] for game in games]
        if self.slug not in slugs:
            self.slug = slugs[0]
        given = option_from_anchor(current_location()[2], self.games[self.slug])
        self.options_open = bool(given)
        self._set_options(given)
        self.count = 0
        self.public = False
        self.seat_fields = SeatFields(session.current["name"], self._draw)
        self.seat_fields.set_contacts(self.contacts, self.guest)
        self.seat_fields.is_shared_device = self.is_local
        self._draw()
        self._show_chosen_game()

    def _draw(self) -> None:
        game = self.games[self.slug]
        if self.count not in game["seats"]:
            self.count = 2 if 2 in game["seats"] else game["seats"][0]
        parts = [*self._game(game), *self._players(game)]
        self.submit = button(t("setup.create_game"), self._open, "primary", style="width:100%")
        foot = el("div", {"class": "create"}, self.submit)
        fill(self.form, el("div", {"class": "card setup"}, parts, self._options(), foot))
        self._update_summary()

    def _show_chosen_game(self) -> None:
        """Scroll the row of games to the chosen one."""
        if self.game_picker is not None:
            scroll_into_view(self.game_picker.querySelector(":checked"))

    def _options(self) -> Node:
        """Return the folded section of everything that has a useful default."""
        parts = self.option_fields.nodes(self.count)
        if self._is_all_local():
            small = t("setup.on_this_phone_hint")
            parts.append(
                toggle_field(t("setup.on_this_phone_only"), small, self.is_local, self._set_local)
            )
        else:
            parts.extend(self.time_control.nodes())
        if self.count > 1 and not self.seat_fields.is_shared_device:
            small = t("setup.public_hint")
            parts.append(
                toggle_field(t("setup.public_table"), small, self.public, self._set_public)
            )
        if not self._is_all_local():
            parts.extend(self.pin.nodes())

        def on_toggle(event: DomEvent) -> None:
            self.options_open = bool(event.currentTarget.open)

        return el(
            "details",
            {"class": "options", "open": self.options_open, "ontoggle": on_toggle},
            el("summary", {}, el("strong", {}, t("setup.options")), " ", self.summary),
            el("div", {"class": "stack"}, parts, self.preview.button()),
        )

    def _update_summary(self) -> None:
        """Show what is chosen in the folded options in one line."""
        texts = self.option_fields.summary()
        if self._is_all_local():
            texts += [t("setup.on_this_phone_only")] if self.is_local else []
        else:
            texts.append(self.time_control.title())
        if self.public and not self.seat_fields.is_shared_device:
            texts.append(t("setup.public_table"))
        fill(self.summary, join_list(texts))

    def _game(self, game: Data) -> list[Node]:
        """Return the game selector, if there are several games, and the game's description."""
        about = [*about_game(game, rules_button(game["slug"]))]
        if len(self.games) == 1:
            return about
        if self.game_picker is None:  # built once, so that the focus stays in it
            named = [(slug, each["title"], "") for slug, each in self.games.items()]
            self.game_picker = radio_group(t("setup.game"), named, self.slug, self._set_game)
        return [self.game_picker, *about]

    def _players(self, game: Data) -> list[Node]:
        """Return the fields for the number of players, device sharing, and the seats."""
        counts = [(n, str(n), t("setup.one_player") if n == 1 else "") for n in game["seats"]]
        parts = [radio_group(t("setup.players"), counts, self.count, self._set_count)]
        if self.count > 1:
            values = [
                ("apart", t("setup.sharing_apart"), ""),
                ("round", t("setup.sharing_round"), ""),
                ("bots", t("setup.sharing_bots"), ""),
            ]
            sharing = "round" if self.seat_fields.is_shared_device else "apart"
            if self.seat_fields.has_only_bots(self.count):
                sharing = "bots"
            parts.append(radio_group(t("setup.sharing"), values, sharing, self._set_sharing))
        return [*parts, self.seat_fields.rows(self.count)]

    def _preview_request(self) -> tuple[str, Data]:
        """Return the game's slug and the request body for a preview."""
        return str(self.slug), {"seats": self.count, "options": self.option_fields.value()}

    def _set_options(self, chosen: Data) -> None:
        """Create the option fields with the given initial values."""
        self.option_fields = option_fields.OptionFields(
            self.games[self.slug], chosen, self._update_summary
        )

    def _set_game(self, slug: str) -> None:
        self.slug = slug
        self._set_options({})
        keep_focus(self._draw)
        self._show_chosen_game()

    def _set_count(self, count: int) -> None:
        if self.count > 1 and self.seat_fields.has_only_bots(self.count):
            self.seat_fields.set_bots(True, int(count))
        self.count = int(count)
        keep_focus(self._draw)

    def _set_sharing(self, sharing: Any) -> None:
        self.seat_fields.is_shared_device = sharing == "round"
        self.seat_fields.set_bots(sharing == "bots", self.count)
        keep_focus(self._draw)

    def _set_local(self, on: bool) -> None:
        self.is_local = on
        self._update_summary()

    def _set_public(self, on: bool) -> None:
        self.public = on
        self._update_summary()

    def _open(self, _event: DomEvent) -> None:
        problem = self.option_fields.problem()
        if problem:
            self.form.querySelector(".options").open = True
            toast(problem)
            return
        if self._is_all_local() or self.pin.validate():
            self.flight.run(self._send, (), self._on_created, self._on_error, self.submit)

    def _send(self, done: Callback, failed: Callback) -> None:
        """Create the match and set the PIN, then call ``done(match)`` or ``failed(problem)``."""
        name = (self.seat_fields.names.get(0) or "").strip()

        def create() -> None:
            client.send("/api/matches", self._request_body(), on_created, failed)

        def on_created(match: Data) -> None:
            seats = [seat["seat"] for seat in match["seats"] if seat["you"]]
            pin = "" if self._is_all_local() else self.pin.value()
            set_pin(match["id"], seats, pin, lambda: done(match))

        if self.is_local and self._is_all_local():
            session.remember_name(name)
            known = self.games[self.slug]["options"]
            local_gateway.load_server(
                lambda server: server.open_match(self._request_body(), known, on_created, failed)
            )
        else:
            session.ensure_player(name or session.GUEST_NAME, create, failed)

    def _on_created(self, match: Data) -> None:
        if not self.closed:
            self.navigate(f"/m/{match['id']}")

    def _request_body(self) -> Data:
        """Return the request body that creates the match."""
        pace = None if self._is_all_local() else self.time_control.value()
        return {
            **({"pace": pace} if pace else {}),
            "game": self.slug,
            "seats": self.seat_fields.request_body(self.count),
            "options": self.option_fields.value(),
            "visibility": "public"
            if self.public and not self.seat_fields.is_shared_device
            else "private",
        }

    def _on_error(self, problem: Problem) -> None:
        toast(problem.detail)
