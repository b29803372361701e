"""Sheets that slide over a page: the log, the list of moves, the result."""

from typing import Any

from _native import lay, lift, unlisten

from frontend.app import proof
from frontend.app.dom import button, el, listen, picture
from frontend.app.match_page import MatchPage
from frontend.app.standings import account, ordered, rank
from frontend.app.typed import Data, Does, DomEvent, Node
from frontend.app.words import both, t, tn


def over_the_page(dialog: Any) -> None:
    """Shows a dialog; "back" closes it instead of leaving the page."""
    if dialog.open:
        return
    layer = lay(lambda: dialog.close())

    def closed(_event: DomEvent) -> None:
        unlisten(ear)
        lift(layer)

    ear = listen(dialog, "close", closed)
    dialog.showModal()


class Sheet:
    """A dialog with a title, a body and a button to close it."""

    def __init__(self, title: str, content: Any) -> None:
        self.body = el("div", {"class": "sheet-body", "tabindex": "0"}, content)
        self.notices = el("div", {"class": "notices"})
        inner = el(
            "div",
            {"class": "sheet-inner"},
            el(
                "div",
                {"class": "sheet-bar"},
                el("h2", {}, title),
                button(t("Close"), lambda _e: self.close(), "round quiet", "i-close"),
            ),
            self.notices,
            self.body,
        )
        self.node = el(
            "dialog", {"class": "sheet", "aria-label": title, "onclick": self._outside}, inner
        )

    @property
    def is_open(self) -> bool:
        """Whether it is to be seen."""
        return bool(self.node.open)

    def open(self) -> None:
        """Shows it."""
        over_the_page(self.node)

    def on_close(self, does: Does) -> None:
        """Calls ``does()`` whenever it is put away, in whatever way."""
        listen(self.node, "close", lambda _event: does())

    def close(self) -> None:
        """Puts it away."""
        if self.is_open:
            self.node.close()

    def _outside(self, event: DomEvent) -> None:
        if event.target.tagName == "DIALOG":
            self.close()


def result_body(page: MatchPage, standings: list[Data]) -> Node:
    """Who has won, large; then the podium and where to go from here."""
    draws = proof.of_draws(page.match.data)
    parts = [_winners(page, standings)]
    places = [_place(page, place, standings) for place in ordered(standings)]
    parts.append(el("ol", {"class": "podium"}, places))
    if draws:
        parts.append(el("p", {"class": "muted", "style": "margin-top:16px"}, draws))
    again = f"/new?again={page.id}" if page.match.held() else "/new"
    parts.append(
        el(
            "div",
            {"class": "row", "style": "margin-top:16px"},
            el("a", {"class": "button primary grow", "href": again}, t("Play again")),
            el("a", {"class": "button grow", "href": page.review_page()}, t("Review")),
            button(t("Look back"), lambda _e: _look_back(page), "grow"),
            el("a", {"class": "button grow", "href": "/"}, t("All tables")),
        )
    )
    return el("div", {}, parts)


def _winners(page: MatchPage, standings: list[Data]) -> Node:
    first = [place["seat"] for place in standings if place["rank"] == 1]
    camels = [
        el("span", {"style": f"color:var(--seat-{seat})"}, picture("camel", 112)) for seat in first
    ]
    words, name = _told(page, standings, first)
    return el(
        "div",
        {"class": "triumph"},
        el("div", {"class": "camels"}, el("span", {"class": "sun"}), camels),
        el("p", {}, words),
        el("h3", {}, name),
    )


def _told(page: MatchPage, standings: list[Data], first: list[int]) -> tuple[str, str]:
    """How the match ended, and who is first or what was reached."""
    names = [page.short(seat) for seat in first]
    if len(standings) == 1:
        points = tn("{n} point", "{n} points", n=standings[0]["score"])
        return t("The journey is over"), points
    if not first:
        return t("No caravan came home"), t("Nobody wins")
    if len(first) > 1:
        return t("Side by side"), t("{names} share the first place", names=both(names))
    you = page.match.held() == first
    return t("The caravan is home"), t("You win") if you else t("{name} wins", name=names[0])


def _place(page: MatchPage, place: Data, standings: list[Data]) -> Node:
    seat = place["seat"]
    tone = f"--tone:var(--seat-{seat});color:var(--seat-{seat})"
    return el(
        "li",
        {},
        rank(place),
        el("span", {"style": tone}, picture("camel", 44)),
        el("strong", {"style": "flex:1;min-width:0"}, page.names()[seat]),
        el("span", {"class": "score"}, place["score"]),
        account(place, standings, page.game, page.match.data),
    )


def _look_back(page: MatchPage) -> None:
    page.layout.end_sheet.close()
    page.history.look(page.history.first())
