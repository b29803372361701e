"""The page for opening a table."""

from typing import Any

from _native import current_location, fill, keep_focus, scroll_into_view

from frontend.app.api import client, connection, game_catalogue, local_gateway, session
from frontend.app.components import page_frame
from frontend.app.components.radio_group import radio_group
from frontend.app.components.seat_pin import set_pin
from frontend.app.core import match_ids
from frontend.app.core.dom import button, el, show, toast
from frontend.app.core.i18n import t
from frontend.app.core.problem import show_problem
from frontend.app.core.single_flight import SingleFlight
from frontend.app.core.types import Callback, Data, DomEvent, Navigate, Node
from frontend.app.pages.game_summary import about_game, rules_button
from frontend.app.pages.new_table.option_files import option_from_anchor
from frontend.app.pages.new_table.options_section import OptionsSection
from frontend.app.pages.new_table.seat_fields import SeatFields


class NewTablePage(page_frame.Page):
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
        self.slug = slug
        self.earlier_match_id = earlier_match_id
        self.guest = guest
        self.game_picker: Node | None = None
        self.form = el("div", {})
        self.submit = button(t("setup.create_game"), self._open, "primary", style="width:100%")
        self.flight = SingleFlight()
        header = page_frame.header_bar(t("setup.new_game"))
        page = el("main", {"class": "page new-table"}, header, self.form)
        show(page, page_frame.navigation("/new"))
        fill(self.form, el("div", {"class": "skeleton", "style": "min-height:50vh"}))
        game_catalogue.load(lambda games: session.load(lambda: self._begin(games)))

    def _begin(self, games: list[Data]) -> None:
        """Draw the form, prefilled from the earlier match if given, and load the contacts."""
        earlier = self.earlier_match_id
        is_local = bool(earlier) and match_ids.is_local_match(earlier)
        is_local = is_local or not connection.is_reachable()
        self.games = {game["slug"]: game for game in games}
        self.seats = SeatFields(session.current["name"], self._draw)
        self.seats.is_shared_device = is_local
        self.options = OptionsSection(self.seats, is_local, self._draw)
        if earlier:
            path = f"/api/matches/{earlier}"
            client.get(path, self._show_form, lambda _problem: self._show_form())
        else:
            self._show_form()
        if session.current["known"] and not is_local:
            client.get(
                "/api/players/me/people",
                lambda people: self.seats.set_contacts(people["items"], self.guest),
            )

    def _show_form(self, earlier: Data | None = None) -> None:
        """Show the form, prefilled from an earlier match if given."""
        if self.slug not in self.games:
            self.slug = next(iter(self.games))
        given = option_from_anchor(current_location()[2], self.games[self.slug])
        self.options.fold.is_open = bool(given)
        if earlier:
            self.slug, given = earlier["game"], {**earlier["options"]}
            self.seats.prefill(earlier["seats"])
            self.options.prefill(earlier)
        self.options.set_game(self.games[self.slug], given)
        self._draw()
        self._show_chosen_game()

    def _draw(self) -> None:
        game = self.games[self.slug]
        if self.seats.count not in game["seats"]:
            self.seats.count = 2 if 2 in game["seats"] else game["seats"][0]
        parts = [*self._game(game), *self._players(game), self.options.node()]
        foot = el("div", {"class": "create"}, self.submit)
        card = el("div", {"class": "card setup"}, parts, foot)
        fill(self.form, card, self.options.preview.sheet.node)
        self.options.update_summary()

    def _show_chosen_game(self) -> None:
        """Scroll the row of games to the chosen one."""
        if self.game_picker is not None:
            scroll_into_view(self.game_picker.querySelector(":checked"))

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
        parts = [radio_group(t("setup.players"), counts, self.seats.count, self._set_count)]
        if self.seats.count > 1:
            values = [
                ("apart", t("setup.sharing_apart"), ""),
                ("round", t("setup.sharing_round"), ""),
                ("bots", t("setup.sharing_bots"), ""),
            ]
            sharing = "round" if self.seats.is_shared_device else "apart"
            if self.seats.has_only_bots():
                sharing = "bots"
            parts.append(radio_group(t("setup.sharing"), values, sharing, self._set_sharing))
        return [*parts, self.seats.rows()]

    def _set_game(self, slug: str) -> None:
        self.slug = slug
        self.options.set_game(self.games[slug], {})
        keep_focus(self._draw)
        self._show_chosen_game()

    def _set_count(self, count: str) -> None:
        self.seats.set_count(int(count))
        keep_focus(self._draw)

    def _set_sharing(self, sharing: str) -> None:
        self.seats.is_shared_device = sharing == "round"
        self.seats.set_bots(sharing == "bots")
        keep_focus(self._draw)

    def _open(self, _event: DomEvent) -> None:
        problem = self.options.fields.problem()
        if problem:
            self.form.querySelector(".options").open = True
            toast(problem)
        elif self.seats.is_all_local() or self.options.pin.validate():
            open_match = self.while_open(lambda match: self.navigate(f"/m/{match['id']}"))
            self.flight.run(self._send, (), open_match, show_problem, self.submit)

    def _send(self, done: Callback, failed: Callback) -> None:
        """Create the match and set the PIN, then call ``done(match)`` or ``failed(problem)``."""
        name = (self.seats.names.get(0) or "").strip()
        body, is_all_local = self.options.request_body(), self.seats.is_all_local()

        def on_created(match: Data) -> None:
            seats = [seat["seat"] for seat in match["seats"] if seat["you"]]
            pin = "" if is_all_local else self.options.pin.value()
            set_pin(match["id"], seats, pin, lambda: done(match))

        if self.options.is_local and is_all_local:
            session.remember_name(name)
            known = self.games[self.slug]["options"]
            local_gateway.load_server(
                lambda server: server.open_match(body, known, on_created, failed)
            )
        else:
            session.ensure_player(
                name, lambda: client.send("/api/matches", body, on_created, failed), failed
            )
