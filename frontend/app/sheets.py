"""Sheets that slide over the table: the log, the list of moves, the result."""

from frontend.app.dom import button, el, picture


class Sheet:
    """A dialog with a title, a body and a button to close it."""

    def __init__(self, title, content):
        self.body = el("div", {"class": "sheet-body", "tabindex": "0"}, content)
        self.notices = el("div", {"class": "notices"})
        inner = el(
            "div",
            {"class": "sheet-inner"},
            el(
                "div",
                {"class": "sheet-bar"},
                el("h2", {}, title),
                button("Close", lambda _e: self.close(), "round quiet", "i-close"),
            ),
            self.notices,
            self.body,
        )
        self.node = el(
            "dialog", {"class": "sheet", "aria-label": title, "onclick": self._outside}, inner
        )

    @property
    def is_open(self):
        """Whether it is to be seen."""
        return bool(self.node.open)

    def open(self):
        """Shows it."""
        if not self.is_open:
            self.node.showModal()

    def close(self):
        """Puts it away."""
        if self.is_open:
            self.node.close()

    def _outside(self, event):
        if event.target.tagName == "DIALOG":
            self.close()


def result_body(table, standings):
    """The podium."""
    lines = []
    for place in standings:
        seat = place["seat"]
        tone = f"--tone:var(--seat-{seat});color:var(--seat-{seat})"
        detail = place["detail"]
        more = ", ".join(
            [
                f"{name.replace('_', ' ')} {value}"
                for name, value in detail.items()
                if value is not None
            ]
        )
        lines.append(
            el(
                "li",
                {},
                el("span", {"class": "rank"}, f"{place['rank']}."),
                el("span", {"style": tone}, picture("camel", 44)),
                el(
                    "span",
                    {"style": "flex:1;min-width:0"},
                    el("strong", {}, table.names()[seat]),
                    el("br", {}),
                    el("span", {"class": "muted"}, more),
                ),
                el("span", {"class": "score"}, place["score"]),
            )
        )
    seed = table.match.data["fairness"].get("seed")
    parts = [el("ol", {"class": "podium"}, lines)]
    if seed:
        parts.append(
            el(
                "p",
                {"class": "muted", "style": "margin-top:16px"},
                "Every draw of this game can be checked: its seed is public now.",
            )
        )
    parts.append(
        el(
            "div",
            {"class": "row", "style": "margin-top:16px"},
            el("a", {"class": "button primary grow", "href": table.review_page()}, "Review"),
            button("Look back", lambda _e: _look_back(table), "grow"),
            el("a", {"class": "button grow", "href": "/new"}, "Play again"),
            el("a", {"class": "button grow", "href": "/"}, "All tables"),
        )
    )
    return el("div", {}, parts)


def _look_back(table):
    table.end_sheet.close()
    table.history.look(table.history.first())
