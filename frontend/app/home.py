"""Home: the picture, a new table, my tables, tables that wait for players."""

from typing import Any

from _native import cloned, fill, stored, theme

from frontend.app import matchfile, net, people, proof, titles
from frontend.app.dom import after, button, el, show, toast
from frontend.app.elsewhere import Elsewhere
from frontend.app.keeping import Keeping
from frontend.app.net import Problem
from frontend.app.typed import Data, DomEvent, Node, Went
from frontend.app.words import row, t

MINE = "/api/matches?scope=mine&sort=turn"
PUBLIC = "/api/matches?scope=public&status=open"


class HomePage:
    """The first page."""

    def __init__(self, went: Went) -> None:
        self.mine = el("div", {"class": "tables", "aria-busy": "true"}, _bones(2))
        self.public = el("div", {"class": "tables", "aria-busy": "true"}, _bones(1))
        self.closed = False
        self.keeping = Keeping(self._lists, went)
        hero = el(
            "section",
            {"class": "hero"},
            _hero(),
            el(
                "div",
                {"class": "words"},
                el("h1", {}, "Caravanserai"),
                el(
                    "p",
                    {},
                    t(
                        "Caravan board games for one table or many miles. "
                        "No account, no app store: open a table and hand round the link."
                    ),
                ),
                el("a", {"class": "button primary", "href": "/new"}, t("Open a table")),
            ),
        )
        page = el(
            "main",
            {"class": "page"},
            hero,
            self.keeping.calls,
            el("section", {"class": "stack"}, el("h2", {}, t("Your tables")), self.mine),
            el("section", {"class": "stack"}, el("h2", {}, t("Public tables")), self.public),
            el(
                "footer",
                {"class": "row"},
                el("a", {"class": "button quiet", "href": "/you"}, t("You")),
                button(t("Light or dark"), _toggle_theme, "quiet", "i-theme"),
                button(t("Play on another device"), self._link_device, "quiet"),
                button(t("Hidden tables"), self.keeping.shown_again, "quiet"),
                matchfile.opener(went),
            ),
        )
        self.elsewhere = Elsewhere()
        sheets = (self.elsewhere.sheet, self.keeping.sheet, self.keeping.hidden)
        show(page, *[sheet.node for sheet in sheets])
        titles.learn(lambda _games: people.find(self._lists))

    def refresh(self) -> None:
        """Reads the lists once more."""
        if not self.closed:
            self._lists()

    def _link_device(self, _event: DomEvent) -> None:
        if people.me["known"]:
            self.elsewhere.open()
        else:
            toast(t("Open or join a table first: then there is something to take along."))

    def close(self) -> None:
        """The page is left."""
        self.closed = True

    def _lists(self) -> None:
        if people.me["known"]:
            self.keeping.ask()
            self._page(self.mine, MINE, True)
        else:
            self._show(self.mine, {"items": (), "next": None}, True)
        self._page(self.public, PUBLIC, False)

    def _page(self, home: Any, path: str, mine: bool, cursor: Any = None) -> None:
        """Fetches a page of a list: the first, or the one that follows."""
        rest = f"&cursor={cursor}" if cursor else ""
        net.get(path + rest, lambda page: self._show(home, page, mine, bool(cursor)), self._failed)

    def _failed(self, problem: Problem) -> None:
        if self.closed:
            return
        if problem.status == 0:
            after(3000, self.refresh)
        else:
            toast(problem.detail)

    def _show(self, home: Any, page: Data, mine: bool, more: bool = False) -> None:
        if self.closed:
            return
        items = [i for i in page["items"] if mine or not any(s["you"] for s in i["seats"])]
        none = (
            t("No tables yet. Open one: alone, round one phone, or with friends.")
            if mine
            else t("No table waits for players just now.")
        )
        if mine:
            cards = self.keeping.lines(items, lambda item: _card(item, True))
        else:
            cards = [_card(item, False) for item in items]
        if more:
            home.lastChild.remove()  # the button that asked for this page
            home.append(*cards)
        else:
            fill(home, cards or el("p", {"class": "muted"}, none))
        if page["next"]:
            home.append(self._more(home, mine, page["next"]))
        if more and home.lastChild is not None:
            first = cards[0] if cards else home.lastChild
            (first.querySelector("a") or first).focus()
        home.setAttribute("aria-busy", "false")

    def _more(self, home: Any, mine: bool, cursor: Any) -> Node:
        def asked(_event: DomEvent) -> None:
            if home.getAttribute("aria-busy") == "false":
                home.setAttribute("aria-busy", "true")
                self._page(home, MINE if mine else PUBLIC, mine, cursor)

        return button(t("Show more"), asked)


def _hero() -> Node:
    """The picture, told to those who do not see it."""
    picture = cloned("hero")
    picture.firstElementChild.setAttribute(
        "aria-label", t("A caravan comes to a caravanserai in the evening")
    )
    return picture


def _bones(count: int) -> list[Any]:
    return [el("div", {"class": "skeleton"}) for _ in range(count)]


def _card(item: Data, mine: bool) -> Node:
    names = row([seat["name"] or t("open") for seat in item["seats"]])
    tag, name = _state(item)
    pips = [
        el("span", {"class": "pip", "style": f"background:var(--seat-{seat['seat']})"})
        for seat in item["seats"]
    ]
    where = f"/m/{item['id']}" if mine else f"/join/{item['id']}"
    return el(
        "a",
        {"class": "table-card", "href": where},
        el(
            "div",
            {"class": "body"},
            el("strong", {}, titles.of(item["game"])["title"]),
            el("div", {"class": "muted"}, names),
            el("div", {"class": "muted"}, proof.of_file(item)) if "signed" in item else None,
            el("div", {"class": "pips"}, pips),
        ),
        el("span", {"class": "tag " + name}, tag),
    )


def _state(item: Data) -> tuple[Any, ...]:
    if item["status"] == "finished":
        return t("finished"), ""
    if item["status"] == "open":
        return t("seats open"), ""
    if item["your_turn"]:
        return t("your turn"), "now"
    acting = [item["seats"][seat]["name"] for seat in item["to_act"][:1]]
    return (acting[0] if acting else "") or t("playing"), ""


def _toggle_theme(_event: DomEvent) -> None:
    """Like the system, light, dark, and round again."""
    following = {"": "dark", "dark": "light", "light": ""}[theme()]
    theme(following)
    stored("theme", following or None)
    toast({"": t("As the system has it"), "dark": t("Dark"), "light": t("Light")}[following], 2)
