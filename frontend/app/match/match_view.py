"""The mounted match page: all its parts, and which of them need which others."""

from collections.abc import Iterator

from _native import guides

from frontend.app.components.film import Film
from frontend.app.contract.context import MatchContext
from frontend.app.contract.game_screen import Screen
from frontend.app.core.dom import scroll_dock_to_top
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
            context,
            self.screen,
            self.moment_view,
            self.sheets,
            TURN_LABELS[screen_class.TURN_KIND],
        )
        self.layout = Layout(self.host.root, self.sheets)

    def build_steps(self, presence: Presence, offline_copy: OfflineCopy) -> Iterator[None]:
        """Build the parts and put them into the layout, in steps."""
        context, screen, sync = self.context, self.screen, self.sync
        moment_view, replay = self.moment_view, self.replay
        requests = UndoRequests(context, self.move_queue, replay, self.sheets)
        turn_line = TurnLine(context, screen)
        turn_line.task_changed.subscribe(lambda: scroll_dock_to_top(self.layout.body))
        yield
        rematch = Rematch(context)
        note = PrivateNote(context)
        catch_up = CatchUp(
            context, screen, moment_view.playback, self.sheets.is_any_open, note.show
        )
        plan_panel = PlanPanel(context)
        recovery_banner = RecoveryBanner(context, sync)
        log_panel = LogPanel(context, moment_view, replay, offline_copy, sync)
        yield
        move_list = MoveList(context, self.host, moment_view.view_model, plan_panel.trial)
        reader = ScreenReaderView(screen, moment_view.view_model)
        clock_panel = ClockPanel(context, sync)
        free_seats = FreeSeats(context, sync)
        lost_seat = LostSeat(context, sync)
        notification_offer = NotificationOffer(context)
        announcement = Announcement(context, screen)
        lineage = Lineage(context)
        yield
        result = ResultSheet(
            context,
            type(screen),
            rematch,
            lambda: replay.show_version(replay.first_version()),
        )
        action_bar = ActionBar(
            context,
            self.move_queue,
            self.own_undo,
            requests,
            replay,
            move_list,
            log_panel,
            result,
        )
        undo_offer = UndoOffer(context, self.move_queue, moment_view.moment_cache, replay, requests)
        hints = Hints(context)
        rules_sheet = RulesSheet(hints.slug, hints.build_toggle())
        film = Film()

        def open_rules() -> None:
            now = moment_view.view_model()
            rules_sheet.open(lambda guide: guide.topic(now.view, now.seat))

        rules = open_rules if hints.slug in guides() else None
        self.match_menu = MatchMenu(context, rules, film, sync)
        self.game_bar = GameBar(turn_line, presence, rules, self.match_menu.button)
        context.moment_changed.subscribe(moment_view.draw_board)
        yield
        self.sheets.all += [
            log_panel.sheet,
            move_list.sheet,
            result.sheet,
            action_bar.fork_sheet.sheet,
            reader.sheet,
            rules_sheet.sheet,
            plan_panel.sheet,
            free_seats.sheet,
            self.host.confirm_move.sheet,
            self.own_undo.sheet,
            requests.full_sheet,
            film.sheet,
            self.match_menu.sheet,
        ]
        strip = MoveStrip(context, screen, moment_view.playback, replay)
        forced = ForcedMoves(context, self.host, self.move_queue, moment_view, self.sheets)
        strip.node.append(forced.node)
        self.layout.fill(
            context.match.names,
            top=(reader.button, self.game_bar.node),
            banners=(
                recovery_banner.node,
                requests.banner,
                announcement.node,
                rematch.banner,
                catch_up.banner,
                plan_panel.banner,
            ),
            board=screen.node,
            head=(strip.node, replay.node, replay.speeds.node, screen.own_row),
            body=(
                clock_panel.node,
                lost_seat.node,
                free_seats.node,
                hints.node,
                undo_offer.node,
                plan_panel.line,
                screen.panel,
                screen.aside,
                notification_offer.node,
                note.node,
                lineage.node,
                log_panel.node,
            ),
            foot=action_bar.node,
            overlay=moment_view.playback.tap_shield,
        )
