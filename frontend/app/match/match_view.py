"""The mounted match page: all its parts, and which of them need which others."""

from collections.abc import Iterator

from _native import fill, guides

from frontend.app.contract.context import MatchContext
from frontend.app.contract.game_screen import Screen
from frontend.app.core.dom import scroll_dock_to_top
from frontend.app.core.types import Node
from frontend.app.match.action_bar import ActionBar
from frontend.app.match.catch_up import CatchUp
from frontend.app.match.clock_panel import ClockPanel
from frontend.app.match.forced_moves import ForcedMoves
from frontend.app.match.fork import Lineage
from frontend.app.match.free_seats import FreeSeats
from frontend.app.match.game_bar import GameBar
from frontend.app.match.hints import Hints
from frontend.app.match.layout import Layout
from frontend.app.match.log_panel import LogPanel
from frontend.app.match.lost_seat import LostSeat
from frontend.app.match.moment_view import MomentView
from frontend.app.match.move_list import MoveList
from frontend.app.match.move_queue import MoveQueue
from frontend.app.match.move_strip import MoveStrip
from frontend.app.match.notification_offer import NotificationOffer
from frontend.app.match.offline_copy import OfflineCopy
from frontend.app.match.own_undo import OwnUndo
from frontend.app.match.plan_panel import PlanPanel
from frontend.app.match.presence import Presence
from frontend.app.match.private_note import PrivateNote
from frontend.app.match.recovery_banner import RecoveryBanner
from frontend.app.match.rematch import Rematch
from frontend.app.match.replay_controls import ReplayControls
from frontend.app.match.result import ResultSheet
from frontend.app.match.rules_sheet import RulesSheet
from frontend.app.match.screen_host import MatchScreenHost
from frontend.app.match.screen_reader_view import ScreenReaderView
from frontend.app.match.sheets import Sheets
from frontend.app.match.sync import MatchSync
from frontend.app.match.table_menu import MatchMenu
from frontend.app.match.turn_labels import TURN_LABELS
from frontend.app.match.turn_line import Announcement, TurnLine
from frontend.app.match.undo_offer import UndoOffer
from frontend.app.match.undo_requests import UndoRequests


