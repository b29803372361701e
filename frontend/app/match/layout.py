"""The layout of the match page: its regions, and the swap with what was shown before."""

from collections.abc import Sequence

from _native import scroll_to_top

from frontend.app.core.dom import by_id, el, patch
from frontend.app.core.i18n import join_and, t
from frontend.app.core.types import Node
from frontend.app.match.sheets import Sheets


class Layout:
    """The regions of one match page in its root node, and its sheets.

    Below the bar are the board and the dock. On phones the board has a fixed part of the height,
    and only the dock's body scrolls, so that nothing that appears there moves the board.
    ``head``, ``body`` and ``foot``: the parts of the dock; ``banners``: a part for the body.
    """

    def __init__(self, root: Node, sheets: Sheets) -> None:
        self.root = root
        self.sheets = sheets
        self.placeholder_nodes: list[Node] = []
        self.banners = el("div", {"class": "notices"})
        self.head = el("div", {"class": "dock-head"})
        self.body = el("div", {"class": "dock-body"})
        self.foot = el("div", {"class": "dock-foot"})

    def fill(self, names: Sequence[str], top: Sequence[Node], board: Node, overlay: Node) -> None:
        """Put nodes and the dock into the page.

        ``names``: the names of the seats; ``top``: the nodes above the board; ``overlay``: a node
        that may cover the whole page.
        """
        label = {"class": "dock", "aria-label": t("table.region")}
        dock = el("section", label, self.head, self.body, self.foot)
        heading = el("h1", {"class": "hush"}, t("table.of", names=join_and(names)))
        self.root.append(heading, *top, board, dock, overlay)

    def attach_hidden(self) -> None:
        """Add the page to the document, hidden behind the current content until `reveal`."""
        patch(self.root, {"data-rising": True})
        app = by_id("app")
        self.placeholder_nodes = [app.children[number] for number in range(app.children.length)]
        app.append(self.root, *[sheet.node for sheet in self.sheets.all])

    def reveal(self) -> None:
        """Show the page in place of the previous content, scrolled to the top."""
        for node in self.placeholder_nodes:
            node.remove()
        patch(self.root, {"data-rising": None})
        scroll_to_top()
