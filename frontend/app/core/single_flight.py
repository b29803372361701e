"""An action that sends one request at a time, so that a double tap does not act twice."""

from collections.abc import Callable
from typing import Any

from frontend.app.core.types import Callback, Node


class SingleFlight:
    """Sends one request at a time; further requests are ignored until it is answered."""

    is_running = False

    def run(
        self,
        send: Callable[..., object],
        args: tuple[Any, ...],
        done: Callback,
        failed: Callback,
        *controls: Node,
    ) -> None:
        """Call ``send(*args, done, failed)`` unless a request is in progress.

        ``send`` must call one of the two callbacks once. ``controls`` are disabled until then.
        """
        if self.is_running:
            return

        def end(then: Callback, result: Any) -> None:
            self.is_running = False
            for control in controls:
                control.disabled = False
            then(result)

        self.is_running = True
        for control in controls:
            control.disabled = True
        send(*args, lambda data: end(done, data), lambda problem: end(failed, problem))
