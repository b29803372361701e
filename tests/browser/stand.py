"""A phone that shows scenes."""

from playwright.sync_api import Browser

from tests.browser.chromium import asset
from tests.browser.phone import Phone
from tests.browser.scenes import Scene
from tests.browser.service import Program

# Whether the app runs and shows a page alone, without a sheet or a toast.
SHOWS_PAGE_ALONE = """() => document.documentElement.dataset.ready === "1" &&
  !document.querySelector("dialog[open], .toast") && !history.state?.over"""


class Stand:
    """A phone that shows one scene after another, for whichever player.

    The app keeps running between two scenes of one player: starting it takes several times as long
    as showing a page. With ``keeps_running=False`` it starts again for each scene.
    """

    def __init__(self, browser: Browser, base: str, *, keeps_running: bool = True) -> None:
        self.phone = Phone(browser, base)
        self.page = self.phone.page
        self.page.add_init_script("localStorage.setItem('player', '1')")
        self.base = base
        self._keeps_running = keeps_running
        self._token = ""

    def hold(self, scene: Scene, size: tuple[int, int]) -> None:
        """Show the scene at that size."""
        is_same = self._keeps_running and self._token == scene.person.token
        is_running = is_same and self.page.evaluate(SHOWS_PAGE_ALONE)
        if not is_running:
            self._sign_in(scene.person)
        self.resize(size)
        scene.open(self.page, in_app=is_running)

    def _sign_in(self, person: Program) -> None:
        """Leave the app and give its next page another player."""
        self.page.goto(asset("icon-192.png"))  # the last page asks nothing as the next player
        cookie = {"name": "player", "value": person.token, "url": self.base}
        self.phone.context.add_cookies([cookie])  # type: ignore[list-item]
        self._token = person.token

    def resize(self, size: tuple[int, int]) -> None:
        """Change the size of the window."""
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
