"""A form with one field, such as that for a recovery code."""

from collections.abc import Callable

from _native import fill

from frontend.app.core.dom import el, muted_text, problem_line
from frontend.app.core.problem import Problem
from frontend.app.core.types import Callback, DomEvent, Node


def field_form(
    label: str, field: Node, action: str, send: Callable[[str, Callback], object], hint: str = ""
) -> Node:
    """Return a form with ``field`` and a button labelled ``action``.

    ``send(text, failed)`` is called with the trimmed text unless it is empty; ``failed(problem)``
    shows a problem below the field.
    """
    error_line = problem_line()

    def on_error(problem: Problem) -> None:
        fill(error_line, problem.detail)
        field.focus()

    def on_submit(event: DomEvent) -> None:
        event.preventDefault()
        fill(error_line)
        text = str(field.value).strip()
        if text:
            send(text, on_error)
        else:
            field.focus()

    return el(
        "form",
        {"class": "stack", "onsubmit": on_submit, "novalidate": True},
        el("label", {"for": field.id}, label),
        muted_text(hint) if hint else None,
        field,
        error_line,
        el("button", {"type": "submit", "class": "button"}, action),
    )
