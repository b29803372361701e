"""Rendering of a game's rules as DOM nodes."""

from collections.abc import Callable
from typing import Any

from domain.contract.guide import Picture, Points, Ruling
from frontend.app.core.dom import el, svg
from frontend.app.core.i18n import t, translator_for
from frontend.app.core.scene_nodes import to_node
from frontend.app.core.types import DomEvent, Node
from frontend.app.games import loader


class RulesView:
    """The rules of a game as a DOM node (``node``): a table of contents and the sections.

    ``level``: the tag name of section headings ("h2" or "h3"); ``on_section(name)`` is called when
    the user selects a section in the table of contents. The guide must be loaded.
    """

    def __init__(
        self, slug: str, level: str, on_section: Callable[[str], object] = lambda _name: None
    ) -> None:
        self.slug = slug
        self.level = level
        self.on_section = on_section
        self.translate = translator_for(slug)
        self.headings: dict[str, Node] = {}
        sections = [self._section(each) for each in loader.guide_of(slug).GUIDE]
        self.node = el("div", {"class": "guide"}, self._contents(), sections)

    def show(self, name: str) -> None:
        """Scroll to a section and focus its heading; does nothing if there is no such section."""
        heading = self.headings.get(name)
        if heading is not None:
            heading.scrollIntoView()
            heading.focus()

    def _contents(self) -> Node:
        links = []
        for each in loader.guide_of(self.slug).GUIDE:

            def on_choose(event: DomEvent, name: str = each.name) -> None:
                event.preventDefault()
                self.on_section(name)
                self.show(name)

            link = {"href": f"/rules/{self.slug}#{each.name}", "onclick": on_choose}
            links.append(el("li", {}, el("a", link, self.translate(each.heading))))
        return el(
            "nav", {"aria-label": t("rules.contents")}, el("ul", {"class": "contents"}, links)
        )

    def _section(self, section: Any) -> Node:
        heading = el(self.level, {"tabindex": "-1"}, self.translate(section.heading))
        self.headings[section.name] = heading
        return el("section", {"class": "stack"}, heading, [self._part(x) for x in section.parts])

    def _part(self, part: Any) -> Node:
        if isinstance(part, Points):
            return el(
                "ul", {"class": "points"}, [el("li", {}, self.translate(x)) for x in part.sentences]
            )
        if isinstance(part, Ruling):
            tag = el("span", {"class": "tag"}, t("rules.ruling"))
            return el("p", {"class": "ruling"}, tag, el("span", {}, self.translate(part.sentence)))
        if isinstance(part, Picture):
            return self._picture(part)
        return el("p", {}, self.translate(part))

    def _picture(self, part: Picture) -> Node:
        box = " ".join([str(number) for number in part.box])
        nodes = [to_node(node) for node in part.draw()]
        board = svg("svg", {"viewBox": box, "aria-hidden": "true"}, nodes)
        return el("figure", {}, board, el("figcaption", {}, self.translate(part.sentence)))
