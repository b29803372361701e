"""The screen of Caravansérail: the trails map, and secret plans and trades under a cover.

Views and choices come from the service, so the browser never has more than the seat may see.
"""

from collections.abc import Mapping
from typing import Any

from _native import add_listener, explain, fill, local_time_after, patch

from domain.games.caravanserail.board import trail_of
from domain.games.caravanserail.picture import looters_by_trail
from domain.text.i18n import N_
from frontend.app.contract import game_screen
from frontend.app.contract.game_screen import ScreenHost, ViewModel
from frontend.app.core.dom import el, tone
from frontend.app.core.i18n import join_list, join_sentences
from frontend.app.core.types import Command, Data, Event, View
from frontend.app.games.caravanserail import caravan_moves, news
from frontend.app.games.caravanserail.action_panel import OPEN_COMMANDS, ActionPanel
from frontend.app.games.caravanserail.board import TrailsBoard
from frontend.app.games.caravanserail.i18n import t
from frontend.app.games.caravanserail.own_row import TreasureRow
from frontend.app.games.caravanserail.sheikhs import PlayerCards, name_of

PROMPTS = {
    "homes": t("prompt.homes"),
    "diplomacy": t("prompt.diplomacy"),
    "programme": t("prompt.programme"),
    "movement": t("prompt.movement"),
    "raid": t("prompt.raid"),
    "business": t("prompt.business"),
}
PHASES_OUTSIDE_TURNS = {
    "homes": t("phase.homes"),
    "diplomacy": t("picture.diplomacy"),
    "over": t("phase.over"),
}
PHASES_IN_TURN = {
    "programme": N_("turn.planning"),
    "movement": N_("turn.lodging"),
    "raid": N_("picture.raid"),
    "business": N_("picture.business"),
}
NEWS_EVENTS = (
    "CaravanUnloaded",
    "CaravanLodged",
    "TaxPaid",
    "LootersClashed",
    "RaidMissed",
    "RaidBegun",
    "CaravanSearched",
    "WaresLooted",
)
TRADE_ANSWERS = ("WaresExchanged", "OfferDeclined")
EVENTS_LEFT_OUT = ("ProgrammesRevealed", "CaravanUnloaded", "CaravanSearched")


