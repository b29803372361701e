"""The sheet that shows and saves an animation of a match, drawn by the service."""

from frontend.app.components.sheet import Sheet
from frontend.app.core.dom import el, fill, picture
from frontend.app.core.i18n import t


class Film:
    """The sheet (``sheet``) with an animation of a match."""

    def __init__(self) -> None:
        self.sheet = Sheet(t("review.animation"), el("div", {}))

    def show(self, address: str) -> None:
        """Open the sheet with the animation at an address."""
        status = el("p", {"role": "status"}, t("review.loading"))
        on_end = {
            "onload": lambda _e: fill(status),
            "onerror": lambda _e: fill(status, t("error.image_failed")),
        }
        image = {"class": "film", "alt": t("review.animation_alt"), **on_end, "src": address}
        link = {"class": "button primary", "href": address, "download": "caravanserai.gif"}
        keep = el("a", link, picture("i-save", 22), el("span", {}, t("review.save_image")))
        fill(self.sheet.body, el("div", {"class": "stack"}, status, el("img", image), keep))
        self.sheet.open()
