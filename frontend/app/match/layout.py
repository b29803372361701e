"""The layout of the match page: the turn line, the board, the dock and the sheets."""

from typing import Any, Protocol

from _native import guides, listen, matches, scroll_up, title

from frontend.app.components.move_groups import MoveGroup
from frontend.app.components.secret_cover import guard_moves
from frontend.app.components.sheet import Sheet
from frontend.app.contract.context import LayoutHost
from frontend.app.contract.game_screen import Now
from frontend.app.core import match_ids
from frontend.app.core.dom import bar, button, by_id, el, fill, listed, patch, picture
from frontend.app.core.i18n import both, t
from frontend.app.core.types import Choice, Data, DomEvent, Node
from frontend.app.match.catch_up import CatchUp
from frontend.app.match.chat import Talk
from frontend.app.match.clock_panel import Clocks
from frontend.app.match.confirm_move import Sure
from frontend.app.match.fork import Forking, fork_button
from frontend.app.match.free_seats import FreeSeats
from frontend.app.match.hints import Hints
from frontend.app.match.log import Log
from frontend.app.match.lost_seat import LostSeat
from frontend.app.match.move_queue import Sending
from frontend.app.match.next_table import NextTable
from frontend.app.match.notification_offer import Bell
from frontend.app.match.plan_panel import Plans
from frontend.app.match.playback import Playback
from frontend.app.match.presence import Presence
from frontend.app.match.private_note import PrivateNote
from frontend.app.match.recovery_banner import RecoveryBanner
from frontend.app.match.rematch import Rematch
from frontend.app.match.replay_controls import History
from frontend.app.match.result import Result
from frontend.app.match.rules_sheet import GuideSheet
from frontend.app.match.screen_reader_view import Reading
from frontend.app.match.table_menu import TableWays
from frontend.app.match.undo import GoingBack

UNSENT = t("It has not been sent yet.")


class Page(LayoutHost, Protocol):
    """The match page, with the parts that the layout puts in their places."""

    @property
    def forking(self) -> Forking:
        """The sheet to fork the match."""

    @property
    def going_back(self) -> GoingBack:
        """Undo, and the requests for it."""

    @property
    def history(self) -> History:
        """The replay controls."""

    @property
    def log(self) -> Log:
        """The log of the match."""

    @property
    def playback(self) -> Playback:
        """The animation of moves."""

    @property
    def presence(self) -> Presence:
        """Who is looking at the match."""

    @property
    def sending(self) -> Sending:
        """The moves that are not confirmed."""

    @property
    def sure(self) -> Sure:
        """The question before moves that cannot be undone freely."""


