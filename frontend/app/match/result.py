"""The result of a match: winner, standings, final position, and a picture to share."""

from collections.abc import Sequence

from _native import hold_taps, picture_data_url, share_picture

from frontend.app.api import local_gateway
from frontend.app.components import install_hint
from frontend.app.components.board_thumbnail import large_picture, show_local_picture
from frontend.app.components.sheet import Sheet
from frontend.app.contract import provenance
from frontend.app.contract.context import MatchContext, Phase
from frontend.app.contract.game_screen import Screen
from frontend.app.contract.standings import explanation, rank, sort_standings
from frontend.app.core import match_ids
from frontend.app.core.dom import button, el, fill, muted_text, picture, row, svg, toast
from frontend.app.core.i18n import join_and, t
from frontend.app.core.types import Action, Data, Node
from frontend.app.match.picture_address import picture_address
from frontend.app.match.rematch import Rematch

DUNES = (
    ("dune-1", "M0 70C70 30 150 40 220 62S330 76 400 44V140H0Z"),
    ("dune-2", "M0 100C90 66 170 92 250 82S360 66 400 74V140H0Z"),
    ("ground-deep", "M0 122C90 104 200 126 280 114S370 108 400 112V140H0Z"),
)
"""The dunes from back to front: ``(colour name, SVG path)`` in a box of 400 by 140 units."""
CAMELS_WIDTH_PX = 160
"""Width in pixels available to all camels behind the winners on the narrowest phone."""


class ResultSheet:
    """The result sheet of a match (``sheet``).

    It opens when the match ends, except in a trial or a lesson. It may cover the button that ended
    the match, so it ignores taps for a moment (`shim/native/click_guard.js`).

    ``look_back()`` shows the first moment.
    """

    def __init__(
        self, context: MatchContext, screen_class: type[Screen], rematch: Rematch, look_back: Action
    ) -> None:
        self.context = context
        self.screen_class = screen_class
        self.rematch = rematch
        self.look_back = look_back
        self.was_shown = match_ids.is_trial(context.id) or match_ids.is_lesson(context.id)
        self.sheet = Sheet(t("result.title"), el("div", {}))
        self.sheet.node.classList.add("tall")
        context.match_changed.subscribe(self._on_match_changed)

    def _on_match_changed(self, _texts: Sequence[str]) -> None:
        is_over = self.context.match.data["status"] == "finished" and self.context.at is None
        if is_over and not self.was_shown:
            self.was_shown = True
            install_hint.mark_hint_due()
            self.open()
            if self.context.phase == Phase.MOUNTED:
                hold_taps(self.sheet.node)

    def open(self) -> None:
        """Open the sheet, unless the match has no standings yet."""
        standings = self.context.match.data.get("standings")
        if standings:
            result = Result(
                self.context, self.screen_class, standings, self.rematch, self._open_replay
            )
            fill(self.sheet.body, result.body())
            self.sheet.open()

    def _open_replay(self) -> None:
        self.sheet.close()
        self.look_back()


