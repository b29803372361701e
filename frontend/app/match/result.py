"""The result of a match: winner, standings, final position, and a picture to share."""

from typing import Any

from _native import picture_data_url, share_picture

from frontend.app.api import local_gateway
from frontend.app.components.board_thumbnail import large_picture, show_local_picture
from frontend.app.components.sheet import Sheet
from frontend.app.contract import provenance
from frontend.app.contract.context import LayoutHost
from frontend.app.contract.standings import explanation, rank, sort_standings
from frontend.app.core import match_ids
from frontend.app.core.dom import button, el, picture, svg, toast
from frontend.app.core.i18n import LANGUAGE, join_and, t, tn
from frontend.app.core.types import Data, Node
from frontend.app.match.rematch import Rematch

DUNES = (
    ("dune-1", "M0 70C70 30 150 40 220 62S330 76 400 44V140H0Z"),
    ("dune-2", "M0 100C90 66 170 92 250 82S360 66 400 74V140H0Z"),
    ("ground-deep", "M0 122C90 104 200 126 280 114S370 108 400 112V140H0Z"),
)
"""The dunes from back to front: ``(colour name, SVG path)`` in a box of 400 by 140 units."""
CAMELS_WIDTH_PX = 160
"""Width in pixels available to all camels behind the winners on the narrowest phone."""


