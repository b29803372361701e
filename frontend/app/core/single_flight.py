"""An action that sends one request at a time, so that a double tap does not act twice."""

from collections.abc import Callable
from typing import Any

from frontend.app.core.types import Callback, Node


class SingleFlight:
    """Sends one request at a time; further requests are ignored until it is answered."""

    def __init__(self) -> None:
        self.is_running = False

    def run(
        self,
        send: Callable[[Callback, Callback], object],
        done: Callback,
        failed: Callback,
        *controls: Node,
    ) -> None:
        """Call ``send(done, failed)`` unless a request is in progress.

        ``send`` must call one of its arguments once. ``controls`` are disabled until then.
        """
        if self.is_running:
            return

        def set_running(is_running: bool) -> None:
            self.is_running = is_running
            for control in controls:
                control.disabled = is_running

        def end_with(then: Callback) -> Callback:
            def on_end(result: Any) -> None:
                set_running(False)
                then(result)

            return on_end

        set_running(True)
        send(end_with(done), end_with(failed))
