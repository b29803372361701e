"""The screen of Caravanserai: the hex board, the tray for building a move, and the reserves."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from _native import add_listener, explain

from domain.contract.game import AnyRules
from domain.games.caravanserai import rules
from frontend.app.components.zoom_view import ZoomView
from frontend.app.contract import game_screen
from frontend.app.contract.game_screen import ScreenHost, ViewModel
from frontend.app.core.dom import ARROW_KEYS, announce
from frontend.app.core.types import Command, Data, DomEvent, Event, View
from frontend.app.games.caravanserai import phrases
from frontend.app.games.caravanserai.board import HexBoard
from frontend.app.games.caravanserai.camera import PLACING_EVENTS, Camera
from frontend.app.games.caravanserai.i18n import t
from frontend.app.games.caravanserai.move_builder import MoveBuilder
from frontend.app.games.caravanserai.move_selection import MoveSelection
from frontend.app.games.caravanserai.own_row import OwnRow
from frontend.app.games.caravanserai.refusals import explain_cell
from frontend.app.games.caravanserai.reserve_table import ReserveTable

CELL_RADIUS = 30  # units from the centre of a cell to its corners
PIECE_MS = 300  # duration of each piece in another player's animated move
END_TEXTS = {
    "camels": t("result.end_camels"),
    "market": t("result.end_market"),
    "stuck": t("result.end_stuck"),
}
SOLO_END_TEXTS = {"market": t("result.end_market_solo"), "stuck": t("result.end_stuck_solo")}
PROMPTS = {"start": t("turn.start"), "place": t("turn.place"), "set": t("turn.set")}


class Screen(game_screen.Screen):
    """The screen of Caravanserai: the board, the tray below it and the table of reserves."""

    RULES = cast(AnyRules, rules)
    TURNS_ARE_PER_SEAT = True
    FRAME_DURATIONS_MS: Mapping[str, int] = {
        "CaravanStarted": PIECE_MS,
        "GoodReturned": PIECE_MS,
        "BlockLaid": PIECE_MS,
        "CamelLaidDown": PIECE_MS,
        "CamelPlaced": PIECE_MS,
        "GoodsTaken": PIECE_MS,
        "TailReturned": PIECE_MS,
        "GoodSetOnBoard": PIECE_MS,
        "TurnSkipped": 0,
    }

    def __init__(self, host: ScreenHost) -> None:
        super().__init__(host)
        self.stage = ZoomView(t("board.label"), self._tap_at)
        self.board = HexBoard(self.stage.svg)
        self.node = self.stage.node
        self.choosing = MoveSelection()
        self.tray = MoveBuilder(host, self.choosing, self._pick)
        self.reserves = ReserveTable(host)
        self.own = OwnRow(host)
        self.own_row = self.own.node
        self.panel = self.tray.node
        self.aside = self.reserves.node
        self.now: Any = None
        self.near: set[Any] = set()
        self.far: set[Any] = set()
        self.camera = Camera(self.stage, self.board, self._mark_targets)
        self.cursor: Any = None
        add_listener(self.stage.svg, "keydown", self._on_key)

    # -- drawing a moment ----------------------------------------------------------------------

    def announcement(self, view_model: ViewModel) -> str | None:
        """Return a sentence that the end is near, or None."""
        if view_model.view["final_round"]:
            return t("turn.final_round")
        left = view_model.view.get("rounds_left")
        if left is None:
            return None
        return t("turn.rounds_left", n=left)

    def prompt(self, view_model: ViewModel) -> str:
        """Return what the acting seat has to do, in a few words."""
        step = view_model.view["step"]
        if step == "take":
            return t("turn.take", colour=view_model.view["missing"])
        if step == "set" and view_model.view["to_set"] > 1:
            return t("turn.set_several", n=view_model.view["to_set"])
        return PROMPTS.get(step) or t("ended-market")

    @staticmethod
    def explain_rank(place: Data, match: Data) -> str:
        """Return the reason for a place: the caravan and the reserve, or the solo level."""
        detail = place["detail"]
        caravan = t("score.caravan", n=detail["length"])
        if detail.get("level"):
            return t("score.title", caravan=caravan, level=t(f"level-{detail['level']}"))
        return t("score.reserve", caravan=caravan, n=detail["reserve"])

    @staticmethod
    def explain_end(view: View) -> str:
        """Return which of the end conditions has ended the game."""
        reason = view["reason"]
        if reason == "unchanged":
            return t("result.end_unchanged", n=view["round_limit"])
        if view["solo"] and reason in SOLO_END_TEXTS:
            return SOLO_END_TEXTS[reason]
        return END_TEXTS.get(reason, "")

    def prepare(self, view_model: ViewModel) -> Iterator[None]:
        """Draw the background, the pieces and the reserves in steps, yielding after each."""
        view = view_model.view
        yield from self.board.draw_board_in_parts(view["cells"], view["tile_of"], view["names"])
        yield
        self.board.draw_standing_goods(view["standing"])
        yield
        self._draw_caravans(view_model)
        yield
        yield from self.reserves.draw_in_parts(view_model)
        yield
        self.stage.set_bounds(self.board.bounds)
        yield

    def draw(self, view_model: ViewModel) -> None:
        """Draw a moment; clear the choice if the state or the acting seat has changed."""
        before = self.now or view_model
        if view_model.state is not before.state or view_model.seat != before.seat:
            self.choosing.reset()
            self.cursor = None
        self.now = view_model
        view = view_model.view
        self.stage.set_bounds(self.board.draw_board(view["cells"], view["tile_of"], view["names"]))
        self.board.draw_standing_goods(view["standing"])
        self._draw_caravans(view_model)
        self._draw_marks(view_model)
        self._draw_moves()
        self.own.draw(view_model)
        self.reserves.draw(view_model)
        self.camera.frame(view_model, self.near, self.choosing.found)

    def _draw_caravans(self, now: ViewModel) -> None:
        view = now.view
        placement = view["placement"]
        pieces = [player["caravan"] for player in view["players"]]
        fresh = leaving = 0
        owner = None
        if placement is not None:
            owner = placement["seat"]
            fresh = len(placement["cells"])
            leaving = len(placement["gives_back"]) if fresh else 0
            if now.hidden_pieces:
                pieces[owner] = pieces[owner][: len(pieces[owner]) - now.hidden_pieces]
                fresh = max(0, fresh - now.hidden_pieces)
        self.board.draw_caravans(pieces, fresh, leaving, owner)

    # -- others' moves -------------------------------------------------------------------------

    def frame_count(self, event: Event) -> int:
        """Return the number of goods of a block, which appear one by one; 1 for other events."""
        return len(event["data"].get("path", (0,)))

    def describe_move(self, events: list[Event]) -> str:
        """Describe a turn in a sentence."""
        places = self.now.view["names"] if self.now else self.host.match.state.board.names
        return phrases.describe_turn(events, places, self.host.match.names[events[0]["seat"]])

    def summarise_move(self, events: list[Event]) -> str:
        """Describe a turn in a sentence without the cells, which the board outlines."""
        return phrases.summarise_turn(events, self.host.match.names[events[0]["seat"]])

    def _draw_marks(self, now: ViewModel) -> None:
        """Outline the cells of the marked move, with the seat's letter on the cells that end it."""
        outlined, lettered, left = [], set(), []
        for event in now.marks:
            data = event["data"]
            kind = event["type"]
            if kind == "TailReturned":
                left = [cell for cell, _ in data["back"]]
            cells = data.get("path", (data.get("cell"),))
            if kind == "BlockLaid" and event is now.marks[-1] and now.hidden_pieces:
                cells = cells[: len(cells) - now.hidden_pieces]
            if kind in PLACING_EVENTS:
                outlined.extend(cells)
            if kind in ("CaravanStarted", "CamelPlaced", "GoodSetOnBoard"):
                lettered.add(cells[-1])
        if not lettered and outlined:
            lettered.add(outlined[-1])
        seat = now.marks[0]["seat"] if now.marks else 0
        letter = self.host.match.letters[seat]
        self.board.mark_caravan(
            seat, letter, outlined, lettered, [c for c in left if c not in outlined]
        )

    # -- text ----------------------------------------------------------------------------------

    def describe_position(self, view_model: ViewModel) -> list[tuple[str, list[str]]]:
        """Describe the market, the caravans, the reserves, and the board row by row."""
        return phrases.describe_position(view_model.view, self.board.index, self.host.match.names)

    def highlight(self, command: Command | None) -> None:
        """Highlight the cells of a command and bring them into view; None clears the highlight."""
        path = getattr(command, "path", ())
        cells = [command.cell] if command is not None and hasattr(command, "cell") else [*path]
        self.board.highlight(cells)
        if cells:
            self.camera.show(cells)

    # -- legal moves ---------------------------------------------------------------------------

    def _draw_moves(self) -> None:
        now = self.now
        mine = now.seat is not None and now.live
        self.choosing.set_commands(now.choices if mine else ())
        self._mark_targets()
        self.tray.draw(now)

    def _mark_targets(self) -> None:
        """Mark the tap targets; later cells of a path are marked only if they are in view."""
        chosen = self.choosing
        self.near = chosen.next_cells()
        self.far = {
            cell for cell in chosen.further_cells() if self.stage.shows(self.board.at[cell], 26)
        }
        self.board.mark_legal(sorted(self.near), sorted(self.far), chosen.path, chosen.kind)
        self.board.mark_target(chosen.target)
        self.board.show_cursor(self.cursor)

    def _tap_targets(self) -> list[int]:
        return sorted(self.near | self.far | set(self.choosing.path))

    def _nearest(self, cells: Iterable[int], x: int, y: int, reach: int) -> int | None:
        """Return the cell nearest to a point, or None if none is less than ``reach`` away."""
        gaps = {}
        for cell in cells:
            cx, cy = self.board.at[cell]
            gaps[cell] = (cx - x) * (cx - x) + (cy - y) * (cy - y)
        nearest = min(gaps, key=lambda cell: gaps[cell], default=None)
        return None if nearest is None or gaps[nearest] >= reach * reach else nearest

    def _tap_at(self, x: int, y: int) -> None:
        width, _ = self.stage.size()
        reach = max(30, 26 * self.stage.camera[2] // width)
        cell = self._nearest(self._tap_targets(), x, y, reach)
        if cell is not None:
            self._tap(cell)
        else:
            self._explain_refusal(x, y)

    def _explain_refusal(self, x: int, y: int) -> None:
        """Explain why the tapped cell cannot be used; do nothing if no cell was tapped."""
        cell = self._nearest(range(len(self.board.at)), x, y, CELL_RADIUS)
        if self.now.view["step"] == "over" or cell is None:
            return
        idle = self.host.idle_reason(self.now)
        if idle:
            explain(idle)
        else:
            explain_cell(self.host, self.now, self.choosing, cell)

    def _tap(self, cell: Any) -> None:
        """Handle a tap on a cell: select it, and play the move if nothing else can be chosen.

        A single-cell move has to be confirmed with a button, because its targets are spread over
        the whole board and too small to be tapped reliably.
        """
        if cell in self.choosing.targets:
            self.choosing.target = cell
            self._draw_moves()
            announce(t("builder.cell_selected", names=self.now.view["names"][cell]))
        elif self.choosing.tap(cell):
            self._play_or_show_choice()

    def _pick(self, kind: str) -> None:
        """Select a kind without ever playing a move, even if the kind has only one possible cell.

        The user may only want to see where the camel can go.
        """
        self.choosing.pick(kind)
        self._show_choice()

    def _play_or_show_choice(self) -> None:
        """Play the only remaining move if cells are large enough; otherwise show the choice."""
        move = self.choosing.only_move()
        if move is not None and self._can_tap_cells():
            self.host.play(move[3])
        else:
            self._show_choice()

    def _show_choice(self) -> None:
        """Show the choice and the next tap targets."""
        self._draw_moves()
        self.camera.keep_in_sight(self.near)
        announce(t("builder.moves_possible", n=len(self.choosing.remaining_moves())))

    def _can_tap_cells(self) -> bool:
        """Return whether cells are large enough to be tapped reliably."""
        width, _ = self.stage.size()
        return 52 * width >= 44 * self.stage.target[2]

    def _on_key(self, event: DomEvent) -> None:
        """Move the cursor between tap targets with the arrow keys; Enter or Space taps.

        On a single-cell target, Enter or Space plays the move without confirmation.
        """
        cells = self._tap_targets()
        if not cells or self.now.seat is None:
            return
        if event.key in ("Enter", " ") and self.cursor in cells:
            event.preventDefault()
            if self.cursor in self.choosing.targets:
                self.host.play(self.choosing.targets[self.cursor])
            else:
                self._tap(self.cursor)
        elif event.key in ARROW_KEYS:
            event.preventDefault()
            event.stopPropagation()
            self._step_cursor(cells, *ARROW_KEYS[event.key])

    def _step_cursor(self, cells: list[int], dx: int, dy: int) -> None:
        """Move the cursor to the nearest of the cells in a direction, and announce it."""
        x, y = self.board.at[cells[0] if self.cursor is None else self.cursor]
        costs = {}
        for cell in cells:
            cx, cy = self.board.at[cell]
            ahead = (cx - x) * dx + (cy - y) * dy
            aside = abs((cx - x) * dy) + abs((cy - y) * dx)
            if ahead > 0 or self.cursor is None:
                costs[cell] = ahead + 2 * aside
        if costs:
            best = self.cursor = min(costs, key=lambda cell: costs[cell])
            self.board.show_cursor(best)
            name, colour = self.now.view["names"][best], self.now.view["cells"][best][2]
            sand = t("board.cell_sand", name=name)
            announce(t("board.cell_colour", name=name, colour=colour) if colour else sand)
