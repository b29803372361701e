"""The sheet that shows and saves an animation of a match, drawn by the service."""

from frontend.app.components.sheet import Sheet
from frontend.app.core.dom import el, fill, picture
from frontend.app.core.i18n import t
from frontend.app.core.types import DomEvent


class Film:
    """The sheet (``sheet``) with an animation of a match."""

    def __init__(self) -> None:
        self.sheet = Sheet(t("review.animation"), el("div", {}))

    def show(self, address: str) -> None:
        """Open the sheet with the animation at an address."""
        status = el("p", {"role": "status"}, t("review.loading"))

        def on_load(_event: DomEvent) -> None:
            fill(status)

        def on_error(_event: DomEvent) -> None:
            fill(status, t("error.image_failed"))

        given = {
            "class": "film",
            "alt": t("review.animation_alt"),
            "onload": on_load,
            "onerror": on_error,
        }
        moving = el("img", {**given, "src": address})
        keep = el(
            "a",
            {"class": "button primary", "href": address, "download": "caravanserai.gif"},
            picture("i-save", 22),
            el("span", {}, t("review.save_image")),
        )
        fill(self.sheet.body, el("div", {"class": "stack"}, status, moving, keep))
        self.sheet.open()
