"""A crawler that reads all text of a page and presses every control to find more."""

import re
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Browser, Page, Route

from tests.browser.scenes import USUAL, Scene
from tests.browser.stand import Stand
from tests.i18n.pseudo import TAG, plain_words, strange

START = f"""
  localStorage.setItem("language", "{TAG}")
  localStorage.setItem("player", "1")
"""
SHOWN = """() => {
  const found = []
  const walk = (node) => {
    if (node.nodeType === 3) {
      found.push(node.data)
    } else if (node.nodeType === 1 && node.translate !== false
        && !["SCRIPT", "STYLE", "TEMPLATE", "NOSCRIPT"].includes(node.tagName)) {
      for (const name of ["aria-label", "title", "placeholder", "alt"]) {
        found.push(node.getAttribute(name) || "")
      }
      node.childNodes.forEach(walk)
    }
  }
  walk(document.body)
  found.push(document.title)
  return found.filter((text) => text.trim())
}"""
MATCH = re.compile(r"\b[0-9a-f]{8}\b|http://\S+|\b[A-Z][a-z]{2} \d+, \d{4}\b")
"""Match ids, links and dates: the browser has no date format for the pseudo-language."""
SETTLED = (
    "document.documentElement.dataset.ready === '1'"
    " && !document.querySelector('.skeleton:not(.sample), .first-board')"
)
# The controls of the topmost layer. Numbers in labels are ignored, and the first entry of a list
# of moves represents all.
PRESSED = """
  const top = [...document.querySelectorAll("dialog[open]")].at(-1) || document
  const all = {}
  const kinds = "button, summary, [type=radio], [type=checkbox], .tap, .legal"
  for (const node of top.querySelectorAll(kinds)) {
    if (node.checkVisibility() && !node.disabled && !node.closest(".toasts, .tongues")) {
      const said = node.closest("label") || node
      const one = node.closest(".moves, .table-card")
      const name = one ? "" : node.ariaLabel || said.textContent.trim()
      all[[name.replace(/\\d+/g, "#"), node.getAttribute("class")].join("|")] ??= node
    }
  }
"""
NAMES = f"() => {{ {PRESSED}; return Object.keys(all) }}"
PRESS = f"""wanted => {{ {PRESSED}
  all[wanted]?.dispatchEvent(new MouseEvent("click", {{ bubbles: true, cancelable: true }}))
  return wanted in all
}}"""
REST = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
DEEP = 3  # maximum length of a sequence of buttons


def untranslated(page: Page, *names: str) -> dict[str, list[str]]:
    """Return the untranslated words of the page, by the text that contains them."""
    found = {text: plain_words(MATCH.sub("", text), *names) for text in page.evaluate(SHOWN)}
    return {text: words for text, words in found.items() if words}


class Reader:
    """A phone in the pseudo-language.

    ``found`` maps each text to its scene and its untranslated words.
    """

    def __init__(self, browser: Browser, base: str, *names: str) -> None:
        self.stand = Stand(browser, base)
        self.page = self.stand.page
        self.page.add_init_script(START)
        self.names = names
        self.found: dict[str, Any] = {}
        self.pressed: set[str] = set()

    def read(self, scene: Scene) -> None:
        """Read what a scene shows as it opens."""
        self.stand.hold(scene, USUAL)
        self.page.wait_for_function(SETTLED)
        self._note(scene.name)

    def read_behind(self, scene: Scene) -> None:
        """Read a scene and what its controls open. No change is sent to the service."""
        self.page.route("**/api/**", self._refuse)
        self.read(scene)
        at = self.page.url
        paths = [(key,) for key in self._fresh()]
        while paths:
            path = paths.pop(0)
            if self.page.url != at or not self._press(path[-1]):
                self.read(scene)
                at = self.page.url
                if not all(self._press(key) for key in path):
                    continue  # a transient control, such as that of a recent move
            self._note(" > ".join((scene.name, *path)))
            if len(path) < DEEP and self.page.url == at:
                paths[:0] = [(*path, key) for key in self._fresh()]

    def _fresh(self) -> Iterator[str]:
        for key in self.page.evaluate(NAMES):
            if key not in self.pressed:
                self.pressed.add(key)
                yield key

    def _press(self, key: str) -> bool:
        with_it: bool = self.page.evaluate(PRESS, key)
        if with_it:
            self.page.wait_for_load_state()
            self.page.evaluate(REST)
            self.page.wait_for_function(SETTLED)
        return with_it

    def _refuse(self, route: Route) -> None:
        sends = route.request.method != "GET" and not route.request.url.endswith("/preview")
        if not sends:
            route.continue_()
            return
        detail = {"status": 403, "code": "stopped", "detail": strange("This is only tried out.")}
        route.fulfill(status=403, json=detail, content_type="application/problem+json")

    def _note(self, where: str) -> None:
        for text, words in untranslated(self.page, *self.names).items():
            self.found.setdefault(text, (where, words))

    def close(self) -> None:
        """Close the phone."""
        self.stand.phone.context.close()
