"""The screen of Caravan Conquest: the map of tiles, the action panel and the ledger."""

from collections.abc import Mapping
from typing import Any, cast

from _native import add_listener, explain
from msgspec import Struct

from domain.contract.game import AnyRules
from domain.games.conquest import rules
from domain.games.conquest.commands import Move
from domain.games.conquest.move_preview import ends_at, reachable_paths
from domain.games.conquest.state import EXTRA, MOVE
from frontend.app.components.own_row import OwnRow
from frontend.app.components.zoom_view import ZoomView
from frontend.app.contract import game_screen
from frontend.app.contract.game_screen import ScreenHost, ViewModel
from frontend.app.core.dom import ARROW_KEYS, announce, el
from frontend.app.core.i18n import join_sentences
from frontend.app.core.types import Command, Data, DomEvent, Event, View
from frontend.app.games.conquest import phrases
from frontend.app.games.conquest.action_panel import ActionPanel
from frontend.app.games.conquest.board import MapBoard, Place
from frontend.app.games.conquest.camera import Camera
from frontend.app.games.conquest.encounters import missed_turn_card, resting_card
from frontend.app.games.conquest.i18n import t
from frontend.app.games.conquest.legend import legend, own_facts
from frontend.app.games.conquest.player_cards import PlayerCards

PROMPTS = {
    "oasis": t("turn.oasis"),
    "fortune": t("turn.fortune"),
    "card": t("turn.card"),
    "extra": t("turn.extra"),
    "camp": t("turn.camp"),
    "city": t("turn.city"),
    "over": t("turn.over"),
}


class ChosenTile(Struct, frozen=True):
    """The selected tile of the map.

    ``cell``: its index; ``moves``: the moves that lead to it, empty if out of reach; ``here``:
    whether the acting seat's caravan is on it.
    """

    cell: int
    moves: tuple[Move, ...]
    here: bool


