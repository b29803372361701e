"""The rules page of a game, and the page that lists the tutorials and rules of all games."""

from typing import Any

from _native import current_location, fill, go, guides, lessons

from frontend.app.api import game_catalogue
from frontend.app.components import page_frame
from frontend.app.components.board_thumbnail import game_thumbnail
from frontend.app.core.dom import el, muted_text, row, show
from frontend.app.core.i18n import LANGUAGE, t
from frontend.app.core.types import Node
from frontend.app.games import loader
from frontend.app.match.rules_text import RulesView
from frontend.app.pages.home.template import facts_line


class GameRulesPage(page_frame.Page):
    """The page ``/rules/<slug>``; shows an error message if the game has no rules text."""

    def __init__(self, slug: str) -> None:
        self.slug = slug
        self.content = el("div", {"aria-busy": "true"}, el("div", {"class": "skeleton"}))
        title = guides().get(slug)
        if title is None:
            show(page_frame.message_page(t("error.page_not_found"), t("error.address_unknown")))
            return
        every = el("a", {"class": "button quiet", "href": "/rules"}, t("rules.all"))
        taught = {"class": "button primary", "href": f"/learn/{slug}"}
        learn = el("a", taught, t("lesson.play")) if slug in lessons() else None
        first = el("a", {"class": "button", "href": f"/new?game={slug}"}, t("setup.new_game"))
        heading = t("rules.how_to_play_game", game=title)
        foot = el("footer", {"class": "row"}, learn, first, every)
        page = page_frame.page(heading, self.content, foot)
        show(page, page_frame.navigation("/rules"))
        loader.load_guide(slug, self.while_open(self._on_loaded))

    def _on_loaded(self) -> None:
        guide = RulesView(self.slug, "h2", lambda name: go(f"/rules/{self.slug}#{name}", True))
        fill(self.content, muted_text(t("rules.rulings_intro")), guide.node)
        self.content.setAttribute("aria-busy", "false")
        guide.show(current_location()[2].lstrip("#"))


class RulesIndexPage(page_frame.Page):
    """The page ``/rules``: each game with its summary, tutorial and rules."""

    def __init__(self) -> None:
        self.facts: dict[str, Node] = {}
        self.summaries: dict[str, Node] = {}
        cards = [self._card(slug, title) for slug, title in guides().items()]
        intro, offer = el("p", {}, t("rules.intro")), el("ul", {"class": "offer"}, cards)
        page = page_frame.page(t("page.nav_learn"), intro, offer)
        show(page, page_frame.navigation("/rules"))
        game_catalogue.load(self.while_open(self._on_loaded))

    def _card(self, slug: str, title: str) -> Node:
        self.facts[slug], self.summaries[slug] = el("p", {}), muted_text()
        link = el("a", {"class": "to-rules", "href": f"/rules/{slug}"}, title)
        details = el("div", {"class": "game-told"}, game_thumbnail(slug), self.facts[slug])
        ways = [
            el("a", {"class": "button", "href": href, "aria-label": f"{text}: {title}"}, text)
            for text, href in (
                (t("lesson.play"), f"/learn/{slug}" if slug in lessons() else ""),
                (t("rules.read"), f"/rules/{slug}"),
            )
            if href
        ]
        below = [self.summaries[slug], row(ways)]
        return el("li", {"class": "card"}, el("h2", {}, link), details, *below)

    def _on_loaded(self, _games: Any) -> None:
        """Fill in the facts and summaries of the games once the game catalogue is loaded."""
        for slug in self.facts:
            game = game_catalogue.get(slug)
            if game["seats"]:
                fill(self.facts[slug], facts_line(LANGUAGE, game))
                fill(self.summaries[slug], game["about"])
