"""The lesson of a match: shows each step on the card and highlights the control to tap."""

from typing import Any

from _native import (
    dumps,
    hide_highlight_ring,
    loads_or_none,
    local_match_delete,
    local_storage,
    show_highlight_ring,
)

from domain.match.lesson import Progress, compute_progress, lesson_of
from frontend.app.contract.game_screen import ViewModel
from frontend.app.core.dom import button, el
from frontend.app.core.i18n import t, translator_for
from frontend.app.core.types import DomEvent, Node
from frontend.app.games import loader
from frontend.app.match.match_view import MatchView
from frontend.app.offline.server import SERVER
from frontend.app.pages.lesson.card import LessonCard
from frontend.app.pages.lesson.quiz import build_answers


class SavedProgress:
    """What this device stores about a lesson.

    ``done_steps``: the indices of the steps marked as done without a move; ``done_version``: the
    version of the match when a step was last marked; ``answered``: how many of the closing
    questions are done.
    """

    def __init__(self, slug: str) -> None:
        self.key = "lesson-" + slug
        kept = loads_or_none(local_storage(self.key) or "") or {}
        self.done_steps = {*kept.get("aside", ())}
        self.done_version = kept.get("since", 0)
        self.answered = kept.get("answered", 0)

    def save(self) -> None:
        """Store the progress."""
        steps = sorted(self.done_steps)
        kept = {"aside": steps, "since": self.done_version, "answered": self.answered}
        local_storage(self.key, dumps(kept))


class Coach:
    """The lesson in ``view``, the match page of its match."""

    def __init__(self, view: MatchView, slug: str) -> None:
        self.view = view
        self.context = view.context
        self.slug = slug
        self.lesson = lesson_of(slug)
        self.saved = SavedProgress(slug)
        self.find_targets = loader.lesson_targets(slug).find_targets
        self.translate = translator_for(slug)
        self.shown_step: Any = None
        self.card = LessonCard(self._skip)
        self.ring = el("div", {"class": "coach-ring", "aria-hidden": "true", "hidden": True})
        self.context.moment_changed.subscribe(self._update)

    def _update(self, view_model: ViewModel) -> None:
        """Show the current step of the lesson and highlight the control to tap, if any.

        While the moves of bots are animated, the card keeps the text of the last step, and nothing
        is highlighted.
        """
        if self.view.move_queue.queue:
            return  # the last move is not stored yet
        if self.view.moment_view.playback.frame is not None and self.shown_step is not None:
            hide_highlight_ring()
            return
        steps, saved = self.lesson.steps, self.saved
        table = SERVER.matches[self.context.id]
        timeline = table.timeline
        progress = compute_progress(
            steps, timeline, table.head["first"], saved.done_steps, saved.done_version
        )
        shown = (progress, view_model.live)
        if shown != self.shown_step:
            self.shown_step = shown
            self._show_step(progress)
        move = None
        if view_model.live and not progress.strayed_at and progress.step < len(steps):
            step = steps[progress.step]
            state = timeline.latest.state
            move = step.move(state, 0) if step.move and view_model.seat == 0 else None
        if move is None:
            hide_highlight_ring()
        else:
            show_highlight_ring(self.find_targets(move, timeline.latest.state), self.ring)

    def _show_step(self, progress: Progress) -> None:
        """Update the text and the buttons of the card."""
        steps, answered = self.lesson.steps, self.saved.answered
        before = steps[progress.step - 1]
        learnt = self.translate(before.explanation) if progress.previous_done else ""
        questions = self.lesson.questions[answered:] if progress.step == len(steps) else ()
        over = progress.step == len(steps) and not questions
        step = progress.step + (answered if questions else 0)
        total = len(steps) + len(self.lesson.questions)
        self.card.show_count(None if over else step + 1, total)
        if questions:
            answers = build_answers(questions[0], self.translate, self._ask_next)
            question = self.translate(questions[0].question)
            self.card.show("" if answered else learnt, question, answers, "asks")
        elif over:
            after = "" if self.lesson.questions else learnt
            self.card.show(after, t("lesson.ready"), self._next_links(), "reads ends")
        elif progress.strayed_at:
            undo = self.view.own_undo.take_back
            back = button(t("lesson.undo"), lambda _e: undo(progress.strayed_at), "primary")
            buttons = [back, self._continue_button(progress.step)]
            self.card.show(t("lesson.also_legal"), t("lesson.undo_or_continue"), buttons)
        else:
            task = steps[progress.step]
            buttons = [] if task.is_done else [self._continue_button(progress.step, "primary")]
            self.card.show(learnt, self.translate(task.instruction), buttons)

    def _ask_next(self) -> None:
        """Continue after a question was answered."""
        self.saved.answered += 1
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
        self.saved.done_steps |= {*steps}
        self.saved.done_version = SERVER.matches[self.context.id].timeline.version
        self.saved.save()
        self.shown_step = None
        self.view.moment_view.draw()

    def _skip(self) -> None:
        self.saved.answered = len(self.lesson.questions)
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
        local_storage(self.saved.key, None)

        def on_deleted(_safe: bool, _results: Any) -> None:
            SERVER.evict(self.context.id)
            self.context.navigate(self.context.address_at())

        local_match_delete(self.context.id, on_deleted)


def _is_out_of_place(step: Any, state: Any) -> bool:
    """Return whether a step demonstrates a move that is impossible in this state."""
    return step.move is not None and step.move(state, 0) is None
