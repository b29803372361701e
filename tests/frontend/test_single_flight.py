"""`SingleFlight`: one request at a time, and disabled controls until it is answered."""

from types import SimpleNamespace
from typing import Any

import pytest

from frontend.app.core.single_flight import SingleFlight


class Request:
    """Records the calls of ``send`` and their callbacks, and the results that were passed on."""

    def __init__(self) -> None:
        self.sent: list[tuple[Any, Any]] = []
        self.results: list[tuple[str, Any]] = []

    def send(self, done: Any, failed: Any) -> None:
        self.sent.append((done, failed))

    def run(self, flight: SingleFlight, *controls: Any) -> None:
        flight.run(
            self.send,
            (),
            lambda data: self.results.append(("done", data)),
            lambda problem: self.results.append(("failed", problem)),
            *controls,
        )


def test_double_tap_sends_one_request() -> None:
    flight, request = SingleFlight(), Request()
    request.run(flight)
    request.run(flight)
    assert len(request.sent) == 1


@pytest.mark.parametrize(("number", "outcome"), [(0, "done"), (1, "failed")])
def test_controls_are_disabled_until_the_request_has_ended(number: int, outcome: str) -> None:
    flight, request = SingleFlight(), Request()
    control = SimpleNamespace(disabled=False)
    request.run(flight, control)
    assert control.disabled
    request.sent[0][number]("result")
    assert not control.disabled
    assert request.results == [(outcome, "result")]
    request.run(flight)
    assert len(request.sent) == 2


def test_arguments_are_passed_on() -> None:
    found: list[Any] = []
    SingleFlight().run(lambda *args: found.extend(args[:-2]), ("/path", {}), print, print)
    assert found == ["/path", {}]


def test_next_request_may_be_sent_from_a_callback() -> None:
    flight, request = SingleFlight(), Request()
    flight.run(request.send, (), lambda _data: request.run(flight), lambda _problem: None)
    request.sent[0][0]("first")
    assert len(request.sent) == 2
    assert flight.is_running
