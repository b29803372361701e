"""Board thumbnails of listed matches and of the games on offer, and large board pictures.

The service draws thumbnails; a local match's is drawn on the device when its page is left. Space is
reserved for each, and the browser loads it lazily.
"""

from typing import Any

from _native import for_each_node, media_matches, picture_data_url, theme

from frontend.app.core.dom import el, fill
from frontend.app.core.types import Data, DomEvent, Node

DARK_SCHEME = "(prefers-color-scheme: dark)"


def match_thumbnail(item: Data) -> Node:
    """Return the thumbnail of a listed match; hidden from screen readers."""
    if "picture" in item:
        return _plate({"data-kept": item["picture"]})
    return _plate({"data-board": f"/api/matches/{item['id']}/board.svg?at={item['version']}&"})


def game_thumbnail(slug: str) -> Node:
    """Return a thumbnail of a possible start position of a game."""
    return _plate({"data-board": f"/api/games/{slug}/board.svg?"})


def active_theme() -> str:
    """Return the theme in use: "light" or "dark"."""
    return theme() or ("dark" if media_matches(DARK_SCHEME) else "light")


def large_picture(address: str, alt_text: str) -> Node:
    """Return a large board picture; it is hidden if it fails to load."""

    def hide_plate(_event: DomEvent) -> None:
        plate.hidden = True

    plate = el("span", {"class": "large-board"})
    shown = f"{address}&theme={active_theme()}"
    plate.append(el("img", {"alt": alt_text, "src": shown, "onerror": hide_plate}))
    return plate


def show_local_picture(home: Node, picture: str, alt_text: str) -> None:
    """Show a large board picture that was drawn on this device in ``home``."""
    image = el("img", {"alt": alt_text, "src": picture_data_url(picture)})
    fill(home, el("span", {"class": "large-board"}, image))


def refresh_theme() -> None:
    """Redraw all thumbnails of the page in the current theme."""
    for_each_node(".small-board", _draw)


def _plate(attributes: dict[str, Any]) -> Node:
    plate = el("span", {"class": "small-board", "aria-hidden": "true", **attributes})
    _draw(plate)
    return plate


def _draw(plate: Node) -> None:
    kept, address = plate.getAttribute("data-kept"), plate.getAttribute("data-board")
    if kept:
        fill(plate, _image(picture_data_url(kept)))
    elif address and theme():
        fill(plate, _image(f"{address}theme={theme()}"))
    elif address:
        by_night = {"srcset": address + "theme=dark", "media": DARK_SCHEME}
        shown = _image(address + "theme=light")
        fill(plate, el("picture", {}, el("source", by_night), shown))


def _image(address: str) -> Node:
    return el("img", {"loading": "lazy", "decoding": "async", "alt": "", "src": address})
