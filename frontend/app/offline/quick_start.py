"""Practice games: local matches that begin with a single tap.

A device has one running practice game for each game and number of seats. Opening it again resumes
it; the menu of the match offers to start over.
"""

from collections.abc import Callable, Sequence
from typing import Any

from _native import go, guides, local_match_all, local_match_delete, with_lock

from domain.text.default_names import default_person_name
from frontend.app.api import game_catalogue, local_gateway, session
from frontend.app.components import page_frame
from frontend.app.components.confirm_dialog import ConfirmDialog
from frontend.app.components.menu_button import menu_button
from frontend.app.contract.context import MatchContext
from frontend.app.core.dom import show, toast
from frontend.app.core.i18n import t
from frontend.app.core.problem import Problem
from frontend.app.core.types import Action, Callback, Data, DomEvent, Navigate, Node
from frontend.app.games import loader
from frontend.app.offline.server import SERVER


def start_quick_game(
    slug: str, alone: bool, is_wanted: Callable[[], bool], navigate: Navigate
) -> None:
    """Resume or open a practice game and navigate to it.

    It is played against easy bots, or alone if ``alone`` is set and the game allows that.
    ``is_wanted()`` returns False once another page was requested; then nothing is shown.
    """

    def known(_games: list[Data]) -> None:
        if not is_wanted():
            return
        game = game_catalogue.get(slug)
        if not game["seats"]:
            show(page_frame.message_page(t("error.page_not_found"), t("error.address_unknown")))
            return
        seats = practice_seat_count(game["seats"], alone)

        def find() -> None:
            _find_or_open(game, seats, show_table, on_error)

        # Many of these players are new to the game: load its guide so that hints appear at once.
        if slug in guides():
            loader.load_guide(slug, find)
        else:
            find()

    def show_table(match_id: str, resumed: bool) -> None:
        if is_wanted():
            if resumed:
                toast(t("offline.practice_goes_on"))
            go(f"/m/{match_id}", True)  # replace the entry, so that Back does not open another game
            navigate(None)

    def on_error(problem: Problem) -> None:
        toast(problem.detail)
        navigate("/")

    game_catalogue.load(known)


def _find_or_open(
    game: Data, seats: int, on_match: Callable[[str, bool], object], failed: Callback
) -> None:
    """Find or open a practice game with ``seats`` seats; then call ``on_match(id, resumed)``.

    A lock lets one window search at a time, so that a second tap finds the match opened by the
    first. Calls ``failed(problem)`` if no match can be opened.
    """
    slug = game["slug"]

    def look(release: Action) -> None:
        def on_list(safe: bool, kept: Any) -> None:
            running = find_running_practice(kept[0] if safe else (), slug, seats)
            if running:
                release()
                on_match(running, True)
            else:
                table = {
                    "game": slug,
                    "seats": practice_seats(seats),
                    "options": game_catalogue.suggested_options(game),
                    "practice": True,
                }
                SERVER.open_match(table, game["options"], on_open, on_error)

        def on_open(match: Data) -> None:
            release()
            on_match(match["id"], False)

        def on_error(problem: Problem) -> None:
            release()
            failed(problem)

        local_match_all(on_list)

    with_lock("practice " + slug, look)


def practice_seat_count(counts: Sequence[int], alone: bool) -> int:
    """Return the number of seats of a practice game.

    ``counts``: the numbers of seats that the game allows, ascending; not empty. One seat if
    ``alone`` is set and that is possible, otherwise the smallest number that leaves seats for bots.
    """
    several = [count for count in counts if count > 1]
    return counts[0] if alone or not several else several[0]


def practice_seats(count: int) -> list[Data]:
    """Return the seats of a new practice game: this player first, then easy bots."""
    bot = {"kind": "bot", "level": "easy"}
    return [
        {"kind": "me", "name": session.current["name"] or default_person_name(1)},
        *[bot] * (count - 1),
    ]


def find_running_practice(heads: Any, slug: str, seats: int) -> str:
    """Return the id of the most recently played running practice game, or "".

    Only games of ``slug`` with ``seats`` seats count, and none that is being uploaded.
    """
    found = [head["item"] for head in heads if "practice" in head and "handing" not in head]
    running = [
        (item["updated"], item["id"])
        for item in found
        if item["game"] == slug and len(item["seats"]) == seats and item["status"] == "playing"
    ]
    return str(max(running)[1]) if running else ""


def start_over_button(context: MatchContext, close_menu: Action) -> Node:
    """Build the menu item that replaces a practice game with a new one."""
    seats = context.match.data["seats"]
    address = f"/play/{context.match.data['game']}" + ("/alone" if len(seats) == 1 else "")

    def ask(_event: DomEvent) -> None:
        close_menu()
        ConfirmDialog(
            t("offline.start_over_question"),
            [t("offline.start_over_text")],
            t("offline.start_over"),
            t("offline.keep_playing"),
            lambda: local_match_delete(context.id, on_dropped),
        )

    def on_dropped(safe: bool, _results: Any) -> None:
        if not safe:
            toast(t("error.not_deleted"))
            return
        SERVER.evict(context.id)
        go(address, True)
        context.navigate(None)

    return menu_button(t("offline.start_over"), t("offline.start_over_hint"), ask)


local_gateway.provide(start_over=start_over_button)
