"""Seat recovery: the seat PIN, and the other players' request to let a player back in.

Lazily loaded as a separate part.
"""

from collections.abc import Callable
from typing import Any

from frontend.app.api import client
from frontend.app.core.dom import add_listener, button, el, fill, pin_field, toast
from frontend.app.core.i18n import t
from frontend.app.core.problem import Problem
from frontend.app.core.single_flight import SingleFlight
from frontend.app.core.types import Data, DomEvent, Node


def code_field(name: str, value: str = "") -> Node:
    """Return a text field for the eight-character code of a recovery request."""
    given = {"type": "text", "id": name, "name": name, "maxlength": 20, "value": value}
    typing = {"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}
    return el("input", {**given, **typing})


class SeatPinForm:
    """The PIN of this device's seat: whether it is set, and a form to set, change or remove it."""

    def __init__(self, path: str, seat: int, body: Node) -> None:
        self.path = path
        self.seat = seat
        self.body = body
        self.flight = SingleFlight()
        client.get(
            f"{path}/pin?seat={seat}", self._show, lambda problem: _show_problem(body, problem)
        )

    def _show(self, pin: Data) -> None:
        field = pin_field("seat-pin")
        problem_line = el("p", {"class": "problem", "role": "alert"})

        def refuse(problem: Problem) -> None:
            fill(problem_line, problem.detail)
            field.focus()

        def send(value: str | None, done_words: str) -> None:
            def on_saved(answer: Data) -> None:
                toast(done_words)
                self._show(answer)

            fill(problem_line)
            body = {"seat": self.seat, "pin": value}
            self.flight.run(client.call, ("PUT", self.path + "/pin", body), on_saved, refuse)

        def on_submit(event: DomEvent) -> None:
            event.preventDefault()
            send(str(field.value).strip(), t("seat.pin_saved"))

        has_pin = pin["chosen"]
        label = t("seat.new_pin") if has_pin else t("seat.pin_field")
        save = el("button", {"type": "submit", "class": "button"}, t("seat.pin_save"))
        remove = button(t("seat.pin_remove"), lambda _e: send(None, t("seat.pin_removed")))
        fill(
            self.body,
            el("p", {}, t("seat.pin_intro")),
            el("p", {}, t("seat.codes", code=pin["table"], seat=self.seat + 1)),
            el("p", {"class": "muted"}, t("seat.has_pin")) if has_pin else None,
            el(
                "form",
                {"onsubmit": on_submit},
                el("label", {"for": "seat-pin"}, label),
                problem_line,
                el("div", {"class": "entry"}, field, save),
            ),
            remove if has_pin else None,
        )


class SeatRecoveryForm:
    """The form that requests the return of a seat to a player who lost their device."""

    def __init__(
        self, path: str, own_seat: int, names: Any, body: Node, on_done: Any, code: str = ""
    ) -> None:
        self.path = path
        self.own_seat = own_seat
        self.names = names
        self.body = body
        self.on_done = on_done
        self.code = code
        self.flight = SingleFlight()
        client.get(path + "/recovery", self._show, lambda problem: _show_problem(body, problem))

    def _show(self, answer: Data) -> None:
        if answer["reason"]:
            fill(self.body, el("p", {}, answer["reason"]))
            return
        if not answer["seats"]:
            fill(self.body, el("p", {}, t("seat.nobody_to_let_back")))
            return
        self._show_form(answer)

    def _send(self, about: int, code: str, refuse: Callable[[Problem], object]) -> None:
        body = {"seat": self.own_seat, "about": about, "code": code}
        request = ("POST", self.path + "/recovery", body)
        self.flight.run(client.call, request, lambda _match: self.on_done(), refuse)

    def _show_form(self, answer: Data) -> None:
        options = [el("option", {"value": str(seat)}, self.names[seat]) for seat in answer["seats"]]
        choice = el("select", {"id": "let-seat", "name": "let-seat"}, options)
        with_pin = el("p", {"class": "muted"})

        def on_choose(_event: DomEvent | None = None) -> None:
            seat = int(choice.value)
            name, code = self.names[seat], answer["table"]
            fill(with_pin, t("seat.pin_helps", name=name, code=code, seat=seat + 1))

        add_listener(choice, "change", on_choose)
        on_choose()
        field = code_field("let-code", self.code)
        problem_line = el("p", {"class": "problem", "role": "alert"})

        def refuse(problem: Problem) -> None:
            fill(problem_line, problem.detail)
            field.focus()

        def on_submit(event: DomEvent) -> None:
            event.preventDefault()
            fill(problem_line)
            self._send(int(choice.value), str(field.value).strip() or "-", refuse)

        fill(
            self.body,
            el("p", {}, t("seat.let_back_intro")),
            el(
                "form",
                {"class": "stack", "onsubmit": on_submit},
                el("label", {"for": "let-seat"}, t("seat.who_lost")),
                choice,
                with_pin,
                el("label", {"for": "let-code"}, t("seat.code_on_new_device")),
                problem_line,
                field,
                el("button", {"type": "submit", "class": "button"}, t("seat.let_back")),
            ),
        )
        field.focus()


def _show_problem(body: Node, problem: Problem) -> None:
    fill(body, el("p", {"class": "notice-line", "role": "alert"}, problem.detail))
