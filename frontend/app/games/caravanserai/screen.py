"""Screen of Caravanserai: the hex board, the block being laid, the reserves and the moves."""

from collections.abc import Iterator
from typing import Any, cast

from _native import explain, listen

from domain.contract.game import AnyRules
from domain.games.caravanserai import rules
from domain.text.i18n import format_message
from frontend.app.components.zoom_view import Stage
from frontend.app.contract import game_screen
from frontend.app.contract.game_screen import Host, Now
from frontend.app.core.dom import announce
from frontend.app.core.i18n import LANGUAGE
from frontend.app.core.types import Box, Command, Data, DomEvent, Event
from frontend.app.games.caravanserai import phrases
from frontend.app.games.caravanserai.board import HexBoard
from frontend.app.games.caravanserai.camera import Camera
from frontend.app.games.caravanserai.i18n import t, tn
from frontend.app.games.caravanserai.move_builder import Tray
from frontend.app.games.caravanserai.move_selection import Choosing
from frontend.app.games.caravanserai.refusals import why_cell
from frontend.app.games.caravanserai.reserve_table import Reserves

TEXT = rules.TEXT
BOARD_LABEL = t("The board. Arrow keys go to the cells that can be tapped, Enter taps.")
CELL = 30  # units from the centre of a cell to its corners
STEP = 300  # milliseconds for each piece of another player's move
SHOWN = {
    "CaravanStarted",
    "GoodReturned",
    "BlockLaid",
    "CamelLaidDown",
    "CamelPlaced",
    "GoodsTaken",
    "TailReturned",
    "GoodSetOnBoard",
}
LAID = ("CaravanStarted", "BlockLaid", "CamelLaidDown", "CamelPlaced", "GoodSetOnBoard")
PROMPTS = {
    "start": t("choose a start"),
    "place": t("lay a block or the camel"),
    "set": t("set a good on the board"),
}


