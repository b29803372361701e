"""The moment of a match that the page shows: its view model, and drawing it."""

from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from frontend.app.contract.context import MatchContext
from frontend.app.contract.game_screen import ViewModel
from frontend.app.core.dom import announce, patch
from frontend.app.core.i18n import join_sentences, t
from frontend.app.match.moment_cache import MomentCache
from frontend.app.match.move_queue import MoveQueue
from frontend.app.match.playback import Playback
from frontend.app.match.screen_host import MatchScreenHost


class MomentView:
    """Draws the moment set in the context, whenever it, the match or the queue has changed.

    Drawing emits ``moment_changed``, to which all parts subscribe that show the moment; the board
    is drawn by `draw_board`. ``playback``: the animation of others' moves.
    """

    def __init__(
        self,
        context: MatchContext,
        host: MatchScreenHost,
        move_queue: MoveQueue,
        is_sheet_open: Callable[[], bool],
    ) -> None:
        self.context = context
        self.match = context.match
        self.host = host
        self.move_queue = move_queue
        self.moment_cache = MomentCache(context)
        self.playback = Playback(context, host.screen, move_queue, is_sheet_open, self.draw)
        context.match_changed.subscribe(self._update_steps)
        context.queue_changed.subscribe(self._update_steps)

    def view_model(self) -> ViewModel:
        """Return the view model of the moment to show, whose view must be known."""
        match, at = self.match, self.context.at
        if match.rules:
            live = at is None
            state = match.state if at is None else match.state_at(at)
            seat = match.seat_to_act() if live else None
            choices = match.rules.choices(state, seat) if seat is not None else ()
            view = match.rules.view(state, seat)
            hidden = 0 if live else self.context.hidden_pieces
            return ViewModel(view, state, choices, seat, live, at or match.version, hidden)
        if at is None:
            view = match.data["view"]
            choices, groups = match.server_choices, match.server_groups
            return ViewModel(
                view, view, choices, match.seat_to_act(), True, match.version, 0, groups
            )
        return ViewModel(self.moment_cache.view_at(at) or {}, at, (), None, False, at)

    def _animated_view(self, view_model: ViewModel) -> ViewModel:
        """Return the view model that the screen draws.

        While an animation is playing, that is the view model of its current frame. Otherwise it is
        ``view_model`` with its last move marked.
        """
        frame = self.playback.frame if view_model.live else None
        if frame is None:
            if view_model.live and self.move_queue.queue:
                return view_model
            marks = self.playback.highlights(view_model.version, view_model.live)
            return replace(view_model, marks=marks)
        version, part, parts = frame
        if rules := self.match.rules:
            state = self.match.state_at(version)
            view = rules.view(state, None)
            view_model = ViewModel(view, state, (), None, False, version, parts - 1 - part)
        marks = self.playback.highlights(version, False)
        return replace(view_model, marks=marks, frame=(version, part))

    # -- drawing -------------------------------------------------------------------------------

    def _update_steps(self, texts: Sequence[str] = ()) -> Iterator[None]:
        """Announce what is new and draw the current moment, in steps.

        While an earlier moment is shown, only announce. ``texts``: those of new events.
        """
        if self.context.at is None:
            text = self.playback.update()
            self._announce([text] if text else texts)
            yield
            yield from self._draw_steps()
        else:
            self._announce(texts)

    def _announce(self, texts: Sequence[str]) -> None:
        """Announce texts to screen readers, and whether it is this device's turn."""
        sentences = list(texts)
        if texts and self.context.at is None and self.match.seat_to_act() is not None:
            sentences.append(t("turn.your_turn_sentence"))
        if sentences:
            announce(join_sentences(sentences))

    def draw(self) -> None:
        """Draw the moment, requesting it first if necessary."""
        for _ in self._draw_steps():
            pass

    def _draw_steps(self) -> Iterator[None]:
        at = self.context.at
        if self.match.rules is None and at is not None and self.moment_cache.view_at(at) is None:
            self.moment_cache.request(at, self.draw)
            return
        yield from self.context.moment_changed.emit_steps(self.view_model())

    def draw_board(self, view_model: ViewModel) -> Iterator[None]:
        """Draw the board in steps; subscribed to ``moment_changed`` after the panels.

        So the panels have their size when the board measures its own.
        """
        self.host.screen.draw(self._animated_view(view_model))
        yield
        look = "" if view_model.live else " looking"
        look = " my-turn" if view_model.seat is not None else look
        sending = len(self.move_queue.queue) or ""
        patch(self.host.root, {"class": "game" + look, "data-sending": str(sending)})

    def prefetch(self, version: int) -> None:
        """Request the moments next to a version if the rules are not loaded."""
        if self.match.rules is None:
            self.moment_cache.prefetch(version)
