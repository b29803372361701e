"""A match that begins with one tap: nothing is asked, a name may come later."""

from collections.abc import Callable

from _native import go, guides

from domain.marks import person_mark
from frontend.app import houses, people, room, titles
from frontend.app.dom import show, toast
from frontend.app.net import Problem
from frontend.app.phone.house import HOUSE
from frontend.app.typed import Data, Went
from frontend.app.words import t


def begin(slug: str, alone: bool, wanted: Callable[[], bool], went: Went) -> None:
    """Opens a match on this phone against easy bots, or alone where the game can be played so;
    ``wanted()``: whether nobody has gone on meanwhile."""

    def known(_games: list[Data]) -> None:
        if not wanted():
            return
        game = titles.of(slug)
        if not game["seats"]:
            show(room.message(t("Nothing here"), t("This address leads nowhere.")))
            return
        more = [count for count in game["seats"] if count > 1]
        seats = 1 if alone and 1 in game["seats"] else more[0]
        table = {"game": slug, "seats": seated(seats), "options": {}}

        def lay() -> None:
            HOUSE.open(table, game["options"], opened, failed)

        # Who begins so may know little of the game: its first hint is there with the table.
        if slug in guides():
            houses.load_guide(slug, lay)
        else:
            lay()

    def opened(match: Data) -> None:
        if wanted():
            go(f"/m/{match['id']}", True)  # back leads to where one was, and opens no other
            went(None)

    def failed(problem: Problem) -> None:
        toast(problem.detail)
        went("/")

    titles.learn(known)


def seated(count: int) -> list[Data]:
    """Whoever holds the phone, and easy bots on the other seats."""
    bot = {"kind": "bot", "level": "easy"}
    return [{"kind": "me", "name": people.me["name"] or person_mark(1)}, *[bot] * (count - 1)]
