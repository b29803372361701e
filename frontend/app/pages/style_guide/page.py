"""The style guide page: every UI element, in the light and dark themes side by side.

Use it to check style changes. Loaded as a separate code bundle.
"""

from typing import Any

from _native import guides, icon_symbol_names, load_game_symbols, token_names, token_value

from frontend.app.api.update_notice import retry_unless_removed
from frontend.app.components.page_frame import Page, header_bar
from frontend.app.core.dom import el, picture, show, svg
from frontend.app.core.i18n import t
from frontend.app.core.types import Node
from frontend.app.pages.style_guide.samples import PARTS

LINEAR_LIMIT = 0.03928
"""Channel value (0 to 1) up to which the sRGB transfer function is linear."""
PAIRS = (
    ("ink", "ground"),
    ("ink", "paper"),
    ("muted", "ground"),
    ("muted", "paper"),
    ("action-ink", "action"),
    ("paper", "ink"),
    ("paper", "warn"),
    ("warn", "paper"),
    ("line", "ground"),
    ("line", "paper"),
    ("focus", "paper"),
    ("legal", "sand-central"),
    ("legal", "sand-outer"),
    ("tile-line", "sand-outer"),
)
"""Foreground and background tokens whose contrast is shown; seat colours are added."""


def _luminance(colour: str) -> Any:
    """Return the relative luminance (0 to 1) of a colour "#rrggbb"."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = [
        x / 12.92 if x <= LINEAR_LIMIT else ((x + 0.055) / 1.055) ** 2.4 for x in parts
    ]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast_tenths(one: str, other: str) -> int:
    """Return the WCAG contrast ratio of two colours "#rrggbb", in tenths, rounded down."""
    lights = [_luminance(one) + 0.05, _luminance(other) + 0.05]
    return int(10 * max(lights) / min(lights))


class StyleGuidePage(Page):
    """The page ``/style``. It also loads and shows the symbols of all games in the build."""

    def __init__(self) -> None:
        self.symbols_node = el("div", {"aria-hidden": "true"})
        self.pieces: list[Node] = []
        self.panels = [
            self._panel("by-day", t("home.theme_light")),
            self._panel("by-night", t("home.theme_dark")),
        ]
        text = t("style.intro")
        both = el("div", {"class": "themes"}, self.panels)
        page = {"class": "page style-page"}
        show(
            el("main", page, header_bar(t("style.title")), el("p", {}, text), both),
            self.symbols_node,
        )
        for panel in self.panels:
            panel.querySelector(".swatches").append(*self._colours(panel))
        self._ask()

    def _panel(self, theme: str, name: str) -> Node:
        pieces = el("div", {"class": "stack", "aria-busy": "true"})
        self.pieces.append(pieces)
        icons = [_symbol_item(each[2:], picture(each, 28)) for each in icon_symbol_names()]
        return el(
            "section",
            {"class": "theme " + theme, "aria-label": name},
            el("h2", {}, name),
            _part(t("style.colours"), el("ul", {"class": "swatches"})),
            [_part(heading(), *nodes(theme)) for heading, nodes in PARTS],
            _part(t("style.icons"), el("ul", {"class": "signs"}, icons)),
            _part(t("style.game_pieces"), pieces),
        )

    def _colours(self, panel: Node) -> list[Node]:
        """Return a swatch for each colour, then the colour pairs with their contrast."""
        found = {name: token_value(panel, name) for name in token_names()}
        colours = {name: value for name, value in found.items() if _is_colour(value)}
        swatches = [_swatch(name, value) for name, value in colours.items()]
        seats = [name for name in colours if name[:5] == "seat-" and name != "seat-ink"]
        pairs = [*PAIRS, *[("seat-ink", seat) for seat in seats], *[(s, "paper") for s in seats]]
        return swatches + [_pair(upper, lower, colours) for upper, lower in pairs]

    def _ask(self) -> None:
        failed = retry_unless_removed(self.while_open(self._ask))
        load_game_symbols(self.while_open(self._add_symbols), failed)

    def _add_symbols(self, game: str, signs: list[Any], nodes: Node) -> None:
        self.symbols_node.append(nodes)
        for home in self.pieces:
            shown = [_symbol_item(name[len(game) + 1 :], _piece(name, box)) for name, box in signs]
            home.append(el("h4", {}, guides().get(game, game)), el("ul", {"class": "signs"}, shown))
            home.setAttribute("aria-busy", "false")


def _part(heading: str, *nodes: Node) -> Node:
    return el("section", {"class": "stack"}, el("h3", {}, heading), nodes)


def _is_colour(value: str) -> bool:
    return value[:1] == "#" and len(value) == 7


def _code(text: str) -> Node:
    return el("code", {"translate": "no"}, text)


def _swatch(name: str, value: str) -> Node:
    spot = el("span", {"class": "swatch", "style": f"background:var(--{name})"})
    return el("li", {}, spot, el("span", {}, _code(name), el("br", {}), _code(value)))


def _pair(upper: str, lower: str, colours: dict[str, str]) -> Node:
    tenths = contrast_tenths(colours[upper], colours[lower])
    style = f"background:var(--{lower});color:var(--{upper})"
    spot = el("span", {"class": "swatch", "style": style, "aria-hidden": "true"})
    spot.append(svg("svg", {"viewBox": "0 0 24 24"}, svg("use", {"href": "#i-eye"})))
    text_node = el(
        "span", {}, _code(f"{upper} / {lower}"), el("br", {}), f"{tenths // 10}.{tenths % 10}"
    )
    return el("li", {}, spot, text_node)


def _symbol_item(name: str, drawing: Node) -> Node:
    return el("li", {}, drawing, _code(name))


def _piece(name: str, box: str) -> Node:
    left, above, wide, high = box.split(" ")
    place = {"href": "#" + name, "x": left, "y": above, "width": wide, "height": high}
    plate = {"viewBox": box, "aria-hidden": "true", "class": "piece"}
    return svg("svg", plate, svg("use", place))
