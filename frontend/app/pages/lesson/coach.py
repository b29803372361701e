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
from frontend.app.core.i18n import t, translator_for
from frontend.app.core.types import Action, DomEvent, Node
from frontend.app.games import loader
from frontend.app.offline.server import SERVER
from frontend.app.pages.lesson.quiz import build_answers


class Coach:
    """The card of the lesson.

    ``node``: the card. ``done_steps``: the indices of the steps marked as done without a move.
    ``done_version``: the version of the match when a step was last marked. ``answered``: how many
    of the closing questions are done. All three are stored on the device. The text is a polite live
    region; the card never takes the focus.

    ``has_queued_moves()`` returns whether moves are not stored yet; ``is_animating()`` whether the
    moves of bots are being animated; ``take_back(version)`` undoes all moves after a version;
    ``draw()`` draws the moment shown.
    """

    def __init__(
        self,
        context: MatchContext,
        slug: str,
        has_queued_moves: Callable[[], bool],
        is_animating: Callable[[], bool],
        take_back: Callable[[int], None],
        draw: Action,
    ) -> None:
        self.context = context
        self.slug = slug
        self.has_queued_moves = has_queued_moves
        self.is_animating = is_animating
        self.take_back = take_back
        self.draw = draw
        self.lesson = lesson_of(self.slug)
        self.find_targets = loader.lesson_targets(self.slug).find_targets
        self.translate = translator_for(self.slug)
        stored = loads_or_none(local_storage("lesson-" + self.slug) or "")
        kept = {"aside": (), "since": 0, "answered": 0, **(stored or {})}
        self.done_steps = {*kept["aside"]}
        self.done_version = kept["since"]
        self.answered = kept["answered"]
        self.shown_step: Any = None
        self.text_node = el("div", {"class": "coach-text", "role": "status", "aria-live": "polite"})
        self.buttons = el("div", {"class": "coach-ways"})
        self.count = el("span", {"class": "muted figures"})
        self.skip = button(t("lesson.skip"), lambda _e: self._skip(), "quiet")
        patch(self.skip, {"aria-label": t("lesson.skip_name")})
        self.side = el("div", {"class": "coach-side"}, self.skip, self.count)
        self.ring = el("div", {"class": "coach-ring", "aria-hidden": "true", "hidden": True})
        label = {"class": "coach", "aria-label": t("lesson.title")}
        self.node = el("section", label, self.text_node, self.side, self.buttons)
        context.moment_changed.subscribe(self._update)

    def _update(self, view_model: ViewModel) -> None:
        """Show the current step of the lesson and highlight the control to tap, if any.

        While the moves of bots are animated, the card keeps the text of the last step, and nothing
        is highlighted.
        """
        if self.has_queued_moves():
            return  # the last move is not stored yet
        if self.is_animating() and self.shown_step is not None:
            hide_highlight_ring()
            return
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
        questions = self.lesson.questions[self.answered :] if progress.step == len(steps) else ()
        over = progress.step == len(steps) and not questions
        self.side.hidden = over
        step = progress.step + (self.answered if questions else 0)
        total = len(steps) + len(self.lesson.questions)
        fill(self.count, None if over else t("lesson.step", step=step + 1, steps=total))
        if questions:
            answers = build_answers(questions[0], self.translate, self._ask_next)
            before = "" if self.answered else learnt
            self._show_text(before, self.translate(questions[0].question), answers, "asks")
        elif over:
            after = "" if self.lesson.questions else learnt
            self._show_text(after, t("lesson.ready"), self._next_links(), "reads ends")
        elif progress.strayed_at:
            text = t("lesson.undo_or_continue")
            back = button(
                t("lesson.undo"), lambda _e: self.take_back(progress.strayed_at), "primary"
            )
            self._show_text(
                t("lesson.also_legal"), text, [back, self._continue_button(progress.step)]
            )
        else:
            task = steps[progress.step]
            buttons = [] if task.is_done else [self._continue_button(progress.step, "primary")]
            self._show_text(learnt, self.translate(task.instruction), buttons)

    def _show_text(self, learnt: str, text: str, buttons: list[Node], kind: str = "") -> None:
        """Fill the card; only its text scrolls, so that the buttons are always visible."""
        kind = kind or ("reads" if buttons else "")
        patch(self.node, {"class": f"coach {kind}".strip()})
        self.text_node.scrollTop = 0
        fill(
            self.text_node,
            el("p", {"class": "learnt"}, learnt) if learnt else None,
            el("p", {}, text),
        )
        fill(self.buttons, buttons)

    def _ask_next(self) -> None:
        """Continue after a question was answered."""
        self.answered += 1
        self._mark_done(range(0))

    def _continue_button(self, step: int, kind: str = "") -> Node:
        return button(t("lesson.next"), lambda _e: self._continue_after(step), kind)

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
            dumps(
                {
                    "aside": sorted(self.done_steps),
                    "since": self.done_version,
                    "answered": self.answered,
                }
            ),
        )
        self.shown_step = None
        self.draw()

    def _skip(self) -> None:
        self.answered = len(self.lesson.questions)
        self._mark_done(range(len(self.lesson.steps)))

    def _next_links(self) -> list[Node]:
        against = {"class": "button primary", "href": f"/play/{self.slug}"}
        return [
            el("a", against, t("lesson.play_easy_bot")),
            el("a", {"class": "button", "href": f"/rules/{self.slug}"}, t("rules.read")),
            button(t("lesson.restart"), self._restart, "quiet"),
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
