"""The layout of the match page: the turn line, the board, the dock and the sheets."""

from typing import Any, Protocol

from _native import add_listener, guides, media_matches, scroll_to_top, set_title

from frontend.app.components.move_groups import MoveGroup
from frontend.app.components.secret_cover import cover_move_list
from frontend.app.components.sheet import Sheet
from frontend.app.contract.context import LayoutHost
from frontend.app.contract.game_screen import ViewModel
from frontend.app.core import match_ids
from frontend.app.core.dom import (
    button,
    by_id,
    el,
    fill,
    join_names,
    patch,
    picture,
    set_blocked_reason,
)
from frontend.app.core.i18n import join_and, t
from frontend.app.core.types import Choice, Data, DomEvent, Node
from frontend.app.match.catch_up import CatchUp
from frontend.app.match.chat import Chat
from frontend.app.match.clock_panel import ClockPanel
from frontend.app.match.confirm_move import ConfirmMove
from frontend.app.match.fork import ForkSheet, fork_button
from frontend.app.match.free_seats import FreeSeats
from frontend.app.match.hints import Hints
from frontend.app.match.log import Log
from frontend.app.match.lost_seat import LostSeat
from frontend.app.match.move_queue import MoveQueue
from frontend.app.match.next_table import NextTable
from frontend.app.match.notification_offer import NotificationOffer
from frontend.app.match.plan_panel import PlanPanel
from frontend.app.match.playback import Playback
from frontend.app.match.presence import Presence
from frontend.app.match.private_note import PrivateNote
from frontend.app.match.recovery_banner import RecoveryBanner
from frontend.app.match.rematch import Rematch
from frontend.app.match.replay_controls import ReplayControls
from frontend.app.match.result import Result
from frontend.app.match.rules_sheet import RulesSheet
from frontend.app.match.screen_reader_view import ScreenReaderView
from frontend.app.match.table_menu import MatchMenu
from frontend.app.match.undo import UndoPanel

UNSENT_TEXT = t("It has not been sent yet.")


class Page(LayoutHost, Protocol):
    """The match page as the layout sees it: the components that the layout arranges."""

    @property
    def fork_sheet(self) -> ForkSheet:
        """The sheet for forking the match."""

    @property
    def undo_panel(self) -> UndoPanel:
        """The undo controls and undo requests."""

    @property
    def replay(self) -> ReplayControls:
        """The replay controls."""

    @property
    def log(self) -> Log:
        """The log of the match."""

    @property
    def playback(self) -> Playback:
        """The animation of moves."""

    @property
    def presence(self) -> Presence:
        """The indicators of who is viewing the match."""

    @property
    def move_queue(self) -> MoveQueue:
        """The unconfirmed moves."""

    @property
    def confirm_move(self) -> ConfirmMove:
        """The confirmation sheet for moves that cannot be undone freely."""


