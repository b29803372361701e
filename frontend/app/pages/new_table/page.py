"""The page for opening a table."""

from typing import Any

from _native import fill, keep_focus, place

from frontend.app.api import client, connection, game_catalogue, local_gateway, session
from frontend.app.components import page_frame
from frontend.app.components.seat_pin import PinField, choose_pin
from frontend.app.components.toggle import switch
from frontend.app.core import match_ids
from frontend.app.core.dom import button, el, show, toast
from frontend.app.core.i18n import t
from frontend.app.core.problem import Problem
from frontend.app.core.types import Data, DomEvent, Node, Went
from frontend.app.pages.game_summary import about_game, rules_button
from frontend.app.pages.new_table import option_fields
from frontend.app.pages.new_table.option_files import from_anchor
from frontend.app.pages.new_table.preview import Preview
from frontend.app.pages.new_table.seat_fields import Seating
from frontend.app.pages.new_table.time_control_field import PaceField


class NewTablePage:
    """The page for opening a table."""

    def __init__(
        self, visit: Went, slug: str | None = None, again: Any = None, guest: Any = None
    ) -> None:
        self.visit = visit
        self.again = again
        self.guest = guest
        self.company: list[Data] = []
        self.slug = slug
        self.seating = Seating("", self._draw)
        self.pace = PaceField(self._draw)
        self.form = el("div", {})
        self.pin = PinField()
        self.sending = False
        self.here = bool(again) and match_ids.is_local_match(again)
        self.preview = Preview(self._chosen)
        page = el("main", {"class": "page"}, page_frame.top(t("Open a table")), self.form)
        show(page, self.preview.sheet.node)
        fill(self.form, el("div", {"class": "skeleton", "style": "min-height:50vh"}))
        game_catalogue.learn(lambda games: session.find(lambda: self._begin(games)))

    def _all_here(self) -> bool:
        """Whether no seat is open, so that everybody plays on this phone."""
        return all(seat["kind"] != "open" for seat in self.seating.asked(self.count))

    def _begin(self, games: list[Data]) -> None:
        """Draw the form, empty or prefilled like an earlier match."""
        self.here = self.here or not connection.there()

        def like(match: Data) -> None:
            self._lay(games)
            self._like(match)

        if self.again:
            client.get(f"/api/matches/{self.again}", like, lambda _problem: self._lay(games))
        else:
            self._lay(games)
        if session.me["known"] and not self.here:
            client.get("/api/players/me/people", self._known, lambda _problem: None)

    def _known(self, company: Data) -> None:
        """Offer to reserve seats for people this player has played with."""
        self.company = company["items"]
        if self.company:
            self.seating.know(self.company, self.guest)

    def _like(self, match: Data) -> None:
        """Prefill game, options, seats, visibility and pace from an earlier match.

        Players who used their own phone get an open seat, to be filled by a link.
        """
        self.slug = match["game"]
        self._use({**match["options"]})
        self.count = len(match["seats"])
        self.seating.like(match["seats"])
        self.public = match["visibility"] == "public"
        if "clock" in match:
            self.pace.like(match["clock"])
        self._draw()

    def close(self) -> None:
        """Do nothing: the page has nothing to clean up."""

    def _lay(self, games: list[Data]) -> None:
        self.games = {game["slug"]: game for game in games}
        slugs = [game["slug"] for game in games]
        if self.slug not in slugs:
            self.slug = slugs[0]
        self._use(from_anchor(place()[2], self.games[self.slug]))
        self.count = 0
        self.public = False
        self.seating = Seating(session.me["name"], self._draw)
        self.seating.know(self.company, self.guest)
        self.seating.round = self.here
        self._draw()

    def _draw(self) -> None:
        game = self.games[self.slug]
        if self.count not in game["seats"]:
            self.count = 2 if 2 in game["seats"] else game["seats"][0]
        parts = [*self._game(game), *self._players(game)]
        parts.extend(self.fields.nodes(self.count))
        if self._all_here():
            small = t("Without a network; the phone draws, and nobody else has proved its chance")
            parts.append(switch(t("On this phone only"), small, self.here, self._set_here))
        else:
            parts.extend(self.pace.nodes())
        if self.count > 1 and not self.seating.round:
            small = t("Anybody may sit down or watch")
            parts.append(switch(t("Public table"), small, self.public, self._set_public))
        if not self._all_here():
            parts.extend(self.pin.nodes())
        self.submit = button(t("Open the table"), self._open, "primary", style="width:100%")
        fill(self.form, el("div", {"class": "card"}, parts, self.preview.button(), self.submit))

    def _game(self, game: Data) -> list[Node]:
        """Return the choice of the game and its description."""
        about = [*about_game(game), rules_button(game["slug"])]
        if len(self.games) == 1:
            return about
        named = [(slug, each["title"], "") for slug, each in self.games.items()]
        return [option_fields.choices(t("Game"), named, self.slug, self._set_game), *about]

    def _players(self, game: Data) -> list[Node]:
        """Return the fields for the number of players, how they share phones, and who they are."""
        counts = [(n, str(n), t("alone") if n == 1 else "") for n in game["seats"]]
        parts = [option_fields.choices(t("Players"), counts, self.count, self._set_count)]
        if self.count > 1:
            ways = [
                ("apart", t("Each on their own phone"), t("you get a link and a QR code")),
                ("round", t("Pass one phone round"), t("all at this device")),
            ]
            way = "round" if self.seating.round else "apart"
            parts.append(option_fields.choices(t("How"), ways, way, self._set_way))
        return [*parts, self.seating.rows(self.count)]

    def _chosen(self) -> tuple[str, Data]:
        """Return the game and settings that a preview is requested for."""
        return str(self.slug), {"seats": self.count, "options": self.fields.value()}

    def _use(self, chosen: Data) -> None:
        """Start the option fields with the given values."""
        self.fields = option_fields.Fields(self.games[self.slug], chosen)

    def _set_game(self, slug: str) -> None:
        self.slug = slug
        self._use({})
        keep_focus(self._draw)

    def _set_count(self, count: int) -> None:
        self.count = int(count)
        keep_focus(self._draw)

    def _set_way(self, way: Any) -> None:
        self.seating.round = way == "round"
        keep_focus(self._draw)

    def _set_here(self, on: bool) -> None:
        self.here = on

    def _set_public(self, on: bool) -> None:
        self.public = on

    def _open(self, _event: DomEvent) -> None:
        if self.sending:
            return
        name = (self.seating.names.get(0) or "").strip()
        problem = self.fields.problem()
        if problem:
            toast(problem)
            return
        if not (self._all_here() or self.pin.is_good()):
            return
        self.sending = True
        self.submit.disabled = True
        if self.here and self._all_here():
            session.call_me(name)
            known = self.games[self.slug]["options"]
            local_gateway.ask(
                lambda house: house.open(self._wanted(), known, self._opened, self._failed)
            )
        else:
            session.become(name or session.GUEST, self._create, self._failed)

    def _create(self) -> None:
        client.send("/api/matches", self._wanted(), self._opened, self._failed)

    def _opened(self, match: Data) -> None:
        seats = [seat["seat"] for seat in match["seats"] if seat["you"]]
        pin = "" if self._all_here() else self.pin.value()
        choose_pin(match["id"], seats, pin, lambda: self.visit(f"/m/{match['id']}"))

    def _wanted(self) -> Data:
        """Return the request body that opens the table."""
        pace = None if self._all_here() else self.pace.value()
        return {
            **({"pace": pace} if pace else {}),
            "game": self.slug,
            "seats": self.seating.asked(self.count),
            "options": self.fields.value(),
            "visibility": "public" if self.public and not self.seating.round else "private",
        }

    def _failed(self, problem: Problem) -> None:
        self.sending = False
        self.submit.disabled = False
        toast(problem.detail)