class Screen(game_screen.Screen):
    """The screen of Caravansérail: the map, with the players and the action panel below."""

    RANKS_LOSERS = False
    FRAME_DURATIONS_MS: Mapping[str, int] = {
        "HomeChosen": 400,
        "ProgrammesRevealed": 900,
        "CaravansMoved": 500,
        "CaravanUnloaded": 0,
        "CaravanLodged": 0,
        "LootersClashed": 700,
        "RaidMissed": 700,
        "RaidBegun": 700,
        "CaravanSearched": 0,
        "WaresLooted": 500,
    }
    MAX_LISTED_CHOICES = 100  # drafts are listed; wares are picked from ranges

    def is_secret_command(self, command: Command) -> bool:
        """Return whether a command is secret; only `OPEN_COMMANDS` are not."""
        return command["type"] not in OPEN_COMMANDS

    def __init__(self, host: ScreenHost) -> None:
        super().__init__(host)
        self.now: Any = None
        self.map: Any = None
        self.scroller = el("div", {"class": "trails-scroll", "tabindex": "0", "role": "region"})
        self.sign = el("div", {"class": "board-sign"})
        self.node = el("div", {"class": "board-area"}, self.scroller, self.sign)
        self.sheikhs = PlayerCards(host)
        self.news = el("details", {"class": "news"})
        self.desk = ActionPanel(host, self._draw_map, self._scroll_to_plan, self._on_cover_toggle)
        self.treasure_row = TreasureRow(host)
        self.own_row = self.treasure_row.node
        self.panel = el("div", {"class": "caravanserail"}, self.desk.node, self.sheikhs.node)
        self.aside = self.news

    def prompt(self, view_model: ViewModel) -> str:
        """Return what the acting seat has to do, in a few words."""
        return PROMPTS[view_model.view["phase"]]

    # -- drawing a moment ----------------------------------------------------------------------

    @staticmethod
    def explain_rank(place: Data, match: Data) -> str:
        """Return how many goods of the card were gathered, unless an option keeps that secret.

        The winner's result is always public.
        """
        if place["rank"] > 1 and match["options"].get("keep_secrets"):
            return t("score.secret")
        return t("score.goods", score=place["score"], needed=place["detail"]["needed"])

    def draw(self, view_model: ViewModel) -> None:
        """Draw a moment."""
        self.now = view_model
        view = view_model.view
        if self.map is None:
            self.map = TrailsBoard(self._explain_missed_tap)
            self.map.draw_ground(view["board"])
            fill(self.scroller, self.map.svg)
            add_listener(self.scroller, "keydown", self.map.on_key)
            patch(self.scroller, {"aria-label": t("map.region")})
        self.desk.arrive(view_model)
        self._draw_sign(view_model)
        self.sheikhs.draw(view)
        self._draw_news(view_model)
        self.desk.draw(view_model)
        self.treasure_row.draw(view_model, self.desk.cover.open)
        self._draw_map()
        self.desk.handover.update(view_model, False)

    def _on_cover_toggle(self, is_open: bool) -> None:
        """Enlarge the panel while the cover is open, and redraw the map."""
        patch(self.panel, {"class": "caravanserail open" if is_open else "caravanserail"})
        if self.map is not None and self.now is not None:
            self._draw_map()
            self.treasure_row.draw(self.now, is_open)
            if is_open and self.desk.is_planning(self.now):
                self._scroll_to_plan()

    def _draw_sign(self, now: ViewModel) -> None:
        view = now.view
        if view["phase"] in PHASES_OUTSIDE_TURNS:
            text = PHASES_OUTSIDE_TURNS[view["phase"]]
        else:
            text = t(PHASES_IN_TURN[view["phase"]], turn=view["turn"])
        if view["phase"] == "business" and view["business_minutes"]:
            for event in reversed(self.host.match.events[: now.version]):
                if event["type"] == "BusinessBegun":
                    hour = local_time_after(event["at"], view["business_minutes"])
                    text = t("turn.business_until", turn=view["turn"], hour=hour)
                    break
        fill(self.sign, text)
        # The turn line says the same, and the sign would cover homes.
        self.sign.hidden = view["phase"] == "homes"

    def _draw_news(self, now: ViewModel) -> None:
        """List what happened since the caravans moved; hide the list if it is empty."""
        match = self.host.match
        found: list[Any] = []
        for event in reversed(match.events[: now.version]):
            if event["type"] in ("CaravansMoved", "TurnBegun"):
                break
            if event["type"] in NEWS_EVENTS and event["version"] not in match.undone_by:
                found.insert(0, event)
        lines = []
        for event in news.sort_for(found, match.active_seat):
            style = {"style": None if event["seat"] is None else tone(event["seat"])}
            text = news.event_text(self.host, event)
            lines.append(el("li", style, el("span", {"class": "dot"}), text))
        self.news.hidden = not lines
        summary = t("news.heading", n=len(lines))
        fill(self.news, el("summary", {}, summary), el("ul", {}, lines))

    def describe_position(self, view_model: ViewModel) -> list[Any]:
        """Describe the places with their owners and caravans, the trails, and the players."""
        view, names = view_model.view, self.host.match.names
        homes = {p["home"]: names[p["seat"]] for p in view["players"] if p["home"]}
        there: dict[str, list[str]] = {}
        for player in view["players"]:
            for number, caravan in enumerate(player["caravans"]):
                if caravan["at"]:
                    spot = trail_of(caravan["at"]) or caravan["at"]
                    text = _caravan(number + 1, names[player["seat"]], caravan["at"])
                    there.setdefault(spot, []).append(text)
        places, trails, rest = [], [], []
        for place in view["board"]["places"]:
            letter = place["letter"]
            text = _place(letter, place["name"], place["oasis"], homes.get(letter))
            places.append(_listed(text, there.get(letter)))
        for trail in view["board"]["trails"]:
            begin, end = self._name(trail[0]), self._name(trail[1])
            text = t("position.trail", trail=trail, begin=begin, end=end)
            trails.append(_listed(text, there.get(trail)))
        for p in view["players"]:
            state = self.sheikhs.state(view, p)
            rest.append(_sheikh(names[p["seat"]], state, p["looters"] == "down"))
        headings = (t("position.places"), t("position.trails"), t("position.sheikhs"))
        return [*zip(headings, (places, trails, rest), strict=True)]

    # -- moves of all seats --------------------------------------------------------------------

    def move_of(self, event: Event) -> tuple[Any, ...] | None:
        """Return ``(seat, turn)`` for an animated event, otherwise None.

        The seat is None except when a home is chosen, because all caravans move at once. Against
        bots an answer to the seat's offer is a move as well, so that the strip shows it; on a
        shared table that would reveal who trades with whom.
        """
        if event["type"] in TRADE_ANSWERS and self.host.match.is_against_bots:
            return (event["seat"], event["turn"]) if event["seat"] is not None else None
        if event["type"] not in self.FRAME_DURATIONS_MS:
            return None
        return (event["seat"] if event["type"] == "HomeChosen" else None, event["turn"])

    def describe_move(self, events: list[Event]) -> str:
        """Describe the caravans' moves, then the other events of a move, in sentences."""
        moved = [event for event in events if event["type"] == "CaravansMoved"]
        parts = self._event_texts(events)
        for event in moved:
            parts.insert(0, caravan_moves.describe_moves(self.host.match, event))
        return join_sentences(parts)

    def summarise_move(self, events: list[Event]) -> str:
        """Describe a move without the caravans' routes, which the map marks.

        What concerns the reader comes first.
        """
        seat = self.host.match.active_seat
        ordered = news.sort_for(events, seat)
        parts = self._event_texts(ordered)
        moved = any(event["type"] == "CaravansMoved" for event in events)
        if moved and (not ordered or news.rank_event(ordered[0], seat) == news.OTHER):
            parts.insert(0, t("moved"))
        return join_sentences(parts)

    def _event_texts(self, events: list[Event]) -> list[str]:
        left_out = ("CaravansMoved", *EVENTS_LEFT_OUT)
        return [news.event_text(self.host, e) for e in events if e["type"] not in left_out]

    # -- the map -------------------------------------------------------------------------------

    def _explain_missed_tap(self, position: str) -> None:
        """Explain why nothing can be chosen at a position."""
        text = self.host.idle_reason(self.now) or self.desk.refusal_at(self.now, position)
        if text:
            explain(text)

    def _draw_map(self) -> None:
        now, view = self.now, self.now.view
        seat = self.host.match.active_seat
        players = view["players"]
        self.map.draw_homes({p["home"]: p["seat"] for p in players if p["home"]})
        where = self._caravan_positions(now)
        self.map.place_caravans(where, seat)
        self.map.bands(self._raids(now) or looters_by_trail(view))
        self.map.set_targets(self.desk.targets(now), self.desk.home)
        planning = self.desk.cover.open and view["phase"] == "programme" and seat is not None
        orders, looters = self._planned_arrows(players[seat]) if planning else ((), "")
        self.map.journeys(seat or 0, orders, looters)
        self.map.traces([] if planning else self._traces(now))
        patch(self.map.svg, {"aria-label": self._map_text(view)})

    def _caravan_positions(self, now: ViewModel) -> dict[Any, Any]:
        """Return ``{(seat, caravan): position}`` at this moment or at the animation frame."""
        if now.frame is not None:
            rows = caravan_moves.positions_at(self.host.match, now.frame[0])
            found = {(seat, n): at for seat, row in enumerate(rows) for n, at in enumerate(row)}
            return {caravan: at for caravan, at in found.items() if at is not None}
        players = now.view["players"]
        return {
            (p["seat"], n): caravan["at"]
            for p in players
            for n, caravan in enumerate(p["caravans"])
        }

    def _traces(self, now: ViewModel) -> list[Any]:
        """Return the caravan moves to mark, as ``(seat, caravan, from, to)``.

        If the latest marked event reveals the plans, these are the revealed orders.
        """
        match = self.host.match
        found: list[Any] = []
        for event in now.marks:
            if event["type"] == "ProgrammesRevealed" and event is now.marks[-1]:
                places = caravan_moves.positions_at(match, event["version"])
                for seat, orders in enumerate(event["data"]["orders"]):
                    found.extend([(seat, n, places[seat][n], to) for n, to in enumerate(orders)])
            elif event["type"] == "CaravansMoved":
                for seat, journeys in enumerate(caravan_moves.moves_by_seat(match, event)):
                    found.extend([(seat, n, begin, to) for n, (begin, to) in journeys])
        return [journey for journey in found if journey[2] != journey[3]]

    def _raids(self, now: ViewModel) -> list[Any]:
        """Return the looters ``(seat, trail)`` revealed in the marked move."""
        for event in now.marks:
            if event["type"] == "ProgrammesRevealed":
                looters = event["data"]["looters"]
                return [(seat, trail) for seat, trail in enumerate(looters) if trail]
        return []

    def _scroll_to_plan(self) -> None:
        """Scroll the map to the position that is being planned."""
        self.map.scroll_to(self.scroller, self.desk.planner.focus())

    def _planned_arrows(self, player: Data) -> tuple[Any, ...]:
        """Return the orders, ``(caravan, from, to)``, and the looters' trail or "".

        They are those of the draft while the seat is planning, otherwise those sent so far.
        """
        orders, looters = player["programme"]["orders"], player["programme"]["looters"] or ""
        if self.desk.is_planning(self.now):
            orders, looters = self.desk.planner.plan.orders, self.desk.planner.plan.looters
        return [(n, player["caravans"][n]["at"], to) for n, to in enumerate(orders)], looters

    def _map_text(self, view: View) -> str:
        """Return a description of homes and caravans as the accessible name of the map."""
        names = self.host.match.names
        parts = [t("map.heading")]
        for player in view["players"]:
            if player["home"]:
                places = join_list([self._where(caravan["at"]) for caravan in player["caravans"]])
                owner, home = names[player["seat"]], self._name(player["home"])
                parts.append(t("map.player", caravans=places, names=owner, name=home))
        return join_sentences(parts)

    def _name(self, letter: str) -> str:
        return name_of(self.now.view, letter)

    def _where(self, position: Any) -> str:
        if len(position) == 1:
            return t("map.at", place=self._name(position))
        return t("map.between", name=self._name(position[0]), name2=self._name(position[1]))


def _caravan(number: int, name: str, at: str) -> str:
    """Describe a caravan, with its destination if it is on a trail."""
    if len(at) == 2:
        return t("position.caravan_towards", number=number, name=name, at=at[1])
    return t("position.caravan", number=number, name=name)


def _place(letter: str, name: str, oasis: bool, owner: str | None) -> str:
    """Describe a place and whose home it is."""
    if oasis:
        return t("position.oasis", letter=letter, name=name)
    if owner is None:
        return t("position.free", letter=letter, name=name)
    return t("position.home", letter=letter, name=name, owner=owner)


def _sheikh(name: str, state: str, looters_rest: bool) -> str:
    state = state or t("state.waits")
    if looters_rest:
        return t("position.state_resting", name=name, state=state)
    return t("position.state", name=name, state=state)


def _listed(place: str, caravans: Any) -> str:
    return t("position.there", place=place, caravans=join_list(caravans)) if caravans else place
