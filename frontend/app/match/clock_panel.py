"""The clocks of a match with a time control, and votes to give a timed-out seat to a bot.

Until the last minute, a clock shows no seconds, so that it does not distract.
"""

from typing import Any

from _native import fill, seconds_until

from frontend.app.contract.context import MatchContext
from frontend.app.contract.game_screen import ViewModel
from frontend.app.core.dom import after, button, cancel, el, notice
from frontend.app.core.durations import LAST_MINUTE_S, format_duration, format_time_left
from frontend.app.core.i18n import t
from frontend.app.core.types import Action, Data, Node
from frontend.app.match.seat_panel import SeatPanel

UPDATE_INTERVAL_MS = 15_000  # milliseconds between two updates
LAST_MINUTE_INTERVAL_MS = 1_000  # milliseconds between two updates in a seat's last minute


class ClockPanel(SeatPanel):
    """The clock panel; ``node`` has a line for each seat with something to show."""

    def __init__(self, context: MatchContext, sync: Action) -> None:
        attributes = {"class": "clocks", "aria-label": t("time.title"), "hidden": True}
        super().__init__(context, sync, el("section", attributes))
        self.timer: Any = None

    def update(self, view_model: ViewModel) -> None:
        """Show the clocks and votes, and schedule the next update while a clock is running.

        Hides the panel if the match has no clock or is not being played, or if an earlier moment is
        shown.
        """
        cancel(self.timer)
        match = self.context.match
        clock: Any = match.data.get("clock")
        is_running = (
            self.context.at is None and clock is not None and match.data["status"] == "playing"
        )
        if not is_running or self.context.is_closed:
            self.node.hidden = True
            return
        lines = [self._line(clock, each) for each in clock["seats"]]
        votes = self._open_votes(clock)
        shown = (lines, votes)
        if shown != self.shown:
            self.shown = shown
            clocks = [_seat(line) for line in lines if line]
            fill(self.node, clocks, [self._question(vote) for vote in votes])
        self.node.hidden = not (votes or any(lines))
        soonest = min([seconds_until(s["ends"]) for s in clock["seats"] if s["runs"]], default=None)
        if soonest:
            pause = (
                LAST_MINUTE_INTERVAL_MS
                if soonest <= LAST_MINUTE_S + UPDATE_INTERVAL_MS // 1000
                else UPDATE_INTERVAL_MS
            )
            self.timer = after(pause, lambda: self.update(view_model))

    def _line(self, clock: Data, seat_clock: Data) -> tuple[int, str, str] | None:
        """Return ``(seat, CSS class of the state, text)``, or None if there is nothing to show."""
        name = self.context.match.names[seat_clock["seat"]]
        kind = self.context.match.data["seats"][seat_clock["seat"]]["kind"]
        # The clock of a vacated seat keeps running.
        if kind == "bot" or (kind == "open" and not (seat_clock["runs"] or seat_clock["out"])):
            return None
        if seat_clock["away"]:
            return seat_clock["seat"], "", t("time.on_vacation", name=name)
        if seat_clock["out"]:
            return seat_clock["seat"], "out", t("time.is_up", name=name)
        if seat_clock["runs"]:
            left = format_time_left(seat_clock["ends"])
            return seat_clock["seat"], "runs", t("time.clock", name=name, left=left)
        if clock["pace"]["kind"] == "live":
            left = format_duration(seat_clock["left"] // 1000)
            return seat_clock["seat"], "", t("time.clock", name=name, left=left)
        return None

    def _open_votes(self, clock: Data) -> list[tuple[int, int, bool]]:
        """Return the open votes: ``(own seat, seat out of time, whether voted for a bot)``.

        Empty for spectators and if the time control does not provide for votes.
        """
        seats = self.context.match.data["seats"]
        held = self.context.match.own_seats()
        if clock["on_end"] != "vote" or not held:
            return []
        others = [s for s in clock["seats"] if seats[s["seat"]]["kind"] == "human"]
        out = [s for s in others if s["out"] and not seats[s["seat"]]["you"]]
        return [(held[0], s["seat"], any(seat in s["for_bot"] for seat in held)) for s in out]

    def _question(self, vote: tuple[int, int, bool]) -> Node:
        seat, about, agreed = vote
        name = self.context.match.names[about]
        text = t("seat.vote_given", name=name) if agreed else t("seat.vote_text", name=name)
        label = t("seat.keep_waiting") if agreed else t("seat.replace_with_bot")
        return notice(text, button(label, lambda _e: self.vote(seat, about, not agreed)))


def _seat(line: tuple[int, str, str]) -> Node:
    seat, kind, text = line
    return el(
        "span",
        {"class": "clock " + kind},
        el("span", {"class": "pip", "style": f"background:var(--seat-{seat})"}),
        el("span", {}, text),
    )
