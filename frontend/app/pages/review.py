"""The review page of a finished match: standings, charts, highlights, and sharing tools."""

from collections.abc import Sequence
from typing import Any

from _native import fill, set_title

from frontend.app.api import client, game_catalogue
from frontend.app.components import match_file, page_frame
from frontend.app.components.board_thumbnail import active_theme
from frontend.app.components.chart import chart
from frontend.app.components.share import share, share_link
from frontend.app.components.sheet import Sheet
from frontend.app.contract import provenance
from frontend.app.contract.standings import explanation, rank, sort_standings
from frontend.app.core.dom import button, el, picture, show
from frontend.app.core.i18n import LANGUAGE, join_list, t
from frontend.app.core.match_ids import is_local_match
from frontend.app.core.problem import Problem
from frontend.app.core.types import Data, DomEvent, Navigate, Node
from frontend.app.games.loader import load_game, review_section_of, screen_of
from frontend.app.match.fork import ForkSheet, lineage
from frontend.app.match.turn_labels import TURN_LABELS


class ReviewPage:
    """The page ``/m/<id>/review``."""

    def __init__(self, match_id: Any, query: dict[str, str], navigate: Navigate) -> None:
        self.id = match_id
        self.is_local = is_local_match(match_id)
        self.share_code = query.get("share")
        self.navigate = navigate
        self.closed = False
        self.match: Any = None
        self.review: Any = None
        self.fork_sheet = ForkSheet("/api/matches/" + match_id, navigate)
        bones = [el("div", {"class": "skeleton"}) for _ in range(3)]
        show(
            el(
                "main",
                {"class": "page", "aria-busy": "true"},
                page_frame.header_bar(t("Review")),
                bones,
            )
        )
        code = f"?invite={self.share_code}" if self.share_code else ""
        client.get(f"/api/matches/{match_id}{code}", self._on_match, self._on_error)

    def close(self) -> None:
        """Mark the page as closed so that late responses are ignored."""
        self.closed = True

    def _on_error(self, problem: Problem) -> None:
        if not self.closed:
            text = t("There is no such table, or it is not open to you.")
            text = text if problem.status == 404 else problem.detail
            show(page_frame.message_page(t("Nobody here"), text))

    def _on_match(self, data: Data) -> None:
        if self.closed:
            return
        self.match = data
        if data["status"] != "finished":
            self.navigate(
                f"/m/{self.id}" + (f"?share={self.share_code}" if self.share_code else "")
            )
            return
        code = f"?share={self.share_code}" if self.share_code else ""
        client.get(f"/api/matches/{self.id}/review{code}", self._on_review, self._on_error)

    def _on_review(self, data: Data) -> None:
        self.review = data
        game_catalogue.load(lambda _games: load_game(self.match["game"], self._on_game_loaded))

    def _on_game_loaded(self) -> None:
        if not self.closed:
            self._show()

    # -- the page ------------------------------------------------------------------------------

    def page_at(self, version: int) -> str:
        """Return the address of the match page at a version."""
        return f"/m/{self.id}?v={version}" + (
            f"&share={self.share_code}" if self.share_code else ""
        )

    def picture_address(self, name: str, **query: Any) -> str:
        """Return the address of a picture of the match, in the language of the page."""
        query["language"] = LANGUAGE.tag
        if self.share_code:
            query["share"] = self.share_code
        query_string = "&".join([f"{key}={value}" for key, value in query.items()])
        return f"/api/matches/{self.id}/{name}" + ("?" + query_string if query_string else "")

    def _show(self) -> None:
        match = self.match
        name = game_catalogue.get(match["game"])["title"]
        self.screen_class = screen_of(match["game"])
        self.turn_labels = TURN_LABELS[self.screen_class.TURN_KIND]
        self.names = [s["name"] or t("Seat {seat}", seat=s["seat"] + 1) for s in match["seats"]]
        found = self.review["review"]
        set_title(t("Review: {name} – Caravanserai", name=name))
        film = Sheet(t("In motion"), el("div", {}))
        self.film = film
        cards = [self._head(name), self._standings(found)]
        if found:
            cards += [self._chart(each) for each in found["charts"] if each["points"]]
            cards.append(self._highlights(found["highlights"]))
            account = review_section_of(match["game"])
            if account is not None and found["own"]:
                cards.extend(account(self.names, self.page_at).cards(found["own"]))
        cards.append(self._tools())
        page = el("main", {"class": "page"}, page_frame.header_bar(t("Review")), cards)
        show(page, film.node, self.fork_sheet.sheet.node)

    def _chart(self, data: Any) -> Node:
        text = data["title"]["text"]
        drawn = chart(text, data["points"], self.names)
        return el("section", {"class": "card"}, el("h2", {}, text), drawn)

    def _highlights(self, highlights: Any) -> Node | None:
        if not highlights:
            return None
        links = [
            el("a", {"href": self.page_at(each["version"])}, each["words"]["text"])
            for each in highlights
        ]
        parts = el("h2", {}, t("Moments to look at again")), el("div", {"class": "gains"}, links)
        return el("section", {"class": "card"}, *parts)

    def _head(self, name: str) -> Node:
        match = self.match
        draws = provenance.draws_line(match)
        names = join_list(self.names)
        return el(
            "section",
            {"class": "card"},
            el("h2", {}, name),
            el("p", {"class": "muted"}, names),
            page_frame.rules_link(match["game"]),
            None if self.is_local else self._last_position(),
            el("p", {"class": "muted"}, draws) if draws else None,
            lineage(match, lambda _version: t("an earlier moment")),
        )

    def _last_position(self) -> Node:
        """Return the picture of the last position, drawn by the service and linked to the match."""
        given = {
            "src": self.picture_address(
                "picture.png", at=self.match["version"], theme=active_theme()
            ),
            "alt": t("The last position: open it"),
            "width": 1200,
            "height": 630,
            "class": "still",
        }
        return el("a", {"href": self.page_at(self.match["version"])}, el("img", given))

    def _standings(self, found: Data | None) -> Node:
        places = self.review.get("standings") or ()
        if not places:
            text = t("The match is not over yet: there are no standings.")
            return el("section", {"class": "card"}, el("p", {}, text))
        lines = [self._place(place, found) for place in sort_standings(list(places))]
        return el("section", {"class": "card"}, el("h2", {}, t("Standings")), el("ol", {}, lines))

    def _place(self, place: Data, found: Data | None) -> Node:
        seat = place["seat"]
        head = el(
            "div",
            {"class": "head"},
            rank(place),
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
        sign = "+" if gain["gain"] > 0 else "−"
        gained = f"{sign}{abs(gain['gain'])}"
        text = t(self.turn_labels["gain"], gain=gained, turn=gain["turn"])
        attributes = {"href": self.page_at(gain["version"]), "title": gain["words"]["text"]}
        return el("a", attributes, text)

    # -- sharing and saving ----------------------------------------------------------------------

    def _tools(self) -> Node:
        match = self.match
        link = share_link(match, match["version"], self.share_code)
        points = self._points()
        last = points[-2]["version"] + 1 if len(points) > 1 else None
        tools = [] if self.is_local else self._service_tools(link, last)
        tools.append(button(t("Play on from here"), self._fork, "grow", "i-fork"))
        back = el(
            "a",
            {"class": "button grow", "href": self.page_at(1)},
            picture("i-play", 22),
            el("span", {}, t("Walk through it")),
        )
        tools.append(back)
        return el(
            "section",
            {"class": "card"},
            el("h2", {}, t("Show it, keep it, play on")),
            el("div", {"class": "row"}, tools),
            None if self.is_local else el("div", {"class": "link", "tabindex": "0"}, link),
        )

    def _service_tools(self, link: str, last: int | None) -> list[Node]:
        """Return the tools that need the service: share button, animations, match file."""
        tools = [
            button(t("Share"), lambda _e: share(link), "primary grow", "i-share"),
            button(t("The whole game"), lambda _e: self._film(None), "grow", "i-film"),
        ]
        if last is not None:
            text = t(self.turn_labels["last"])
            tools.append(button(text, lambda _e: self._film(last), "grow", "i-film"))
        return [*tools, match_file.export_link(self.id)]

    def _points(self) -> Sequence[Data]:
        """Return the data points of the first chart, one per turn; empty if there are no charts."""
        charts = (self.review["review"] or {}).get("charts") or ()
        return charts[0]["points"] if charts else ()

    def _film(self, first: int | None) -> None:
        query = {"to": self.match["version"]}
        if first is not None:
            query["from"] = first
        address = self.picture_address("animation.gif", **query)
        status = el("p", {"role": "status"}, t("It is being drawn …"))

        def on_load(_event: DomEvent) -> None:
            fill(status)

        def on_error(_event: DomEvent) -> None:
            fill(status, t("It could not be drawn just now. Try again in a moment."))

        given = {
            "class": "film",
            "alt": t("The game in motion"),
            "onload": on_load,
            "onerror": on_error,
        }
        moving = el("img", {**given, "src": address})
        keep = el(
            "a",
            {"class": "button primary", "href": address, "download": "caravanserai.gif"},
            picture("i-save", 22),
            el("span", {}, t("Keep the picture")),
        )
        fill(self.film.body, el("div", {"class": "stack"}, status, moving, keep))
        self.film.open()

    def _fork(self, _event: DomEvent) -> None:
        match = self.match
        version = match["version"]
        if match["status"] == "finished":
            # Nothing can be played from the very end, so fork before the last turn.
            points = self._points()
            version = points[-2]["version"] if len(points) > 1 else version - 2
        link = share_link(match, version, self.share_code)
        self.fork_sheet.open(
            match, version, t("near its end"), t(self.turn_labels["before-last"]), link
        )
