"""The review page of a finished match: sharing tools, the story, standings and further findings."""

from collections.abc import Sequence
from typing import Any

from _native import set_title

from frontend.app.api import client, game_catalogue
from frontend.app.components import match_file, page_frame
from frontend.app.components.board_thumbnail import active_theme
from frontend.app.components.chart import chart
from frontend.app.components.film import Film
from frontend.app.components.share import share, share_link
from frontend.app.contract import provenance
from frontend.app.contract.context import MatchContext
from frontend.app.contract.standings import explanation, rank, sort_standings
from frontend.app.core.dom import button, el, link_box, muted_text, picture, show
from frontend.app.core.i18n import join_list, t
from frontend.app.core.match_ids import is_local_match
from frontend.app.core.problem import Problem
from frontend.app.core.types import Callback, Data, DomEvent, Navigate, Node
from frontend.app.games.loader import load_game, review_section_of, screen_of
from frontend.app.match.fork import ForkSheet, lineage
from frontend.app.match.picture_address import picture_address
from frontend.app.match.result import end_reason
from frontend.app.match.turn_labels import TURN_LABELS

MAX_DECIDING = 3  # number of moments that the review tells as those that decided the game


def deciding_moments(found: Data) -> list[Data]:
    """Return the highlights and gains that changed the game most, oldest first.

    A gain counts by its size, a highlight by the largest change of a seat's value in its turn.
    """
    points = [point for chart in found["charts"][:1] for point in chart["points"]]
    weighed = [(abs(gain["gain"]), -number, gain) for number, gain in enumerate(found["gains"])]
    for number, highlight in enumerate(found["highlights"]):
        weighed.append((_largest_change(points, highlight["version"]), number + 1, highlight))
    weighed.sort(key=lambda each: each[:2], reverse=True)
    best: dict[int, Data] = {}
    for _, _, moment in weighed:
        if len(best) < MAX_DECIDING:
            best.setdefault(moment["version"], moment)
    return [best[version] for version in sorted(best)]


def _largest_change(points: Sequence[Data], version: int) -> int:
    """Return the largest change of a seat's value in the turn of a version."""
    for number, after in enumerate(points[1:]):
        before = points[number]
        if before["version"] < version <= after["version"]:
            values = zip(before["values"], after["values"], strict=True)
            return max([abs(new - old) for old, new in values])
    return 0


