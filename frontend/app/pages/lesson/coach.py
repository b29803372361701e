"""The card of a lesson, which explains each step."""

from collections.abc import Callable
from typing import Any

from _native import (
    dumps,
    fill,
    hide_highlight_ring,
    loads_or_none,
    local_match_delete,
    local_storage,
    patch,
    show_highlight_ring,
)

from domain.match.lesson import Progress, compute_progress, lesson_of
from frontend.app.contract.context import MatchContext
from frontend.app.contract.game_screen import ViewModel
from frontend.app.core.dom import button, el
from frontend.app.core.i18n import t, translators_for
from frontend.app.core.types import Action, DomEvent, Node
from frontend.app.games import loader
from frontend.app.offline.server import SERVER


class Coach:
    """The card of the lesson.

    ``node``: the card. ``done_steps``: the indices of the steps marked as done without a move.
    ``done_version``: the version of the match when a step was last marked. Both are stored on the
    device. The text is a polite live region; the card never takes the focus.

    ``has_queued_moves()`` returns whether moves are not stored yet; ``take_back(version)`` undoes
    all moves after a version; ``draw()`` draws the moment shown.
    """

    def __init__(
        self,
        context: MatchContext,
        slug: str,
        has_queued_moves: Callable[[], bool],
        take_back: Callable[[int], None],
        draw: Action,
    ) -> None:
        self.context = context
        self.slug = slug
        self.has_queued_moves = has_queued_moves
        self.take_back = take_back
        self.draw = draw
        self.lesson = lesson_of(self.slug)
        self.find_targets = loader.lesson_targets(self.slug).find_targets
        self.translate = translators_for(self.slug)[0]
        stored = loads_or_none(local_storage("lesson-" + self.slug) or "")
        kept = stored or {"aside": (), "since": 0}
        self.done_steps = {*kept["aside"]}
        self.done_version = kept["since"]
        self.shown_step: Any = None
        self.text_node = el("div", {"role": "status", "aria-live": "polite"})
        self.buttons = el("div", {"class": "coach-ways"})
        self.count = el("span", {"class": "muted figures"})
        self.skip = button(t("Skip"), lambda _e: self._skip(), "quiet")
        patch(self.skip, {"aria-label": t("Skip the lesson")})
        aside = el("div", {"class": "coach-side"}, self.skip, self.count)
        self.ring = el("div", {"class": "coach-ring", "aria-hidden": "true", "hidden": True})
        label = {"class": "coach", "aria-label": t("Lesson")}
        self.node = el("section", label, self.text_node, aside, self.buttons)
        context.moment_changed.subscribe(self._update)

    def _update(self, view_model: ViewModel) -> None:
        """Show the current step of the lesson and highlight the control to tap, if any."""
        if self.has_queued_moves():
            return  # the last move is not stored yet
        table = SERVER.matches[self.context.id]
        timeline = table.timeline
        progress = compute_progress(
            self.lesson.steps, timeline, table.head["first"], self.done_steps, self.done_version
        )
        shown = (progress, view_model.live)
        if shown != self.shown_step:
            self.shown_step = shown
            self._show_step(progress)
        move = None
        if view_model.live and not progress.strayed_at and progress.step < len(self.lesson.steps):
            step = self.lesson.steps[progress.step]
            state = timeline.latest.state
            move = step.move(state, 0) if step.move and view_model.seat == 0 else None
        if move is None:
            hide_highlight_ring()
        else:
            show_highlight_ring(self.find_targets(move, timeline.latest.state), self.ring)

    def _show_step(self, progress: Progress) -> None:
        """Update the text and the buttons of the card."""
        steps = self.lesson.steps
        learnt = (
            self.translate(steps[progress.step - 1].explanation) if progress.previous_done else ""
        )
        over = progress.step == len(steps)
        self.skip.hidden = over
        text = t("{step} of {steps}", step=progress.step + 1, steps=len(steps))
        fill(self.count, None if over else text)
        if over:
            self._show_text(learnt, t("You know enough to play."), self._next_links())
        elif progress.strayed_at:
            text = t("Take it back to follow the lesson, or go on from here.")
            back = button(
                t("Take it back"), lambda _e: self.take_back(progress.strayed_at), "primary"
            )
            self._show_text(
                t("That is allowed too."), text, [back, self._continue_button(progress.step)]
            )
        else:
            step = steps[progress.step]
            buttons = [] if step.is_done else [self._continue_button(progress.step, "primary")]
            self._show_text(learnt, self.translate(step.instruction), buttons)

    def _show_text(self, learnt: str, text: str, buttons: list[Node]) -> None:
        fill(
            self.text_node,
            el("p", {"class": "learnt"}, learnt) if learnt else None,
            el("p", {}, text),
        )
        fill(self.buttons, buttons)

    def _continue_button(self, step: int, kind: str = "") -> Node:
        return button(t("Go on"), lambda _e: self._continue_after(step), kind)

    def _continue_after(self, step: int) -> None:
        """Mark a step as done, and the next ones if the player is to move but cannot make them."""
        state = SERVER.matches[self.context.id].timeline.latest.state
        steps, last = self.lesson.steps, step
        mine = self.context.match.seat_to_act() == 0
        while last + 1 < len(steps) and mine and _is_out_of_place(steps[last + 1], state):
            last += 1
        self._mark_done(range(step, last + 1))

    def _mark_done(self, steps: range) -> None:
        self.done_steps |= {*steps}
        self.done_version = SERVER.matches[self.context.id].timeline.version
        local_storage(
            "lesson-" + self.slug,
            dumps({"aside": sorted(self.done_steps), "since": self.done_version}),
        )
        self.draw()

    def _skip(self) -> None:
        self._mark_done(range(len(self.lesson.steps)))

    def _next_links(self) -> list[Node]:
        against = {"class": "button primary", "href": f"/play/{self.slug}"}
        return [
            el("a", against, t("Play against the bot")),
            el("a", {"class": "button", "href": f"/rules/{self.slug}"}, t("Read the rules")),
            button(t("Once more"), self._restart, "quiet"),
        ]

    def _restart(self, _event: DomEvent) -> None:
        """Delete the lesson's match and progress, and start from the beginning."""
        local_storage("lesson-" + self.slug, None)

        def on_deleted(_safe: bool, _results: Any) -> None:
            SERVER.evict(self.context.id)
            self.context.navigate(self.context.address_at())

        local_match_delete(self.context.id, on_deleted)


def _is_out_of_place(step: Any, state: Any) -> bool:
    """Return whether a step demonstrates a move that is impossible in this state."""
    return step.move is not None and step.move(state, 0) is None