class MatchView:
    """The parts of one mounted match page, complete after `build_steps`.

    Parts subscribe to the signals of the context in the order in which they are built; the board is
    drawn last.
    """

    game_bar: GameBar
    match_menu: MatchMenu

    def __init__(
        self,
        context: MatchContext,
        screen_class: type[Screen],
        move_queue: MoveQueue,
        match_sync: MatchSync,
    ) -> None:
        self.context = context
        self.move_queue = move_queue
        self.sync = match_sync.sync
        self.sheets = Sheets()
        self.own_undo = OwnUndo(context, move_queue)
        self.host = MatchScreenHost(context, screen_class, move_queue, self.own_undo, self.sync)
        self.screen = self.host.screen
        self.moment_view = MomentView(context, self.host, move_queue, self.sheets.is_any_open)
        self.replay = ReplayControls(
            context, self.screen, self.moment_view, self.sheets, TURN_LABELS[screen_class.TURN_KIND]
        )
        self.layout = Layout(self.host.root, self.sheets)

    def build_steps(self, presence: Presence, offline_copy: OfflineCopy) -> Iterator[None]:
        """Build the parts and put them into the layout, in steps."""
        context = self.context
        requests = UndoRequests(context, self.move_queue, self.replay, self.sheets)
        rematch = Rematch(context)
        note = PrivateNote(context)
        plan_panel = PlanPanel(context)
        log_panel = LogPanel(context, self.moment_view, self.replay, offline_copy, self.sync)
        hints = Hints(context)
        self.sheets.all += [requests.full_sheet, plan_panel.plan_sheet.sheet, log_panel.sheet]
        yield
        self._build_banners(requests, rematch, note, plan_panel)
        yield
        self._build_body(requests, note, plan_panel, log_panel, hints)
        yield
        self._build_foot(requests, rematch, plan_panel, log_panel)
        yield
        top = self._build_top(presence, hints)
        context.moment_changed.subscribe(self.moment_view.draw_board)
        yield
        self._build_head()
        self.sheets.all += [self.host.confirm_move.sheet, self.own_undo.sheet]
        shield = self.moment_view.playback.tap_shield
        self.layout.fill(context.match.names, top, self.screen.node, shield)

    def _build_banners(
        self, requests: UndoRequests, rematch: Rematch, note: PrivateNote, plan_panel: PlanPanel
    ) -> None:
        """Build what is shown above the dock's body while it applies."""
        playback = self.moment_view.playback
        catch_up = CatchUp(self.context, self.screen, playback, self.sheets.is_any_open, note.show)
        self.layout.banners.append(
            RecoveryBanner(self.context, self.sync).node,
            requests.banner,
            Announcement(self.context, self.screen).node,
            rematch.banner,
            catch_up.banner,
            plan_panel.banner,
        )

    def _build_body(
        self,
        requests: UndoRequests,
        note: PrivateNote,
        plan_panel: PlanPanel,
        log_panel: LogPanel,
        hints: Hints,
    ) -> None:
        """Build the panels in the part of the dock that scrolls."""
        context, sync = self.context, self.sync
        cache = self.moment_view.moment_cache
        free_seats = FreeSeats(context, sync)
        self.sheets.all.append(free_seats.sheet)
        fill(
            self.layout.body,
            self.layout.banners,
            ClockPanel(context, sync).node,
            LostSeat(context, sync).node,
            free_seats.node,
            hints.node,
            UndoOffer(context, self.move_queue, cache, self.replay, requests).node,
            plan_panel.line,
            self.screen.panel,
            self.screen.aside,
            NotificationOffer(context).node,
            note.node,
            Lineage(context).node,
            log_panel.node,
        )

    def _build_foot(
        self, requests: UndoRequests, rematch: Rematch, plan_panel: PlanPanel, log_panel: LogPanel
    ) -> None:
        """Build the buttons below the board, and the sheets that they open."""
        context, queue, replay = self.context, self.move_queue, self.replay
        get_view_model = self.moment_view.view_model
        move_list = MoveList(context, self.host, get_view_model, plan_panel.trial)
        result = ResultSheet(context, type(self.screen), rematch, replay.show_first)
        bar = ActionBar(
            context, queue, self.own_undo, requests, replay, move_list, log_panel, result
        )
        self.sheets.all += [move_list.sheet, result.sheet, bar.fork_sheet.sheet]
        self.layout.foot.append(bar.node)

    def _build_top(self, presence: Presence, hints: Hints) -> list[Node]:
        """Build the bar above the board, with the menu and the rules."""
        context, get_view_model = self.context, self.moment_view.view_model
        turn_line = TurnLine(context, self.screen)
        turn_line.task_changed.subscribe(lambda: scroll_dock_to_top(self.layout.body))
        reader = ScreenReaderView(self.screen, get_view_model)
        rules_sheet = RulesSheet(hints.slug, hints.toggle)

        def open_rules() -> None:
            now = get_view_model()
            rules_sheet.open(lambda guide: guide.topic(now.view, now.seat))

        rules = open_rules if hints.slug in guides() else None
        menu = self.match_menu = MatchMenu(context, rules, self.sync)
        self.game_bar = GameBar(turn_line, presence, rules, menu.button)
        self.sheets.all += [reader.sheet, rules_sheet.sheet, menu.film.sheet, menu.sheet]
        return [reader.button, self.game_bar.node]

    def _build_head(self) -> None:
        """Build the strip with the latest move, and the replay controls."""
        context, view, replay = self.context, self.moment_view, self.replay
        strip = MoveStrip(context, self.screen, view.playback, replay)
        strip.node.append(ForcedMoves(context, self.host, self.move_queue, view, self.sheets).node)
        fill(self.layout.head, strip.node, replay.node, replay.speeds.node, self.screen.own_row)
