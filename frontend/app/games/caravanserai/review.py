"""The review cards of Caravanserai: the longest placement, and the goods laid and taken."""

from typing import Any

from domain.games.caravanserai.pieces import COLOURS
from domain.text.i18n import N_
from frontend.app.contract import game_screen
from frontend.app.core.dom import el, picture
from frontend.app.core.i18n import NODE_PLACEHOLDER, insert_nodes, join_list
from frontend.app.core.types import Node
from frontend.app.games.caravanserai.i18n import t

SOURCES = (
    ("market", N_("review.taken_market")),
    ("standing", N_("review.taken_standing")),
    ("opponent", N_("review.taken_opponent")),
)


class ReviewSection(game_screen.ReviewSection):
    """The two review cards of Caravanserai."""

    def cards(self, own: Any) -> list[Any]:
        """Return the card of the longest placement (None if none) and the table of goods."""
        return [self._longest(own["longest"]), self._goods(own["seats"])]

    def _longest(self, longest: Any) -> Node | None:
        if not longest:
            return None
        ink = f"color:var(--seat-{longest['seat']})"
        beads = []
        for block in longest["blocks"]:
            kind = block["kind"]
            name, style = (f"good-{kind}", None) if kind in COLOURS else (kind, ink)
            beads += [picture(name, 22, style=style) for _ in range(block["size"])]
        beads.append(picture("camel", 26, style=ink))
        name, omitted = self.names[longest["seat"]], longest["omitted"]
        args = {"name": name, "turn": longest["turn"], "n": longest["pieces"]}
        text = t("review.longest_turn", **args)
        if omitted:
            text = t("review.longest_omitted", omitted=omitted, **args)
        link = {"class": "button", "href": self.page_at(longest["version"])}
        return el(
            "section",
            {"class": "card"},
            el("h2", {}, t("review.longest_heading")),
            el("p", {}, text),
            el("div", {"class": "gains", "aria-hidden": "true"}, beads),
            el("a", link, t("review.show")),
        )

    def _goods(self, seats: Any) -> Node:
        def sign(colour: str) -> Node:
            label = el("span", {"class": "hush"}, t("colour.name", colour=colour))
            return el("th", {"scope": "col"}, picture("good-" + colour, 22), label)

        rows, taken = [], []
        for row in seats:
            name = self.names[row["seat"]]
            laid = [el("td", {}, str(row["laid"][colour])) for colour in COLOURS]
            total = el("td", {}, el("b", {}, str(sum([row["laid"][c] for c in COLOURS]))))
            rows.append(el("tr", {}, el("th", {"scope": "row"}, name), laid, total))
            parts = [t(text, n=row["taken"][key]) for key, text in SOURCES if row["taken"][key]]
            parts.append(t("review.placements", n=row["placements"]))
            if row["skipped"]:
                parts.append(t("review.turns_skipped", n=row["skipped"]))
            text = t("review.taken", name=NODE_PLACEHOLDER, parts=join_list(parts))
            taken.append(el("p", {}, insert_nodes(text, el("b", {}, name))))
        signs = [sign(colour) for colour in COLOURS]
        first, last = t("review.laid"), t("review.all")
        col = {"scope": "col"}
        head = el("tr", {}, el("th", col, first), signs, el("th", col, last))
        table = el("table", {"class": "facts"}, el("thead", {}, head), el("tbody", {}, rows))
        return el(
            "section",
            {"class": "card"},
            el("h2", {}, t("review.goods_laid")),
            el("div", {"class": "scroller"}, table),
            taken,
        )
