"""The preview of a new match: a picture of its initial board."""

from collections.abc import Callable

from _native import dumps, fetch_picture, fill

from frontend.app.components.sheet import Sheet
from frontend.app.core.dom import button, el, muted_text, problem_line, stack
from frontend.app.core.i18n import t
from frontend.app.core.problem import Problem
from frontend.app.core.types import Data, Node


class Preview:
    """The preview button and its sheet.

    ``get_request()`` returns the slug and request body: ``(slug, {"seats": ..., "options": ...})``.
    """

    def __init__(self, get_request: Callable[[], tuple[str, Data]]) -> None:
        self.get_request = get_request
        self.body = stack()
        self.sheet = Sheet(t("setup.preview_title"), self.body)

    def button(self) -> Node:
        """Return the button that shows the preview for the current settings."""
        return button(t("setup.preview"), lambda _e: self._open(), "quiet", "i-eye")

    def _open(self) -> None:
        slug, body = self.get_request()
        fill(self.body, el("div", {"class": "skeleton", "style": "aspect-ratio:1200/630"}))
        self.sheet.open()
        fetch_picture(f"/api/games/{slug}/preview.png", dumps(body), self._on_picture)

    def _on_picture(self, address: str | None, status: int, data: Data) -> None:
        if address is None:
            fill(self.body, problem_line(Problem(status, data).detail))
            return
        shape = {"width": 1200, "height": 630, "class": "still"}
        fill(
            self.body,
            el("img", {"src": address, "alt": t("setup.preview_alt"), **shape}),
            muted_text(t("setup.preview_random")),
        )