class Result:
    """The content of a finished match's result sheet.

    ``sheet``: the sheet that shows it, which is closed to open the replay.
    """

    def __init__(
        self, page: LayoutHost, standings: list[Data], rematch: Rematch, sheet: Sheet
    ) -> None:
        self.page = page
        self.rematch = rematch
        self.sheet = sheet
        self.standings = sort_standings(standings)
        self.winning_seats = [place["seat"] for place in standings if place["rank"] == 1]
        self.local_picture = ""
        self.board = el("div", {"class": "last-position"})

    def body(self) -> Node:
        """Return the whole content; the picture of the final position is added when loaded."""
        draws = provenance.draws_line(self.page.match.data)
        self._draw_board()
        return el(
            "div",
            {"class": "result"},
            self._winner_banner(),
            el("ol", {"class": "podium"}, [self._place(place) for place in self.standings]),
            self.rematch.buttons,
            self.board,
            self._actions(),
            el("p", {"class": "muted"}, draws) if draws else None,
        )

    # -- winner --------------------------------------------------------------------------------

    def _winner_banner(self) -> Node:
        text, name = self._headline()
        heading = {"tabindex": "-1", "autofocus": True}
        return el(
            "div",
            {"class": "triumph"},
            el(
                "div",
                {"class": "homecoming", "aria-hidden": "true"},
                el("span", {"class": "sun"}),
                _dunes(),
                el("div", {"class": "walkers"}, self._winners(), self._others()),
            ),
            el("p", {}, text),
            el("h3", heading, name),
        )

    def _winners(self) -> Node:
        wide = 112 if len(self.winning_seats) < 3 else 72
        return el(
            "div",
            {"class": "camels"},
            [self._podium_camel(seat, wide) for seat in self.winning_seats],
        )

    def _others(self) -> Node:
        """Return the camels behind the winners, in the order of the standings."""
        seats = [
            place["seat"] for place in self.standings if place["seat"] not in self.winning_seats
        ]
        wide = min(64, CAMELS_WIDTH_PX // max(1, len(seats)))
        return el("div", {"class": "train"}, [self._podium_camel(seat, wide) for seat in seats])

    def _podium_camel(self, seat: int, wide: int) -> Node:
        """Return a camel in a seat's colour, ``wide`` pixels wide, labelled with the seat's letter.

        Without the letter if the camel is narrow or the match has only one seat.
        """
        tone = f"--tone:var(--seat-{seat});--wide:{wide}px"
        letter = self.page.match.letters[seat]
        sign = el("b", {}, letter) if wide >= 32 and len(self.standings) > 1 else None
        return el("span", {"class": "walker", "style": tone}, picture("camel"), sign)

    def _headline(self) -> tuple[str, str]:
        """Return two lines: how the match ended, and who won or, in a solo match, the score."""
        names = [self.page.short_name(seat) for seat in self.winning_seats]
        if len(self.standings) == 1:
            points = tn("{n} point", "{n} points", n=self.standings[0]["score"])
            return t("The journey is over"), points
        if not self.winning_seats:
            return t("No caravan came home"), t("Nobody wins")
        if len(self.winning_seats) > 1:
            return t("Side by side"), t("{names} share the first place", names=join_and(names))
        you = self.page.match.own_seats() == self.winning_seats
        return t("The caravan is home"), t("You win") if you else t("{name} wins", name=names[0])

    # -- standings -----------------------------------------------------------------------------

    def _place(self, place: Data) -> Node:
        seat = place["seat"]
        page = self.page
        return el(
            "li",
            {"style": f"--tone:var(--seat-{seat})"},
            rank(place),
            el("span", {"class": "whose"}, picture("camel", 40)),
            el("strong", {}, page.names()[seat]),
            el("span", {"class": "score"}, place["score"]),
            explanation(place, self.standings, page.screen_class, page.match.data),
        )

    def _draw_board(self) -> None:
        page = self.page
        if match_ids.is_local_match(page.id):
            local_gateway.store_thumbnail(page.id, self._on_local_picture)
        else:
            address = self._picture_address("board.svg", at=page.match.version)
            self.board.append(large_picture(address, t("The last position")))

    def _on_local_picture(self, picture: str) -> None:
        self.local_picture = picture
        show_local_picture(self.board, picture, t("The last position"))

    def _picture_address(self, name: str, **query: Any) -> str:
        """Return the address of a picture of the match; ``name`` is the file name in the API."""
        given = {**query, "share": self.page.share_code} if self.page.share_code else query
        query_string = "&".join([f"{key}={value}" for key, value in given.items()])
        return f"/api/matches/{self.page.id}/{name}?{query_string}"

    # -- actions -------------------------------------------------------------------------------

    def _actions(self) -> Node:
        page = self.page
        look = button(t("Look back"), lambda _e: self._open_replay(), "grow")
        if match_ids.is_trial(page.id):
            return el("div", {"class": "row"}, look)
        again = f"/new?again={page.id}" if page.match.own_seats() else "/new"
        kind = "button grow" if self.rematch.can_offer() else "button primary grow"
        return el(
            "div",
            {"class": "row"},
            el("a", {"class": kind, "href": again}, t("Another table")),
            button(t("Share the picture"), lambda _e: self._share(), "grow", "i-share"),
            el("a", {"class": "button grow", "href": page.review_address()}, t("Review")),
            look,
            el("a", {"class": "button grow", "href": "/"}, t("All tables")),
        )

    def _share(self) -> None:
        """Share the picture of the result, drawn by the service or, for a local match, here."""
        version = self.page.match.version
        if self.local_picture:
            address = picture_data_url(self.local_picture)
        else:
            address = self._picture_address("picture.png", at=version, language=LANGUAGE.tag)
        share_picture(address, "caravanserai.png", _report_share)

    def _open_replay(self) -> None:
        self.sheet.close()
        self.page.replay.show_version(self.page.replay.first_version())


def _dunes() -> Node:
    paths = [svg("path", {"d": d, "fill": f"var(--{tone})"}) for tone, d in DUNES]
    return svg("svg", {"viewBox": "0 0 400 140", "preserveAspectRatio": "none"}, paths)


def _report_share(done: str) -> None:
    """Show a toast if the picture was saved or sharing failed.

    ``done``: "shared", "saved", "" (cancelled) or "failed".
    """
    if done == "saved":
        toast(t("The picture is among your downloads."))
    elif done == "failed":
        toast(t("It could not be drawn just now. Try again in a moment."))