class Layout:
    """The nodes of one match page, complete after `furnish`.

    ``frame`` holds them all except the sheets.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.titled: Any = None
        self.acted: Any = None
        self.log_home: Any = None
        self.stood: list[Node] = []
        self.turn = el("div", {"class": "turn plain", "role": "status"})
        self.actions = el("div", {"class": "actions"})
        self.asks = el("div", {})
        self.said = el("div", {})
        self.rematch = Rematch(page)
        self.note = PrivateNote(page)
        self.away = CatchUp(page, self.note.show)
        self.ways = TableWays(page)
        self.next = NextTable(page)
        self.plans = Plans(page)
        self.recovery = RecoveryBanner(page)
        self.notices = el(
            "div",
            {"class": "notices"},
            self.recovery.node,
            self.asks,
            self.said,
            self.rematch.banner,
        )
        self.notices.append(self.away.banner, self.plans.banner)
        self.lineage = el("div", {"class": "lineages"})
        self.beside = el("section", {"class": "beside"}, el("h2", {}, t("What happened")))
        self.talk = Talk(page, lambda: self.log_sheet.is_open)

    def furnish(self) -> None:
        """Build the second half of the nodes, in a task of its own."""
        page = self.page
        self.log_sheet = Sheet(t("What happened"), el("div", {}))
        self.move_list = el("div", {"class": "moves"})
        self.move_sheet = Sheet(t("Every move you can make"), [self.plans.trial, self.move_list])
        self.move_sheet.node.classList.add("low")
        self.groups: dict[str, MoveGroup] = {}
        self.move_sheet.on_close(self._moves_closed)
        if page.match.secret:
            guard_moves(self.move_sheet, self.move_list, page.ears)
        self.end_sheet = Sheet(t("The result"), el("div", {}))
        self.end_sheet.node.classList.add("tall")
        self.reading = Reading(page.screen, page.now)
        self.clocks = Clocks(page)
        self.free = FreeSeats(page)
        self.lost = LostSeat(page)
        self.bell = Bell(page.id)
        self.hints = Hints(page.match.data["game"], page.id)
        self.guide = GuideSheet(page.match.data["game"], self.hints.switch())
        self.sheets = [
            self.log_sheet,
            self.move_sheet,
            self.end_sheet,
            page.forking.sheet,
            self.reading.sheet,
            self.guide.sheet,
            self.plans.sheet,
            self.free.sheet,
            page.sure.sheet,
            page.going_back.question,
            page.going_back.whole,
        ]
        page.going_back.slots = [self.asks, *[sheet.notices for sheet in self.sheets]]
        self.frame = el("main", {"class": "game"}, *self._rooms())

    def _rooms(self) -> tuple[Any, ...]:
        page = self.page
        names = page.names()
        self.back = el(
            "a",
            {
                "class": "button round quiet",
                "href": "/",
                "aria-label": t("All tables"),
                "title": t("All tables"),
            },
            picture("i-back", 22),
        )
        dock = el(
            "section",
            {"class": "dock", "aria-label": t("Table")},
            self.clocks.node,
            self.lost.node,
            self.free.node,
            self.hints.node,
            page.screen.panel,
            self.actions,
            self.plans.line,
            page.screen.aside,
            page.going_back.node,
            page.history.node,
            page.history.speeds,
            self.bell.node,
            self.note.node,
            self.ways.node,
            self.ways.of_phone,
            self.lineage,
            self.beside,
        )
        return (
            el("h1", {"class": "hush"}, t("The table of {names}", names=both(names))),
            self.reading.button,
            el(
                "header",
                {"class": "game-bar"},
                self.back,
                self.turn,
                page.presence.node,
                self._help(),
            ),
            self.notices,
            page.screen.node,
            page.playback.line,
            dock,
            page.playback.shield,
        )

    def _help(self) -> Node | None:
        """Build the button that opens the rules at the current topic; None without rules."""
        if self.guide.slug not in guides():
            return None
        label = {"aria-label": t("The rules"), "title": t("The rules")}
        sign = el("span", {"aria-hidden": "true"}, "?")
        kind = {"type": "button", "class": "button round quiet help", **label}
        return el("button", {**kind, "onclick": lambda _e: self._rules()}, sign)

    def _rules(self) -> None:
        now = self.page.now()
        self.guide.open(lambda guide: guide.topic(now.view, now.seat))

    def put_up(self) -> None:
        """Add the page to the document, hidden behind what is shown until `reveal`."""
        patch(self.frame, {"data-rising": True})
        app = by_id("app")
        self.stood = [app.children[number] for number in range(app.children.length)]
        app.append(self.frame, *[sheet.node for sheet in self.sheets])

    def reveal(self) -> None:
        """Show the page in place of what was shown before."""
        for node in self.stood:
            node.remove()
        patch(self.frame, {"data-rising": None})
        scroll_up()

    def turn_line(self, now: Now) -> None:
        acting = [] if not now.live else self.page.match.acting()
        tone = None
        if not now.live:
            words = self.page.match.told_by(now.version)
        elif self.page.match.data["status"] == "finished":
            words = t("The game is over")
        elif now.seat is not None:
            tone = now.seat
            whose = (
                t("Your turn") if len(self.page.match.held()) == 1 else self.page.names()[now.seat]
            )
            words = t("{whose} · {what}", whose=whose, what=self.page.screen.prompt(now))
        elif acting:
            tone = acting[0]
            names = listed([self.page.names()[seat] for seat in acting])
            words = t("{names} to play", names=names)
        else:
            words = t("Waiting")
        mark = picture("camel") if tone is not None else None
        fill(self.turn, mark, el("span", {}, words))
        style = f"--tone:var(--seat-{tone})" if tone is not None else None
        patch(self.turn, {"class": "turn" if tone is not None else "turn plain", "style": style})
        seats = self.page.match.data["seats"]
        others = [seat for seat in acting if seats[seat]["kind"] == "human"]
        self.bell.note(bool(others) and now.seat is None)
        star = "● " if now.seat is not None else ""
        if star + words != self.titled:
            self.titled = star + words
            title(t("{star}{words} – Caravanserai", star=star, words=words))

    def notice(self, now: Now) -> None:
        self.clocks.draw(now.live)
        self.free.draw(now.live)
        self.lost.draw(now.live)
        self.page.going_back.banners()
        self.rematch.update()
        self.recovery.update()
        self.next.note()
        self.plans.update(now)
        if now.live:
            self.away.looked()
        playing = now.live and self.page.match.data["status"] == "playing"
        words = self.page.screen.notice(now) if playing else None
        shown = el("div", {"class": "notice"}, el("span", {}, words)) if words else None
        fill(self.said, shown)

    def offer(self, now: Now) -> None:
        undo = self.page.match.data["undo"]
        parts = []
        playing = self.page.history.timer is not None
        self.page.history.speeds.hidden = not playing
        self.page.going_back.here(None if now.live or playing else now.version)
        if not now.live:
            if self.acted == "looking":
                return
            parts = [
                button(t("Back to now"), lambda _e: self.page.history.to_now(), "primary"),
            ]
            if not match_ids.is_trial(self.page.id):
                parts.append(fork_button(lambda _e: self.page.fork(self.page.history.at)))
        elif self.page.match.data["status"] == "finished":
            parts.append(button(t("The result"), lambda _e: self.result(), "primary"))
        elif self.page.match.held():
            parts = [*self.next.way(), *self._undo_buttons(undo)]
        if now.live:
            parts.append(button(t("Every move as a list"), self._open_moves, "round", "i-list"))
        parts.append(button(t("What happened"), self._open_log, "round beside-not", "i-log"))
        self.acted = "live" if now.live else "looking"
        fill(self.actions, parts)

    def _undo_buttons(self, undo: Data) -> list[Node]:
        waiting = bool(self.page.sending.queue)
        kind = undo["kind"]
        can = (kind is not None and not undo.get("proposal")) or waiting
        turn = undo["turn"] if undo["turn"] != undo["step"] else None
        if kind == "consent" and not waiting:
            parts = self.page.going_back.asks(undo, turn, can)
        else:
            parts = self._steps_back(undo, None if kind == "consent" else turn, can)
        # A move that is being sent ends redo, though the service has not confirmed it yet.
        if self.page.match.data.get("redo") and not self.page.sending.queue:
            parts.append(button(t("Redo"), lambda _e: self.page.sending.redo(), "round", "i-redo"))
        return parts

    def _steps_back(self, undo: Data, turn: int | None, can: bool) -> list[Node]:
        """Build the buttons that take back at once: the last step, or the whole turn."""
        reason = UNSENT if self.page.sending.queue else undo["reason"]
        step = button(
            t("Step back"),
            lambda _e: self.page.take_back(),
            sign="i-undo",
            disabled=not can and not reason,
            title=reason,
        )
        bar(step, None if can else reason)
        if not can or turn is None:
            return [step]
        return [step, button(t(self.page.turn_words["undo"]), lambda _e: self.page.take_back(turn))]

    def sheet_open(self) -> bool:
        """Return whether a sheet is open over the table."""
        return any(sheet.is_open for sheet in self.sheets)

    def close_sheets(self) -> None:
        """Close all sheets."""
        for sheet in self.sheets:
            sheet.close()

    def _open_log(self, _event: DomEvent) -> None:
        self.log_sheet.open()
        self.page.log.reveal()

    def _open_moves(self, _event: DomEvent) -> None:
        self.fill_moves(self.page.now())
        self.move_sheet.open()

    def fill_moves(self, now: Now) -> None:
        if now.seat is None or not now.choosing:
            fill(self.move_list, el("p", {"class": "muted"}, t("It is not your turn.")))
            return
        groups = [self._group(group, now) for group in now.unlisted()]
        self.groups = {group.group["type"]: group for group in groups}
        short = [self._move(choice, now) for choice in now.choices]
        fill(self.move_list, short, [group.node for group in groups])

    def _group(self, group: Data, now: Now) -> MoveGroup:
        """Build the line of a long group; a group that was open stays open while the sheet is."""
        assert now.seat is not None
        before = self.groups.get(group["type"])
        if before is not None and before.at == (now.version, now.seat):
            return before
        line = MoveGroup(
            group, now.seat, now.version, self.page.address, lambda choice: self._move(choice, now)
        )
        if before is not None and before.is_open:
            line.open()
        return line

    def _moves_closed(self) -> None:
        self.groups = {}
        self.page.screen.light(None)

    def _move(self, choice: Choice, now: Now) -> Node:
        command = self.page.screen.command(choice)

        def chosen(_event: DomEvent) -> None:
            self.move_sheet.close()
            self.page.play(command)

        node = button(self.page.screen.label(choice, now), chosen)
        for name, lit in (("focus", choice), ("pointerenter", choice), ("pointerleave", None)):
            listen(node, name, lambda _e, lit=lit: self.page.screen.light(lit))
        return node

    def mark_log(self) -> None:
        seen = self.log_sheet.is_open or self.log_home == "beside"
        self.page.log.mark(self.page.history.at, seen)

    def place_log(self) -> None:
        self.page.log.update()
        home = "beside" if matches("(min-width: 900px)") else "sheet"
        if home != self.log_home:
            self.log_home = home
            place = self.beside if home == "beside" else self.log_sheet.body
            place.append(self.talk.node, self.page.log.node)
        self.talk.draw()
        self.mark_log()

    def result(self) -> None:
        """Show the standings."""
        standings = self.page.match.data.get("standings")
        if not standings:
            return
        result = Result(self.page, standings, self.rematch, self.end_sheet)
        fill(self.end_sheet.body, result.body())
        self.end_sheet.open()