class Screen(game_screen.Screen):
    """The screen of Caravan Conquest: the map, the action panel below it and the ledger."""

    RULES = cast(AnyRules, rules)
    TURNS_ARE_PER_SEAT = True
    FRAME_DURATIONS_MS: Mapping[str, int] = {
        "CaravanMoved": 320,
        "TreasureTaken": 400,
        "Gained": 0,
        "EncounterDrawn": 1200,
        "Lost": 0,
        "Bartered": 0,
        "KeptCardSpent": 0,
        "RestImposed": 0,
        "Sold": 300,
        "Bought": 300,
        "Refitted": 500,
        "LoadDropped": 300,
        "FinishReached": 900,
        "TurnMissed": 500,
        "CaravanStayed": 300,
    }

    def __init__(self, host: ScreenHost) -> None:
        super().__init__(host)
        self.stage = ZoomView(t("panel.map_label"), self._tap_at)
        self.board = MapBoard(self.stage.svg)
        self.camera = Camera(self.stage)
        self.node = self.stage.node
        self.desk = ActionPanel(host, self.label)
        self.ledger = PlayerCards(host)
        self.panel = self.desk.node
        self.own = OwnRow(host, legend)
        self.own_row = self.own.node
        self.aside = el("div", {"class": "ledger"}, self.ledger.node, self.own.legend_button)
        self.now: Any = None
        self.chosen: Place | None = None
        self.at_key: Place | None = None
        self.paths: dict[Place, tuple[Move, ...]] = {}
        add_listener(self.stage.svg, "keydown", self._on_key)

    @staticmethod
    def explain_rank(place: Data, match: Data) -> str:
        """Return the reason for a place: the wealth and the round of arrival at the finish."""
        detail = place["detail"]
        if not detail["finished"]:
            return t("score.not_finished")
        return t("score.finished", score=place["score"], finished=detail["finished"])

    @staticmethod
    def explain_end(view: View) -> str:
        """Return whether all caravans arrived, the countdown ended, or nobody arrived."""
        if view["first_finish"] is None:
            return t("result.end_no_arrival", n=view["patience"])
        if None not in [player["finished"] for player in view["players"]]:
            return t("result.end_all_arrived")
        return t("result.end_countdown", n=view["last_round"] - view["first_finish"])

    def prompt(self, view_model: ViewModel) -> str:
        """Return what the acting seat has to do, in a few words."""
        step = view_model.view["step"]
        if step == MOVE and not view_model.state.speed:
            return t("turn.too_heavy")
        if step == MOVE:
            left = view_model.view["steps_left"]
            return t("turn.move", n=left)
        return PROMPTS.get(step) or ""

    def announcement(self, view_model: ViewModel) -> str | None:
        """Return a sentence about falling prices and the last round, or None.

        None until a caravan reaches the finish.
        """
        view = view_model.view
        if not view["first_finish"]:
            return None
        return t("turn.prices_fall", last=view["last_round"], **view["prices"])

    # -- drawing a moment ----------------------------------------------------------------------

    def draw(self, view_model: ViewModel) -> None:
        """Draw a moment; deselect the tile if the state or the acting seat has changed."""
        before = self.now or view_model
        if view_model.state is not before.state or view_model.seat != before.seat:
            self.chosen = None
        self.now = view_model
        self.board.draw_ground(view_model.view["map"]["rows"])
        self.stage.set_bounds(self.board.bounds)
        self.board.put(view_model.view, self.host.match.letters)
        self._draw_trace(view_model)
        self._draw_choice()
        self.ledger.draw(view_model)
        seat = self.own.seat(view_model)
        self.own.draw(seat, [] if seat is None else own_facts(view_model, seat))
        self.camera.frame(view_model, self.paths)

    def _draw_choice(self) -> None:
        """Draw the tiles in reach, the selected tile, the cursor and the action panel."""
        now = self.now
        mine = now.seat is not None and now.live and now.state.step in (MOVE, EXTRA)
        self.paths = {}
        left: dict[Place, int | None] = {}
        if mine:
            steps = 1 if now.state.step == EXTRA else now.view["steps_left"]
            for cell, path in reachable_paths(now.state).items():
                place = path[-1].to
                self.paths[place] = path
                left[place] = steps - len(path) if ends_at(now.state, cell) else None
        self.board.reach(left)
        path = self.paths.get(self.chosen, ()) if self.chosen else ()
        stops = [tuple(now.view["players"][now.seat]["at"])] if path else []
        self.board.target(self.chosen, [*stops, *[move.to for move in path]])
        self.board.cursor(self.at_key)
        self.desk.draw(now, self._looked_at())

    def _looked_at(self) -> ChosenTile | None:
        if self.chosen is None:
            return None
        row, column = self.chosen
        seat = self.now.seat
        here = seat is not None and tuple(self.now.view["players"][seat]["at"]) == self.chosen
        cell = row * self.now.state.stride + column
        return ChosenTile(cell, self.paths.get(self.chosen, ()), here)

    # -- others' moves -------------------------------------------------------------------------

    def describe_move(self, events: list[Event]) -> str:
        """Describe a turn in a few sentences."""
        return phrases.describe_turn(events)

    def summarise_move(self, events: list[Event]) -> str:
        """Leave out where the caravan went, which the map shows, if anything else happened.

        A turn that the reader has missed since their last action comes first.
        """
        missed = missed_turn_card(self.host)
        text = t("strip.missed", card=phrases.card_name(missed)) if missed else ""
        return join_sentences([text, phrases.summarise_turn(events)])

    def log_text(self, event: Event) -> str:
        """Name the card because of which a turn is missed."""
        missed = event["type"] == "TurnMissed"
        card = resting_card(self.host, event["version"]) if missed else ""
        if not card:
            return super().log_text(event)
        name = phrases.card_name(card)
        if "own" in event:
            return t("strip.missed", card=name)
        return t("log.missed", name=self.host.match.names[event["seat"]], card=name)

    def _draw_trace(self, now: ViewModel) -> None:
        """Draw the route of the marked move, or none if it contains no caravan move."""
        moved = [event for event in now.marks if event["type"] == "CaravanMoved"]
        if not moved:
            self.board.trace(0, ())
            return
        version = moved[0]["version"] - 1
        seat = moved[0]["seat"]
        before = self.host.match.state_at(version)
        player = before.players[seat]
        begin = divmod(player.at, before.stride)
        self.board.trace(seat, (begin, *[tuple(event["data"]["to"]) for event in moved]))

    # -- text ----------------------------------------------------------------------------------

    def describe_position(self, view_model: ViewModel) -> list[tuple[str, list[str]]]:
        """Describe the market, the players, the treasure and the map (row by row)."""
        return phrases.describe_position(view_model.view, self.host.match.names)

    def highlight(self, command: Command | None) -> None:
        """Highlight the destination of a move and bring it into view.

        Any other command, or None, clears the highlight.
        """
        places = [command.to] if isinstance(command, Move) else []
        self.board.light(places)
        if places:
            self.camera.keep_in_sight(places)

    # -- pointer and keyboard input ------------------------------------------------------------

    def _tap_at(self, x: int, y: int) -> None:
        """Select the tapped tile, or deselect it if it is selected."""
        place = self.board.place_at(x, y)
        self.at_key = None
        self._choose(None if place == self.chosen else place)

    def _choose(self, place: Place | None) -> None:
        self.chosen = place
        self._draw_choice()
        if place is not None:
            announce(self._tile_text(place))
            self._explain_unreachable(place)

    def _explain_unreachable(self, place: Place) -> None:
        """Explain why the seat cannot go to a tile, if that is so."""
        now = self.now
        idle = self.host.idle_reason(now)
        if idle:
            explain(idle)
        if now.live and now.seat is not None and now.state.step in (MOVE, EXTRA):
            here = tuple(now.view["players"][now.seat]["at"])
            if place not in self.paths and place != here:
                self.host.show_refusal(Move(place))

    def _tile_text(self, place: Place) -> str:
        """Return a tile's name, place and distance for screen readers."""
        row, column = place
        letter = self.now.view["tiles"][row][column]
        where = t(
            "tile.with_place", tile=phrases.tile_name(letter), place=phrases.place_name(*place)
        )
        path = self.paths.get(place)
        if path is None:
            return where
        return t("tile.distance", where=where, n=len(path))

    def _on_key(self, event: DomEvent) -> None:
        """Handle a key: arrows move the cursor, Enter or Space selects a tile, then goes there.

        Escape deselects the tile.
        """
        if event.key in ARROW_KEYS:
            event.preventDefault()
            event.stopPropagation()
            self._step_cursor(*ARROW_KEYS[event.key])
        elif event.key in ("Enter", " ") and self.at_key is not None:
            event.preventDefault()
            if self.chosen == self.at_key and self.at_key in self.paths:
                self.desk.commit(*self.paths[self.at_key])
            else:
                self._choose(self.at_key)
        elif event.key == "Escape" and self.chosen is not None:
            self._choose(None)

    def _step_cursor(self, right: int, down: int) -> None:
        rows = self.now.view["tiles"]
        if self.at_key is None:
            seat = self.now.seat
            start = self.now.view["map"]["start"]
            row, column = start if seat is None else self.now.view["players"][seat]["at"]
        else:
            row, column = self.at_key
        row = max(0, min(len(rows) - 1, row + down))
        column = max(0, min(len(rows[0]) - 1, column + right))
        self.at_key = (row, column)
        self.board.cursor(self.at_key)
        self.camera.keep_in_sight([self.at_key])
        announce(self._tile_text(self.at_key))
