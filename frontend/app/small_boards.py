"""Small pictures of boards: those of tables in a list, and of the games one can choose from.

The service draws them; what is played on the phone itself was drawn when its page was left. Each
has its room before it comes, and comes only when it is about to be seen.
"""

from typing import Any

from _native import each_of, kept_picture, matches, theme

from frontend.app.dom import el, fill
from frontend.app.typed import Data, DomEvent, Node

NIGHT = "(prefers-color-scheme: dark)"


def small_board(item: Data) -> Node:
    """The board of a table in a list; who is read the list hears nothing of it."""
    if "picture" in item:
        return _plate({"data-kept": item["picture"]})
    return _plate({"data-board": f"/api/matches/{item['id']}/board.svg?at={item['version']}&"})


def board_of_game(slug: str) -> Node:
    """The board of a game, as it may lie at the beginning."""
    return _plate({"data-board": f"/api/games/{slug}/board.svg?"})


def by_now() -> str:
    """The colours that are asked for now: "light" or "dark"."""
    return theme() or ("dark" if matches(NIGHT) else "light")


def large_board(address: str, words: str) -> Node:
    """A board that is looked at for itself; nothing where it does not come."""

    def gone(_event: DomEvent) -> None:
        plate.hidden = True

    plate = el("span", {"class": "large-board"})
    shown = f"{address}&theme={by_now()}"
    plate.append(el("img", {"alt": words, "src": shown, "onerror": gone}))
    return plate


def put_kept(home: Node, picture: str, words: str) -> None:
    """Puts a board there that was drawn on this phone."""
    image = el("img", {"alt": words, "src": kept_picture(picture)})
    fill(home, el("span", {"class": "large-board"}, image))


def wear() -> None:
    """Draws all that are in the page anew: by day or by night, whichever is asked for now."""
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