class ReviewPage(page_frame.Page):
    """The page ``/m/<id>/review``."""

    def __init__(self, match_id: Any, query: dict[str, str], navigate: Navigate) -> None:
        self.context = MatchContext(match_id, query, navigate)
        self.is_local = is_local_match(match_id)
        self.match: Any = None
        self.review: Any = None
        self.fork_sheet = ForkSheet(self.context.path, navigate)
        show(
            el(
                "main",
                {"class": "page", "aria-busy": "true"},
                page_frame.header_bar(t("review.title")),
                [el("div", {"class": "skeleton"}) for _ in range(3)],
            )
        )
        self._get(self.context.address(""), self._on_match)

    def _get(self, address: str, then: Callback) -> None:
        client.get(address, self.while_open(then), self.while_open(self._on_error))

    def _on_error(self, problem: Problem) -> None:
        text = t("error.no_such_table") if problem.status == 404 else problem.detail
        show(page_frame.message_page(t("error.nobody_here"), text))

    def _on_match(self, data: Data) -> None:
        self.match, context = data, self.context
        if data["status"] != "finished":
            context.navigate(context.address_at())
        else:
            code = f"?share={context.share_code}" if context.share_code else ""
            self._get(context.path + "/review" + code, self._on_review)

    def _on_review(self, data: Data) -> None:
        self.review = data
        show_review = self.while_open(self._show)
        game_catalogue.load(lambda _games: load_game(self.match["game"], show_review))

    # -- the page ------------------------------------------------------------------------------

    def _show(self) -> None:
        match = self.match
        name = game_catalogue.get(match["game"])["title"]
        self.screen_class = screen_of(match["game"])
        self.turn_labels = TURN_LABELS[self.screen_class.TURN_KIND]
        self.names = [
            s["name"] or t("player.seat_number", seat=s["seat"] + 1) for s in match["seats"]
        ]
        found = self.review["review"]
        set_title(t("review.page_title", name=name))
        self.film = Film()
        cards = [self._head(name), *self._story(found), self._standings(found)]
        if found:
            cards += [self._chart(each) for each in found["charts"][1:] if each["points"]]
            account = review_section_of(match["game"])
            if account is not None and found["own"]:
                cards.extend(account(self.names, self.context.address_at).cards(found["own"]))
        cards.append(self._origin())
        page = page_frame.page(t("review.title"), cards)
        show(page, self.film.sheet.node, self.fork_sheet.sheet.node)

    def _chart(self, data: Any) -> Node:
        text = data["title"]["text"]
        drawn = chart(text, data["points"], self.names)
        return el("section", {"class": "card"}, el("h2", {}, text), drawn)

    def _story(self, found: Data | None) -> list[Node | None]:
        """Return the chart of what the game is about, what decided it, and other key moments."""
        if not found:
            return []
        first = [self._chart(each) for each in found["charts"][:1] if each["points"]]
        deciding = deciding_moments(found)
        rest = [each for each in found["highlights"] if each not in deciding]
        return [
            *first,
            self._moments(t("review.what_decided"), deciding),
            self._moments(t("review.key_moments"), rest),
        ]

    def _moments(self, title: str, moments: Sequence[Data]) -> Node | None:
        """Return a card of links to highlights and gains."""
        if not moments:
            return None
        links = [self._moment(each) for each in moments]
        return el(
            "section", {"class": "card"}, el("h2", {}, title), el("ol", {"class": "moments"}, links)
        )

    def _moment(self, moment: Data) -> Node:
        words = moment["words"]["text"]
        text: list[Any] = [words]
        if "gain" in moment:
            gained = el("b", {}, self.names[moment["seat"]], " ", self._gain_text(moment))
            text = [gained, " ", words]
        return el("li", {}, el("a", {"href": self.context.address_at(moment["version"])}, text))

    def _head(self, name: str) -> Node:
        """Return the card with the last position and the tools to share and to replay."""
        link = share_link(self.match, self.match["version"], self.context.share_code)
        return el(
            "section",
            {"class": "card"},
            el("h2", {}, name),
            muted_text(join_list(self.names)),
            None if self.is_local else self._last_position(),
            el("div", {"class": "row review-tools"}, self._tools(link)),
        )

    def _origin(self) -> Node:
        """Return the card to continue the match, with its rules, origin and fairness."""
        match = self.match
        draws = provenance.draws_line(match)
        link = share_link(match, match["version"], self.context.share_code)
        return el(
            "section",
            {"class": "card"},
            button(t("fork.from_here"), self._fork, "", "i-fork"),
            page_frame.rules_link(match["game"]),
            muted_text(draws) if draws else None,
            lineage(match, lambda _version: t("fork.earlier_moment")),
            None if self.is_local else match_file.export_link(self.context.id),
            None if self.is_local else link_box(link),
        )

    def _last_position(self) -> Node:
        """Return the picture of the last position, drawn by the service and linked to the match."""
        context, version = self.context, self.match["version"]
        address = picture_address(context, "picture.png", at=version, theme=active_theme())
        shape = {"width": 1200, "height": 630, "class": "still"}
        image = el("img", {"src": address, "alt": t("review.final_position"), **shape})
        return el("a", {"href": context.address_at(version)}, image)

    def _standings(self, found: Data | None) -> Node:
        places = self.review.get("standings") or ()
        if not places:
            return el("section", {"class": "card"}, el("p", {}, t("review.no_standings")))
        lines = [self._place(place, found) for place in sort_standings(list(places))]
        return el(
            "section",
            {"class": "card"},
            el("h2", {}, t("review.standings")),
            end_reason(self.screen_class, self.match),
            el("ol", {}, lines),
        )

    def _place(self, place: Data, found: Data | None) -> Node:
        seat = place["seat"]
        head = el(
            "div",
            {"class": "head"},
            rank(place, self.screen_class),
            el("span", {"style": f"color:var(--seat-{seat})"}, picture("camel", 36)),
            el("strong", {"class": "who"}, self.names[seat]),
            el("span", {"class": "score"}, place["score"]),
        )
        gains = [each for each in (found["gains"] if found else ()) if each["seat"] == seat]
        return el(
            "li",
            {"class": "place"},
            head,
            explanation(place, self.review["standings"], self.screen_class, self.match),
            el("div", {"class": "gains"}, [self._gain(gain) for gain in gains]),
        )

    def _gain(self, gain: Any) -> Node:
        """Return the link to a gain, with its cause."""
        cause = el("small", {}, gain["words"]["text"])
        link = {"href": self.context.address_at(gain["version"])}
        return el("a", link, self._gain_text(gain), " ", cause)

    def _gain_text(self, gain: Any) -> str:
        """Return a gain and its round, if the game's message names one, otherwise its turn."""
        sign = "+" if gain["gain"] > 0 else "−"
        gained = f"{sign}{abs(gain['gain'])}"
        number = gain["words"]["args"].get("round")
        if number is not None:
            return t(TURN_LABELS["round"]["gain"], gain=gained, turn=number)
        return t(self.turn_labels["gain"], gain=gained, turn=gain["turn"])

    # -- sharing and saving ----------------------------------------------------------------------

    def _tools(self, link: str) -> list[Node]:
        """Return the tools to share the match and to look at it again."""
        points = self._points()
        last = points[-2]["version"] + 1 if len(points) > 1 else None
        tools = [] if self.is_local else self._service_tools(link, last)
        back = el(
            "a",
            {"class": "button grow", "href": self.context.address_at(1)},
            picture("i-play", 22),
            el("span", {}, t("review.replay")),
        )
        return [*tools, back]

    def _service_tools(self, link: str, last: int | None) -> list[Node]:
        """Return the tools that need the service: share button and animations."""
        tools = [
            button(t("share.share"), lambda _e: share(link), "primary grow", "i-share"),
            button(t("review.whole_game"), lambda _e: self._film(None), "grow", "i-film"),
        ]
        if last is not None:
            text = t(self.turn_labels["last"])
            tools.append(button(text, lambda _e: self._film(last), "grow", "i-film"))
        return tools

    def _points(self) -> Sequence[Data]:
        """Return the data points of the first chart, one per turn; empty if there are no charts."""
        charts = (self.review["review"] or {}).get("charts") or ()
        return charts[0]["points"] if charts else ()

    def _film(self, first: int | None) -> None:
        query = {"to": self.match["version"], **({} if first is None else {"from": first})}
        self.film.show(picture_address(self.context, "animation.gif", **query))

    def _fork(self, _event: DomEvent) -> None:
        match = self.match
        # Nothing can be played from the very end, so fork before the last turn.
        points = self._points()
        version = points[-2]["version"] if len(points) > 1 else match["version"] - 2
        link = share_link(match, version, self.context.share_code)
        self.fork_sheet.open(
            match, version, t("fork.near_end"), t(self.turn_labels["before-last"]), link
        )