class Result:
    """The content of a finished match's result sheet; ``look_back()`` opens the replay."""

    def __init__(
        self,
        context: MatchContext,
        screen_class: type[Screen],
        standings: list[Data],
        rematch: Rematch,
        look_back: Action,
    ) -> None:
        self.context = context
        self.match = context.match
        self.screen_class = screen_class
        self.rematch = rematch
        self.look_back = look_back
        self.standings = sort_standings(standings)
        self.winning_seats = [place["seat"] for place in standings if place["rank"] == 1]
        self.local_picture = ""
        self.board = el("div", {"class": "last-position"})

    def body(self) -> Node:
        """Return the whole content; the picture of the final position is added when loaded."""
        draws = provenance.draws_line(self.match.data)
        self._draw_board()
        return el(
            "div",
            {"class": "result"},
            self._winner_banner(),
            end_reason(self.screen_class, self.match.data),
            el("ol", {"class": "podium"}, [self._place(place) for place in self.standings]),
            self.rematch.buttons,
            self.board,
            self._actions(),
            muted_text(draws) if draws else None,
        )

    # -- winner --------------------------------------------------------------------------------

    def _winner_banner(self) -> Node:
        text, name = self._headline()
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
            el("h3", {"tabindex": "-1", "autofocus": True}, name),
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
        letter = self.match.letters[seat]
        sign = el("b", {}, letter) if wide >= 32 and len(self.standings) > 1 else None
        return el("span", {"class": "walker", "style": tone}, picture("camel"), sign)

    def _headline(self) -> tuple[str, str]:
        """Return two lines: how the match ended, and who won or, in a solo match, the score."""
        names = [self.match.short_name(seat) for seat in self.winning_seats]
        if len(self.standings) == 1:
            return t("result.journey_over"), t("format.points", n=self.standings[0]["score"])
        if not self.winning_seats:
            return t("result.nobody_home"), t("result.no_winner")
        if len(self.winning_seats) > 1:
            return t("result.tie"), t("result.share_first", names=join_and(names))
        you = self.match.own_seats() == self.winning_seats
        return t("result.safely_home"), t("result.you_win") if you else t(
            "result.wins", name=names[0]
        )

    # -- standings -----------------------------------------------------------------------------

    def _place(self, place: Data) -> Node:
        seat = place["seat"]
        return el(
            "li",
            {"style": f"--tone:var(--seat-{seat})"},
            rank(place, self.screen_class),
            el("span", {"class": "whose"}, picture("camel", 40)),
            el("strong", {}, self.match.names[seat]),
            el("span", {"class": "score"}, place["score"]),
            explanation(place, self.standings, self.screen_class, self.match.data),
        )

    def _draw_board(self) -> None:
        context = self.context
        if match_ids.is_local_match(context.id):
            local_gateway.store_thumbnail(context.id, self._on_local_picture)
        else:
            address = picture_address(context, "board.svg", at=self.match.version)
            self.board.append(large_picture(address, t("result.final_position")))

    def _on_local_picture(self, picture: str) -> None:
        self.local_picture = picture
        show_local_picture(self.board, picture, t("result.final_position"))

    # -- actions -------------------------------------------------------------------------------

    def _actions(self) -> Node:
        context = self.context
        look = button(t("result.replay"), lambda _e: self.look_back(), "grow")
        if match_ids.is_trial(context.id):
            return row(look)
        again = f"/new?again={context.id}" if self.match.own_seats() else "/new"
        kind = "button grow" if self.rematch.can_offer() else "button primary grow"
        return row(
            el("a", {"class": kind, "href": again}, t("result.new_game")),
            button(t("result.share_image"), lambda _e: self._share(), "grow", "i-share"),
            el("a", {"class": "button grow", "href": context.review_address()}, t("review.title")),
            look,
            el("a", {"class": "button grow", "href": "/"}, t("common.home")),
        )

    def _share(self) -> None:
        """Share the picture of the result, drawn by the service or, for a local match, here."""
        if self.local_picture:
            address = picture_data_url(self.local_picture)
        else:
            address = picture_address(self.context, "picture.png", at=self.match.version)
        share_picture(address, "caravanserai.png", _report_share)


def end_reason(screen_class: type[Screen], match: Data) -> Node | None:
    """Return the sentence why a match has ended, None if the game gives none."""
    reason = screen_class.explain_end(match["view"]) if match["view"] else ""
    return el("p", {"class": "end-reason"}, reason) if reason else None


def _dunes() -> Node:
    paths = [svg("path", {"d": d, "fill": f"var(--{tone})"}) for tone, d in DUNES]
    return svg("svg", {"viewBox": "0 0 400 140", "preserveAspectRatio": "none"}, paths)


def _report_share(done: str) -> None:
    """Show a toast if the picture was saved or sharing failed.

    ``done``: "shared", "saved", "" (cancelled) or "failed".
    """
    if done == "saved":
        toast(t("result.image_saved"))
    elif done == "failed":
        toast(t("error.image_failed"))
