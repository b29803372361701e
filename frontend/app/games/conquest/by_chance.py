"""The option editor for a random map, with a preview.

The option's JSON Schema names this module (``"editor"``, see `domain.contract.options`). Do not
rename it: the API publishes the name and devices store it.
"""

from collections.abc import Callable
from typing import Any

from _native import random_below

from domain.games.conquest.generator import MAX_SEED
from frontend.app.api import client
from frontend.app.components.toggle import toggle_field
from frontend.app.contract import game_screen
from frontend.app.core.dom import after, announce, button, cancel, el, fill
from frontend.app.core.problem import Problem
from frontend.app.core.types import Data, DomEvent
from frontend.app.games.conquest.i18n import t
from frontend.app.games.conquest.terrain import picture

PREVIEW_DELAY_MS = 400  # delay between a keystroke and the request for the preview


def random_seed() -> int:
    """Return a random map number from 1 to `MAX_SEED`."""
    return random_below(MAX_SEED) + 1


def request_preview(options: Data, done: Callable[[Data], object], failed: Any) -> None:
    """Request the preview of a match; then call ``done(view)`` or ``failed(problem)``."""
    body = {"seats": 2, "options": options}
    client.call("POST", "/api/games/conquest/preview", body, lambda it: done(it["view"]), failed)


class OptionEditor(game_screen.OptionEditor):
    """The form field for the number of a random map, with a preview made by the service."""

    def __init__(self, option: Data, value: Any, on_change: Callable[[Any], object]) -> None:
        super().__init__(option, value, on_change)
        self.seed = value or 0
        self.size = ""
        self.wanted: tuple[Any, ...] = ()
        self.seen: tuple[Any, ...] = ()
        self.typing: Any = None
        self.map = el("div", {"class": "map-place"})
        given = {"type": "number", "inputmode": "numeric", "min": 1, "max": MAX_SEED}
        self.field = el("input", {**given, "value": self.seed or "", "oninput": self._on_input})
        self.open = el("div", {"class": "stack"}, self.map, self._controls())
        text, about = t("random_map.hidden"), t("random_map.hidden_about")
        hidden = toggle_field(text, about, False, self._hide)
        self.node = el("div", {"class": "stack by-chance"}, self.open, hidden)

    def _controls(self) -> Any:
        about = el("small", {}, t("random_map.number_about"))
        number = el("span", {}, t("random_map.number"), about)
        again = button(t("random_map.new"), lambda _e: self._use(random_seed()), "grow", "i-redo")
        field = el("label", {"class": "number"}, number, self.field)
        return [el("div", {"class": "row"}, again), field]

    def on_options_change(self, options: Data) -> None:
        """Show the preview in the chosen size if the option "map" is "generated"."""
        self.size = options.get("size", "standard")
        if options.get("map") != "generated" or self.open.hidden:
            return
        if not self.seed:
            self._use(random_seed())
        else:
            self._request_preview()

    def _hide(self, on: Any) -> None:
        self.open.hidden = bool(on)
        self.on_change(0 if on else self.seed)
        if not on:
            self._request_preview()

    def _use(self, seed: int) -> None:
        self.seed = seed
        self.field.value = str(seed)
        self.on_change(seed)
        self._request_preview()

    def _on_input(self, _event: DomEvent) -> None:
        typed = str(self.field.value)
        cancel(self.typing)
        if typed and self.field.checkValidity():
            self.seed = int(typed)
            self.on_change(self.seed)
            self.typing = after(PREVIEW_DELAY_MS, self._request_preview)

    def _request_preview(self) -> None:
        self.wanted = asked = (self.size, self.seed)
        if self.wanted == self.seen:
            return

        def on_preview(view: Data) -> None:
            if asked == self.wanted:
                self.seen = asked
                self._show(view)

        def on_error(problem: Problem) -> None:
            if asked == self.wanted:
                self.seen = ()
                fill(self.map, el("p", {"class": "problem", "role": "alert"}, problem.detail))

        options = {"map": "generated", "size": self.size, "seed": self.seed}
        request_preview(options, on_preview, on_error)

    def _show(self, view: Data) -> None:
        label = t("random_map.picture", seed=self.seed)
        fill(self.map, picture(view["map"]["rows"], view["treasure"], label))
        announce(t("random_map.shown", seed=self.seed))
