"""The rules of a game in our own words: the nodes, and the pages that show them."""

from collections.abc import Callable
from typing import Any

from _native import fill, go, guides, lessons, place

from domain.guide import Picture, Points, Ruling
from frontend.app import houses, room, titles
from frontend.app.dom import el, show, svg
from frontend.app.drawn import drawn
from frontend.app.front import facts
from frontend.app.small_boards import board_of_game
from frontend.app.typed import DomEvent, Node
from frontend.app.words import LANGUAGE, row, t, tn, words_of


class Guide:
    """The rules of a game as nodes.

    ``level``: the tag of section headings ("h2", "h3"); ``chosen(name)`` is called when a section
    is chosen from the contents.
    """

    def __init__(
        self, slug: str, level: str, chosen: Callable[[str], object] = lambda _name: None
    ) -> None:
        self.slug = slug
        self.level = level
        self.chosen = chosen
        self.say = words_of(slug)[0]
        self.headings: dict[str, Node] = {}
        sections = [self._section(each) for each in houses.guide_of(slug).GUIDE]
        self.node = el("div", {"class": "guide"}, self._contents(), sections)

    def show(self, name: str) -> None:
        """Scroll to a section and focus its heading."""
        heading = self.headings.get(name)
        if heading is not None:
            heading.scrollIntoView()
            heading.focus()

    def _contents(self) -> Node:
        links = []
        for each in houses.guide_of(self.slug).GUIDE:

            def chosen(event: DomEvent, name: str = each.name) -> None:
                event.preventDefault()
                self.chosen(name)
                self.show(name)

            link = {"href": f"/rules/{self.slug}#{each.name}", "onclick": chosen}
            links.append(el("li", {}, el("a", link, self.say(each.heading))))
        return el("nav", {"aria-label": t("Contents")}, el("ul", {"class": "contents"}, links))

    def _section(self, section: Any) -> Node:
        heading = el(self.level, {"tabindex": "-1"}, self.say(section.heading))
        self.headings[section.name] = heading
        return el("section", {"class": "stack"}, heading, [self._part(x) for x in section.parts])

    def _part(self, part: Any) -> Node:
        if isinstance(part, Points):
            return el(
                "ul", {"class": "points"}, [el("li", {}, self.say(x)) for x in part.sentences]
            )
        if isinstance(part, Ruling):
            numbers = [str(number) for number in part.numbers]
            tag = tn("Ruling {list}", "Rulings {list}", n=len(numbers), list=row(numbers))
            words = el("span", {}, self.say(part.sentence))
            return el("p", {"class": "ruling"}, el("span", {"class": "tag"}, tag), words)
        if isinstance(part, Picture):
            return self._picture(part)
        return el("p", {}, self.say(part))

    def _picture(self, part: Picture) -> Node:
        box = " ".join([str(number) for number in part.box])
        nodes = [drawn(node) for node in part.draw()]
        board = svg("svg", {"viewBox": box, "aria-hidden": "true"}, nodes)
        return el("figure", {}, board, el("figcaption", {}, self.say(part.sentence)))


class GuidePage:
    """The page with the rules of one game."""

    def __init__(self, slug: str) -> None:
        self.slug = slug
        self.closed = False
        self.content = el("div", {"aria-busy": "true"}, el("div", {"class": "skeleton"}))
        title = guides().get(slug)
        if title is None:
            show(room.message(t("Nothing here"), t("This address leads nowhere.")))
            return
        every = el("a", {"class": "button quiet", "href": "/rules"}, t("All rules"))
        taught = {"class": "button primary", "href": f"/learn/{slug}"}
        learn = el("a", taught, t("Learn by playing")) if slug in lessons() else None
        first = el("a", {"class": "button", "href": f"/new?game={slug}"}, t("Open a table"))
        heading = t("How {game} is played", game=title)
        foot = el("footer", {"class": "row"}, learn, first, every)
        show(el("main", {"class": "page"}, room.top(heading), self.content, foot))
        houses.load_guide(slug, self._come)

    def close(self) -> None:
        """Close the page."""
        self.closed = True

    def _come(self) -> None:
        if self.closed:
            return
        guide = Guide(self.slug, "h2", lambda name: go(f"/rules/{self.slug}#{name}", True))
        words = t(
            "Marked rulings say what is played here where the printed rules leave something open."
        )
        note = el("p", {"class": "muted"}, words)
        fill(self.content, note, guide.node)
        self.content.setAttribute("aria-busy", "false")
        guide.show(place()[2].lstrip("#"))


class RulesPage:
    """The page that lists the games with rules to read, with the facts shown for a new table."""

    def __init__(self) -> None:
        self.closed = False
        self.facts: dict[str, Node] = {}
        self.abouts: dict[str, Node] = {}
        cards = [self._card(slug, title) for slug, title in guides().items()]
        words = el("p", {}, t("How each game is played, in short and with pictures."))
        page = {"class": "page"}
        show(el("main", page, room.top(t("The rules")), words, el("ul", {"class": "stack"}, cards)))
        titles.learn(lambda _games: self._come())

    def close(self) -> None:
        """Close the page."""
        self.closed = True

    def _card(self, slug: str, title: str) -> Node:
        self.facts[slug], self.abouts[slug] = el("p", {}), el("p", {"class": "muted"})
        link = el("a", {"class": "to-rules", "href": f"/rules/{slug}"}, title)
        told = el("div", {"class": "game-told"}, board_of_game(slug), self.facts[slug])
        return el("li", {"class": "card"}, el("h2", {}, link), told, self.abouts[slug])

    def _come(self) -> None:
        """Fill in the facts of the games once they are known, from the service or from storage."""
        if self.closed:
            return
        for slug in self.facts:
            game = titles.of(slug)
            if game["seats"]:
                fill(self.facts[slug], facts(LANGUAGE, game))
                fill(self.abouts[slug], game["about"])
