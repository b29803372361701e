"""The lines that say whose turn it is, and what the game announces to all viewers."""

from _native import set_title

from frontend.app.contract.context import MatchContext
from frontend.app.contract.game_screen import Screen, ViewModel
from frontend.app.core.dom import el, fill, join_names, notice, patch, picture
from frontend.app.core.i18n import t
from frontend.app.core.signal import Signal


class TurnLine:
    """The turn line (``node``), also the title of the document.

    At an earlier moment, it is the text of the last event. ``task_changed()``: emitted when this
    device has something else to do than before.
    """

    def __init__(self, context: MatchContext, screen: Screen) -> None:
        self.match = context.match
        self.screen = screen
        self.shown_title = ""
        self.task: str | None = None
        self.task_changed = Signal()
        self.node = el("div", {"class": "turn plain", "role": "status"})
        context.moment_changed.subscribe(self._update)

    def _update(self, view_model: ViewModel) -> None:
        seat, text = self._text(view_model)
        fill(self.node, picture("camel") if seat is not None else None, el("span", {}, text))
        style = f"--tone:var(--seat-{seat})" if seat is not None else None
        patch(self.node, {"class": "turn" if seat is not None else "turn plain", "style": style})
        star = "● " if view_model.seat is not None else ""
        if star + text != self.shown_title:
            self.shown_title = star + text
            set_title(t("turn.page_title", star=star, words=text))
        if view_model.seat is not None and text != self.task:
            self.task = text
            self.task_changed.emit()

    def _text(self, view_model: ViewModel) -> tuple[int | None, str]:
        """Return the seat whose colour the line has, or None, and the text."""
        match, seat = self.match, view_model.seat
        if not view_model.live:
            return None, match.last_text(view_model.version)
        if match.data["status"] == "finished":
            return None, t("turn.game_over")
        if seat is not None:
            whose = t("turn.your_turn") if len(match.own_seats()) == 1 else match.names[seat]
            return seat, t("turn.line", whose=whose, what=self.screen.prompt(view_model))
        acting = match.acting_seats()
        if acting:
            names = join_names([match.names[each] for each in acting])
            return acting[0], t("turn.to_play", names=names)
        return None, t("turn.waiting")


class Announcement:
    """A sentence from the screen for all viewers (``node``), while the match is being played."""

    def __init__(self, context: MatchContext, screen: Screen) -> None:
        self.match = context.match
        self.screen = screen
        self.node = el("div", {})
        context.moment_changed.subscribe(self._update)

    def _update(self, view_model: ViewModel) -> None:
        is_playing = self.match.data["status"] == "playing"
        text = self.screen.announcement(view_model) if is_playing else None
        fill(self.node, notice(text) if text else None)