class Layout:
    """The DOM nodes of one match page, complete after `build`.

    ``root`` contains all of them except ``sheets``.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.shown_title: Any = None
        self.actions_mode: Any = None
        self.log_place: Any = None
        self.placeholder_nodes: list[Node] = []
        self.turn = el("div", {"class": "turn plain", "role": "status"})
        self.actions = el("div", {"class": "actions"})
        self.undo_banner = el("div", {})
        self.announcement = el("div", {})
        self.rematch = Rematch(page.context)
        self.note = PrivateNote(page.context)
        self.catch_up = CatchUp(
            page.context, page.screen, page.playback, self.is_sheet_open, self.note.show
        )
        self.match_menu = MatchMenu(page.context, page.sync)
        self.next_table = NextTable(
            page.context, lambda: bool(page.move_queue.queue), page.draw_actions
        )
        self.plan_panel = PlanPanel(page.context)
        self.recovery_banner = RecoveryBanner(page.context, page.sync)
        self.banners = el(
            "div",
            {"class": "notices"},
            self.recovery_banner.node,
            self.undo_banner,
            self.announcement,
            self.rematch.banner,
        )
        self.banners.append(self.catch_up.banner, self.plan_panel.banner)
        self.lineage = el("div", {"class": "lineages"})
        self.side_log = el("section", {"class": "beside"}, el("h2", {}, t("What happened")))
        self.chat = Chat(page.context, page.sync, lambda: self.log_sheet.is_open)

    def build(self) -> None:
        """Build the nodes that the constructor does not build; called in a separate task."""
        page = self.page
        self.log_sheet = Sheet(t("What happened"), el("div", {}))
        self.move_list = el("div", {"class": "moves"})
        self.move_sheet = Sheet(
            t("Every move you can make"), [self.plan_panel.trial, self.move_list]
        )
        self.move_sheet.node.classList.add("low")
        self.groups: dict[str, MoveGroup] = {}
        self.move_sheet.on_close(self._on_moves_close)
        if page.match.has_secrets:
            cover_move_list(self.move_sheet, self.move_list, page.listeners)
        self.end_sheet = Sheet(t("The result"), el("div", {}))
        self.end_sheet.node.classList.add("tall")
        self.screen_reader_view = ScreenReaderView(page.screen, page.view_model)
        self.clock_panel = ClockPanel(page.context, page.sync)
        self.free_seats = FreeSeats(page.context, page.sync)
        self.lost_seat = LostSeat(page.context, page.sync)
        self.notification_offer = NotificationOffer(page.id)
        self.hints = Hints(page.match.data["game"], page.id)
        self.rules_sheet = RulesSheet(page.match.data["game"], self.hints.build_toggle())
        self.sheets = [
            self.log_sheet,
            self.move_sheet,
            self.end_sheet,
            page.fork_sheet.sheet,
            self.screen_reader_view.sheet,
            self.rules_sheet.sheet,
            self.plan_panel.sheet,
            self.free_seats.sheet,
            page.confirm_move.sheet,
            page.undo_panel.question,
            page.undo_panel.full_sheet,
        ]
        page.undo_panel.banner_nodes = [self.undo_banner, *[sheet.banners for sheet in self.sheets]]
        self.root = page.root
        self.root.append(*[node for node in self._sections() if node is not None])

    def _sections(self) -> tuple[Any, ...]:
        page = self.page
        names = page.names()
        self.back_link = el(
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
            self.clock_panel.node,
            self.lost_seat.node,
            self.free_seats.node,
            self.hints.node,
            page.screen.panel,
            self.actions,
            self.plan_panel.line,
            page.screen.aside,
            page.undo_panel.node,
            page.replay.node,
            page.replay.speeds,
            self.notification_offer.node,
            self.note.node,
            self.match_menu.node,
            self.match_menu.local_actions,
            self.lineage,
            self.side_log,
        )
        return (
            el("h1", {"class": "hush"}, t("The table of {names}", names=join_and(names))),
            self.screen_reader_view.button,
            el(
                "header",
                {"class": "game-bar"},
                self.back_link,
                self.turn,
                page.presence.node,
                self._rules_button(),
            ),
            self.banners,
            page.screen.node,
            page.playback.line,
            dock,
            page.playback.tap_shield,
        )

    def _rules_button(self) -> Node | None:
        """Build the button that opens the rules at the current topic, or None without a guide."""
        if self.rules_sheet.slug not in guides():
            return None
        label = {"aria-label": t("The rules"), "title": t("The rules")}
        sign = el("span", {"aria-hidden": "true"}, "?")
        kind = {"type": "button", "class": "button round quiet help", **label}
        return el("button", {**kind, "onclick": lambda _e: self._open_rules()}, sign)

    def _open_rules(self) -> None:
        now = self.page.view_model()
        self.rules_sheet.open(lambda guide: guide.topic(now.view, now.seat))

    def attach_hidden(self) -> None:
        """Add the page to the document, hidden behind the current content until `reveal`."""
        patch(self.root, {"data-rising": True})
        app = by_id("app")
        self.placeholder_nodes = [app.children[number] for number in range(app.children.length)]
        app.append(self.root, *[sheet.node for sheet in self.sheets])

    def reveal(self) -> None:
        """Show the page in place of the previous content, scrolled to the top."""
        for node in self.placeholder_nodes:
            node.remove()
        patch(self.root, {"data-rising": None})
        scroll_to_top()

    def update_turn_line(self, view_model: ViewModel) -> None:
        acting = [] if not view_model.live else self.page.match.acting_seats()
        tone = None
        if not view_model.live:
            text = self.page.match.last_text(view_model.version)
        elif self.page.match.data["status"] == "finished":
            text = t("The game is over")
        elif view_model.seat is not None:
            tone = view_model.seat
            whose = (
                t("Your turn")
                if len(self.page.match.own_seats()) == 1
                else self.page.names()[view_model.seat]
            )
            text = t("{whose} · {what}", whose=whose, what=self.page.screen.prompt(view_model))
        elif acting:
            tone = acting[0]
            names = join_names([self.page.names()[seat] for seat in acting])
            text = t("{names} to play", names=names)
        else:
            text = t("Waiting")
        mark = picture("camel") if tone is not None else None
        fill(self.turn, mark, el("span", {}, text))
        style = f"--tone:var(--seat-{tone})" if tone is not None else None
        patch(self.turn, {"class": "turn" if tone is not None else "turn plain", "style": style})
        seats = self.page.match.data["seats"]
        others = [seat for seat in acting if seats[seat]["kind"] == "human"]
        self.notification_offer.update(bool(others) and view_model.seat is None)
        star = "● " if view_model.seat is not None else ""
        if star + text != self.shown_title:
            self.shown_title = star + text
            set_title(t("{star}{words} – Caravanserai", star=star, words=text))

    def update_panels(self, view_model: ViewModel) -> None:
        self.page.undo_panel.update_banners()
        playing = view_model.live and self.page.match.data["status"] == "playing"
        text = self.page.screen.announcement(view_model) if playing else None
        shown = el("div", {"class": "notice"}, el("span", {}, text)) if text else None
        fill(self.announcement, shown)

    def update_actions(self, view_model: ViewModel) -> None:
        undo = self.page.match.data["undo"]
        parts = []
        playing = self.page.replay.timer is not None
        self.page.replay.speeds.hidden = not playing
        self.page.undo_panel.offer_at(None if view_model.live or playing else view_model.version)
        if not view_model.live:
            if self.actions_mode == "looking":
                return
            parts = [
                button(t("Back to now"), lambda _e: self.page.replay.show_present(), "primary"),
            ]
            if not match_ids.is_trial(self.page.id):
                parts.append(fork_button(lambda _e: self._fork()))
        elif self.page.match.data["status"] == "finished":
            parts.append(button(t("The result"), lambda _e: self.show_result(), "primary"))
        elif self.page.match.own_seats():
            parts = [*self.next_table.link(), *self._undo_buttons(undo)]
        if view_model.live:
            parts.append(button(t("Every move as a list"), self._open_moves, "round", "i-list"))
        parts.append(button(t("What happened"), self._open_log, "round beside-not", "i-log"))
        self.actions_mode = "live" if view_model.live else "looking"
        fill(self.actions, parts)

    def _fork(self) -> None:
        at = self.page.context.at  # not that of the button, which stays while looking back
        if at is not None:
            self.page.fork(at)

    def _undo_buttons(self, undo: Data) -> list[Node]:
        waiting = bool(self.page.move_queue.queue)
        kind = undo["kind"]
        can = (kind is not None and not undo.get("proposal")) or waiting
        turn = undo["turn"] if undo["turn"] != undo["step"] else None
        if kind == "consent" and not waiting:
            parts = self.page.undo_panel.ask_buttons(undo, turn, can)
        else:
            parts = self._step_buttons(undo, None if kind == "consent" else turn, can)
        # An unconfirmed move already rules out redo, although the service may still report it.
        if self.page.match.data.get("redo") and not self.page.move_queue.queue:
            parts.append(
                button(t("Redo"), lambda _e: self.page.move_queue.redo(), "round", "i-redo")
            )
        return parts

    def _step_buttons(self, undo: Data, turn: int | None, can: bool) -> list[Node]:
        """Build the buttons that undo the last step or the whole turn without asking others.

        ``undo``: the undo data of the match; ``turn``: the version before the turn, None for no
        turn button; ``can``: whether undo is currently possible.
        """
        reason = UNSENT_TEXT if self.page.move_queue.queue else undo["reason"]
        step = button(
            t("Step back"),
            lambda _e: self.page.take_back(),
            sign="i-undo",
            disabled=not can and not reason,
            title=reason,
        )
        set_blocked_reason(step, None if can else reason)
        if not can or turn is None:
            return [step]
        return [
            step,
            button(t(self.page.turn_labels["undo"]), lambda _e: self.page.take_back(turn)),
        ]

    def is_sheet_open(self) -> bool:
        """Return whether a sheet is open over the page."""
        return any(sheet.is_open for sheet in self.sheets)

    def close_sheets(self) -> None:
        """Close all sheets."""
        for sheet in self.sheets:
            sheet.close()

    def _open_log(self, _event: DomEvent) -> None:
        self.log_sheet.open()
        self.page.log.reveal()

    def _open_moves(self, _event: DomEvent) -> None:
        self.fill_moves(self.page.view_model())
        self.move_sheet.open()

    def fill_moves(self, view_model: ViewModel) -> None:
        if view_model.seat is None or not view_model.has_choices:
            fill(self.move_list, el("p", {"class": "muted"}, t("It is not your turn.")))
            return
        groups = [self._group(group, view_model) for group in view_model.unlisted_groups()]
        self.groups = {group.group["type"]: group for group in groups}
        short = [self._move(choice, view_model) for choice in view_model.choices]
        fill(self.move_list, short, [group.node for group in groups])

    def _group(self, group: Data, view_model: ViewModel) -> MoveGroup:
        """Build the line of a group of moves.

        Reuses the previous line for the same version and seat; otherwise a group that was open
        stays open.
        """
        assert view_model.seat is not None
        before = self.groups.get(group["type"])
        if before is not None and before.at == (view_model.version, view_model.seat):
            return before
        line = MoveGroup(
            group,
            view_model.seat,
            view_model.version,
            self.page.address,
            lambda choice: self._move(choice, view_model),
        )
        if before is not None and before.is_open:
            line.open()
        return line

    def _on_moves_close(self) -> None:
        self.groups = {}
        self.page.screen.highlight(None)

    def _move(self, choice: Choice, view_model: ViewModel) -> Node:
        command = self.page.screen.command(choice)

        def on_choose(_event: DomEvent) -> None:
            self.move_sheet.close()
            self.page.play(command)

        node = button(self.page.screen.label(choice, view_model), on_choose)
        for name, lit in (("focus", choice), ("pointerenter", choice), ("pointerleave", None)):
            add_listener(node, name, lambda _e, lit=lit: self.page.screen.highlight(lit))
        return node

    def mark_log(self) -> None:
        seen = self.log_sheet.is_open or self.log_place == "beside"
        self.page.log.mark(self.page.context.at, seen)

    def place_log(self) -> None:
        self.page.log.update()
        home = "beside" if media_matches("(min-width: 900px)") else "sheet"
        if home != self.log_place:
            self.log_place = home
            place = self.side_log if home == "beside" else self.log_sheet.body
            place.append(self.chat.node, self.page.log.node)
        self.mark_log()

    def show_result(self) -> None:
        """Open the result sheet, unless the match has no standings yet."""
        standings = self.page.match.data.get("standings")
        if not standings:
            return
        result = Result(self.page, standings, self.rematch, self.end_sheet)
        fill(self.end_sheet.body, result.body())
        self.end_sheet.open()
