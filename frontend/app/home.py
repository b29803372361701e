"""Home: the picture, a new table, my tables, tables that wait for players."""

from _native import cloned, fill, stored, theme

from frontend.app import matchfile, net, people
from frontend.app.dom import after, button, el, show, toast

titles = {}


def learn_games(then):
    """Fetches what is on offer, once; ``then(games)``."""
    if titles:
        then(list(titles.values()))
        return

    def done(games):
        for game in games:
            titles[game["slug"]] = game
        then(games)

    net.get("/api/games", done, lambda problem: toast(problem.detail))


class Home:
    """The first page."""

    def __init__(self, went):
        self.mine = el("div", {"class": "tables", "aria-busy": "true"}, _bones(2))
        self.public = el("div", {"class": "tables", "aria-busy": "true"}, _bones(1))
        self.closed = False
        hero = el(
            "section",
            {"class": "hero"},
            cloned("hero"),
            el(
                "div",
                {"class": "words"},
                el("h1", {}, "Caravanserai"),
                el(
                    "p",
                    {},
                    "Caravan board games for one table or many miles. "
                    "No account, no app store: open a table and hand round the link.",
                ),
                el("a", {"class": "button primary", "href": "/new"}, "Open a table"),
            ),
        )
        page = el(
            "main",
            {"class": "page"},
            hero,
            el("section", {"class": "stack"}, el("h2", {}, "Your tables"), self.mine),
            el("section", {"class": "stack"}, el("h2", {}, "Public tables"), self.public),
            el(
                "footer",
                {"class": "row"},
                button("Light or dark", _toggle_theme, "quiet", "i-theme"),
                button("Play on another device", _link_device, "quiet"),
                matchfile.opener(went),
            ),
        )
        show(page)
        learn_games(lambda _games: people.find(self._lists))

    def close(self):
        """The page is left."""
        self.closed = True

    def _lists(self):
        if people.me["known"]:
            net.get(
                "/api/matches?scope=mine",
                lambda page: self._show(self.mine, page, True),
                self._failed,
            )
        else:
            self._show(self.mine, {"items": ()}, True)
        net.get(
            "/api/matches?scope=public&status=open",
            lambda page: self._show(self.public, page, False),
            self._failed,
        )

    def _failed(self, problem):
        if self.closed:
            return
        if problem.status == 0:
            after(3000, lambda: self.closed or self._lists())
        else:
            toast(problem.detail)

    def _show(self, home, page, mine):
        if self.closed:
            return
        items = [i for i in page["items"] if mine or not any(s["you"] for s in i["seats"])]
        if mine:
            items.sort(key=lambda item: (not item["your_turn"], item["status"] == "finished"))
        none = (
            "No tables yet. Open one: alone, round one phone, or with friends."
            if mine
            else "No table waits for players just now."
        )
        cards = [_card(item, mine) for item in items]
        fill(home, cards or el("p", {"class": "muted"}, none))
        home.setAttribute("aria-busy", "false")


def _bones(count):
    return [el("div", {"class": "skeleton"}) for _ in range(count)]


def _card(item, mine):
    game = titles.get(item["game"])
    names = ", ".join([seat["name"] or "open" for seat in item["seats"]])
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
            el("strong", {}, game["title"] if game else item["game"]),
            el("div", {"class": "muted"}, names),
            el("div", {"class": "pips"}, pips),
        ),
        el("span", {"class": "tag " + name}, tag),
    )


def _state(item):
    if item["status"] == "finished":
        return "finished", ""
    if item["status"] == "open":
        return "seats open", ""
    if item["your_turn"]:
        return "your turn", "now"
    acting = [item["seats"][seat]["name"] for seat in item["to_act"][:1]]
    return (acting[0] or "playing") if acting else "playing", ""


def _toggle_theme(_event):
    """Like the system, light, dark, and round again."""
    following = {"": "dark", "dark": "light", "light": ""}[theme()]
    theme(following)
    stored("theme", following or None)
    toast({"": "As the system has it", "dark": "Dark", "light": "Light"}[following], 2)


def _link_device(_event):
    if not people.me["known"]:
        toast("Open or join a table first: then there is something to take along.")
        return

    def done(link):
        card = el("div", {"class": "link", "tabindex": "0"}, link["url"])
        words = el("p", {}, "Open this link on the other device within ten minutes:")
        fill_toast(words, card)

    net.call("POST", "/api/players/link", None, done, lambda problem: toast(problem.detail))


def fill_toast(*nodes):
    """A toast that stays long enough to be copied."""
    toast(el("div", {"class": "stack"}, nodes), 120)