class Screen(game_screen.Screen):
    """The board, the tray below it, the reserves beside it."""

    RULES = cast(AnyRules, rules)

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.stage = Stage(BOARD_LABEL, self._tap_at)
        self.board = HexBoard(self.stage.svg)
        self.node = self.stage.node
        self.tray = Tray(host, self._pick)
        self.reserves = Reserves(host)
        self.panel = self.tray.node
        self.aside = self.reserves.node
        self.now: Any = None
        self.choosing = Choosing()
        self.near: set[Any] = set()
        self.far: set[Any] = set()
        self.camera = Camera(self.stage, self.board, self._mark)
        self.cursor: Any = None
        listen(self.stage.svg, "keydown", self._key)

    @staticmethod
    def turns_in_round(seats: int) -> int:
        """Return the number of seats: a round is one turn of each."""
        return seats

    # -- drawing a moment ----------------------------------------------------------------------

    def notice(self, now: Now) -> str | None:
        """Return the notice that the end is near."""
        if now.view["final_round"]:
            return t("The final round: everybody plays once more.")
        left = now.view.get("rounds_left")
        if left is None:
            return None
        return tn(
            "The game ends in {n} round unless the market changes.",
            "The game ends in {n} rounds unless the market changes.",
            n=left,
        )

    def prompt(self, now: Now) -> str:
        """Return what the seat to act has to do, in a few words."""
        step = now.view["step"]
        if step == "take":
            return t("who gives a {colour:colour} good?", colour=now.view["missing"])
        if step == "set" and now.view["to_set"] > 1:
            return tn(
                "set {n} good on the board", "set {n} goods on the board", n=now.view["to_set"]
            )
        return PROMPTS.get(step) or t("The game is over")

    def label(self, command: Command, now: Now) -> str:
        """Return a choice in words."""
        assert now.seat is not None, "only who is to act has choices"
        label = rules.label(now.state, now.seat, command)
        return format_message(TEXT, label.key, label.args, self.host.names(), LANGUAGE, "caravanserai")

    @staticmethod
    def merit(place: Data, match: Data) -> str:
        """Return the reason for a place: the longest caravan, then the fuller reserve."""
        return phrases.merit(place)

    def prepare(self, now: Now) -> Iterator[None]:
        """Draw the ground, the pieces and the reserves in pieces of work."""
        view = now.view
        yield from self.board.laying(view["cells"], view["tile_of"], view["names"])
        yield
        self.board.stand(view["standing"])
        yield
        self._draw_caravans(now)
        yield
        yield from self.reserves.drawing(now)
        yield
        self._see_all(self.board.bounds)
        yield

    def _see_all(self, bounds: Box) -> None:
        """Show the whole board if its bounds have changed."""
        if bounds != self.stage.bounds:
            self.stage.span(bounds)
            self.stage.look(bounds, glide=False)

    def draw(self, now: Now) -> None:
        """Show a moment, resetting the choice if it is another one."""
        if self.now is None or now.state is not self.now.state or now.seat != self.now.seat:
            self.choosing.forget()
            self.cursor = None
        self.now = now
        view = now.view
        self._see_all(self.board.lay(view["cells"], view["tile_of"], view["names"]))
        self.board.stand(view["standing"])
        self._draw_caravans(now)
        self._draw_marks(now)
        self._draw_moves()
        self.reserves.draw(now)
        self.camera.frame(now, self.near, self.choosing.found)

    def _draw_caravans(self, now: Now) -> None:
        view = now.view
        placement = view["placement"]
        pieces = [player["caravan"] for player in view["players"]]
        fresh = leaving = 0
        owner = None
        if placement is not None:
            owner = placement["seat"]
            fresh = len(placement["cells"])
            leaving = len(placement["gives_back"]) if fresh else 0
            if now.hide:
                pieces[owner] = pieces[owner][: len(pieces[owner]) - now.hide]
                fresh = max(0, fresh - now.hide)
        self.board.caravans(pieces, fresh, leaving, owner)

    # -- others' moves -------------------------------------------------------------------------

    def deed(self, event: Event) -> tuple[Any, ...] | None:
        """Return the turn of a seat, for events seen on the board."""
        return (event["seat"], event["turn"]) if event["type"] in SHOWN else None

    def pieces(self, event: Event) -> int:
        """Return the number of goods of a block, which are laid one by one."""
        return len(event["data"].get("path", (0,)))

    def paces(self, event: Event) -> list[int]:
        """Return the time of each piece."""
        return [STEP] * self.pieces(event)

    def said(self, events: list[Event]) -> str:
        """Return a turn in a sentence."""
        places = self.now.view["names"] if self.now else self.host.match.state.board.names
        return phrases.told(events, places, self.host.names()[events[0]["seat"]])

    def _draw_marks(self, now: Now) -> None:
        """Outline the cells of the marked move, with the seat's letter where a stretch ends."""
        outlined, lettered, left = [], set(), []
        for event in now.marks:
            data = event["data"]
            kind = event["type"]
            if kind == "TailReturned":
                left = [cell for cell, _ in data["back"]]
            cells = data.get("path", (data.get("cell"),))
            if kind == "BlockLaid" and event is now.marks[-1] and now.hide:
                cells = cells[: len(cells) - now.hide]
            if kind in LAID:
                outlined.extend(cells)
            if kind in ("CaravanStarted", "CamelPlaced", "GoodSetOnBoard"):
                lettered.add(cells[-1])
        if not lettered and outlined:
            lettered.add(outlined[-1])
        seat = now.marks[0]["seat"] if now.marks else 0
        letter = self.host.match.letters[seat]
        self.board.mark(seat, letter, outlined, lettered, [c for c in left if c not in outlined])

    # -- text ----------------------------------------------------------------------------------

    def read(self, now: Now) -> list[tuple[str, list[str]]]:
        """Return the position in words: market, caravans, reserves, and the board row by row."""
        return phrases.position(now.view, self.board.index, self.host.names())

    def light(self, command: Command | None) -> None:
        """Highlight the cells that a choice of the list is about."""
        path = getattr(command, "path", ())
        cells = [command.cell] if command is not None and hasattr(command, "cell") else [*path]
        self.board.light(cells)
        if cells:
            self.camera.show(cells)

    # -- legal moves ---------------------------------------------------------------------------

    def _draw_moves(self) -> None:
        now = self.now
        mine = now.seat is not None and now.live
        self.choosing.offer(now.choices if mine else ())
        self._mark()
        self.tray.draw(now, self.choosing)

    def _mark(self) -> None:
        """Mark what can be tapped; of the cells further on, only those in view."""
        chosen = self.choosing
        self.near = chosen.near()
        self.far = {cell for cell in chosen.far() if self.stage.shows(self.board.at[cell], 26)}
        self.board.legal(sorted(self.near), sorted(self.far), chosen.path, chosen.kind)
        self.board.aim(chosen.target)
        self.board.cursor(self.cursor)

    def _tap_at(self, x: int, y: int) -> None:
        wanted = self.near | self.far | set(self.choosing.path)
        width, _ = self.stage.shape()
        reach = max(30, 26 * self.stage.camera[2] // width)
        best, distance = None, reach * reach
        for cell in wanted:
            cx, cy = self.board.at[cell]
            gap = (cx - x) * (cx - x) + (cy - y) * (cy - y)
            if gap < distance:
                best, distance = cell, gap
        if best is not None:
            self._tap(best)
        else:
            self._why(x, y)

    def _why(self, x: int, y: int) -> None:
        """Explain why nothing can be done on the tapped cell."""
        gaps = [(cx - x) ** 2 + (cy - y) ** 2 for cx, cy in self.board.at]
        nearest = min(range(len(gaps)), key=lambda cell: gaps[cell])
        if self.now.view["step"] == "over" or gaps[nearest] >= CELL * CELL:
            return
        idle = self.host.idle(self.now)
        if idle:
            explain(idle)
        else:
            why_cell(self.host, self.now.state, self.now.view["step"], self.choosing, nearest)

    def _tap(self, cell: Any) -> None:
        """Choose a cell.

        A move of a single cell is confirmed by a button: such cells are all over the board, too
        small to be tapped reliably.
        """
        if cell in self.choosing.targets:
            self.choosing.target = cell
            self._draw_moves()
            announce(t("{names} is chosen, not yet confirmed", names=self.now.view["names"][cell]))
        elif self.choosing.tap(cell):
            self._chosen()

    def _pick(self, kind: str) -> None:
        """Choose a kind; that alone never lays it, even if it has only one place.

        A player who looks where the camel may go has not placed it yet.
        """
        self.choosing.pick(kind)
        self._show_choice()

    def _chosen(self) -> None:
        """Play the only move that is left, or show what can be chosen next."""
        move = self.choosing.settled()
        if move is not None and self._sure():
            self.host.play(move[3])
        else:
            self._show_choice()

    def _show_choice(self) -> None:
        """Show what is chosen, and what can be chosen next."""
        self._draw_moves()
        self.camera.keep_in_sight(self.near)
        announce(tn("{n} move is possible", "{n} moves are possible", n=len(self.choosing.left())))

    def _sure(self) -> bool:
        """Whether cells are large enough to be tapped reliably."""
        width, _ = self.stage.shape()
        return 52 * width >= 44 * self.stage.target[2]

    def _key(self, event: DomEvent) -> None:
        """Move the cursor among the cells that can be tapped with the arrow keys; Enter taps."""
        ways = {"ArrowRight": (1, 0), "ArrowLeft": (-1, 0), "ArrowDown": (0, 1), "ArrowUp": (0, -1)}
        cells = sorted(self.near | self.far | set(self.choosing.path))
        if not cells or self.now.seat is None:
            return
        if event.key in ("Enter", " ") and self.cursor in cells:
            event.preventDefault()
            if self.cursor in self.choosing.targets:
                self.host.play(self.choosing.targets[self.cursor])
            else:
                self._tap(self.cursor)
        elif event.key in ways:
            event.preventDefault()
            event.stopPropagation()
            dx, dy = ways[event.key]
            x, y = self.board.at[cells[0] if self.cursor is None else self.cursor]
            best, cost = None, None
            for cell in cells:
                cx, cy = self.board.at[cell]
                ahead = (cx - x) * dx + (cy - y) * dy
                aside = abs((cx - x) * dy) + abs((cy - y) * dx)
                if (ahead > 0 or self.cursor is None) and (
                    cost is None or ahead + 2 * aside < cost
                ):
                    best, cost = cell, ahead + 2 * aside
            if best is not None:
                self.cursor = best
                self.board.cursor(best)
                name, colour = self.now.view["names"][best], self.now.view["cells"][best][2]
                announce(
                    t("{name}, {colour:colour}", name=name, colour=colour)
                    if colour
                    else t("{name}, sand", name=name)
                )
