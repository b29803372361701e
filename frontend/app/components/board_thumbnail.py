"""Board thumbnails: of the matches in a list, and of the games to choose from.

The service draws them; those of matches played on this phone were drawn when the page was left.
Each has its space reserved before it loads, and loads only when it is about to be visible.
"""

from typing import Any

from _native import each_of, kept_picture, matches, theme

from frontend.app.core.dom import el, fill
from frontend.app.core.types import Data, DomEvent, Node

NIGHT = "(prefers-color-scheme: dark)"


def small_board(item: Data) -> Node:
    """Return the thumbnail of a match in a list; hidden from screen readers."""
    if "picture" in item:
        return _plate({"data-kept": item["picture"]})
    return _plate({"data-board": f"/api/matches/{item['id']}/board.svg?at={item['version']}&"})


def board_of_game(slug: str) -> Node:
    """Return the thumbnail of a game's possible start position."""
    return _plate({"data-board": f"/api/games/{slug}/board.svg?"})


def by_now() -> str:
    """Return the current theme: "light" or "dark"."""
    return theme() or ("dark" if matches(NIGHT) else "light")


def large_board(address: str, words: str) -> Node:
    """Return a large board picture; it is hidden if it fails to load."""

    def gone(_event: DomEvent) -> None:
        plate.hidden = True

    plate = el("span", {"class": "large-board"})
    shown = f"{address}&theme={by_now()}"
    plate.append(el("img", {"alt": words, "src": shown, "onerror": gone}))
    return plate


def put_kept(home: Node, picture: str, words: str) -> None:
    """Show a large board picture that was drawn on this phone."""
    image = el("img", {"alt": words, "src": kept_picture(picture)})
    fill(home, el("span", {"class": "large-board"}, image))


def wear() -> None:
    """Redraw all thumbnails of the page in the current theme."""
    each_of(".small-board", _draw)


def _plate(told: dict[str, Any]) -> Node:
    plate = el("span", {"class": "small-board", "aria-hidden": "true", **told})
    _draw(plate)
    return plate


def _draw(plate: Node) -> None:
    kept, address = plate.getAttribute("data-kept"), plate.getAttribute("data-board")
    if kept:
        fill(plate, _image(kept_picture(kept)))
    elif address and theme():
        fill(plate, _image(f"{address}theme={theme()}"))
    elif address:
        by_night = {"srcset": address + "theme=dark", "media": NIGHT}
        shown = _image(address + "theme=light")
        fill(plate, el("picture", {}, el("source", by_night), shown))


def _image(address: str) -> Node:
    return el("img", {"loading": "lazy", "decoding": "async", "alt": "", "src": address})
