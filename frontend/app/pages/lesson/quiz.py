"""A question at the end of a lesson, as nodes of its card."""

from collections.abc import Callable

from _native import fill, patch

from domain.match.lesson import Question
from frontend.app.core.dom import button, el
from frontend.app.core.i18n import join_sentences, t
from frontend.app.core.types import Action, Node


def build_answers(
    question: Question, translate: Callable[[str], str], on_continue: Action
) -> list[Node]:
    """Build the answers of a question, the reply to the chosen one and the way on.

    The reply appears below the answers, which scroll if they have too little room, so that they
    stay where they are. After a wrong answer another can be chosen; after the right one a button
    calls ``on_continue``.
    """
    reply = el("p", {"class": "reply", "role": "status"})
    onward = el("div", {"class": "coach-ways"})
    explanation = translate(question.explanation)

    def choose(number: int) -> None:
        if onward.children.length:
            return  # answered
        is_right = number == question.right
        verdict = t("lesson.right_answer") if is_right else t("lesson.wrong_answer")
        fill(reply, join_sentences([verdict, explanation]))
        patch(answers[number], {"data-verdict": "right" if is_right else "wrong"})
        if is_right:
            fill(onward, button(t("lesson.next"), lambda _e: on_continue(), "primary"))
        answers[number].scrollIntoView({"block": "nearest"})

    answers = [
        button(translate(text), lambda _e, at=number: choose(at), "possible-answer")
        for number, text in enumerate(question.answers)
    ]
    return [el("div", {"class": "possible-answers"}, answers), reply, onward]
