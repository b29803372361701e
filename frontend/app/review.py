"""The review of a match: how it came about, to be shown to others and taken home."""

from _native import fill, title

from frontend.app import matchfile, net, room
from frontend.app.chart import chart
from frontend.app.dom import button, el, picture, show
from frontend.app.forking import Forking, lineage
from frontend.app.home import learn_games, titles
from frontend.app.sharing import share, share_link
from frontend.app.sheets import Sheet

COLOURS = ("white", "black", "purple", "red", "yellow")
SOURCES = (
    ("market", "from the market"),
    ("standing", "standing goods"),
    ("opponent", "from others"),
)


class Review:
    """The page ``/m/<id>/review``."""

    def __init__(self, match_id, query, went):
        self.id = match_id
        self.share = query.get("share")
        self.went = went
        self.closed = False
        self.match = None
        self.review = None
        self.forking = Forking("/api/matches/" + match_id, went)
        bones = [el("div", {"class": "skeleton"}) for _ in range(3)]
        show(el("main", {"class": "page", "aria-busy": "true"}, room.top("Review"), bones))
        code = f"?invite={self.share}" if self.share else ""
        net.get(f"/api/matches/{match_id}{code}", self._match, self._failed)

    def close(self):
        """The page is left."""
        self.closed = True

    def _failed(self, problem):
        if not self.closed:
            words = "There is no such table, or it is not open to you."
            words = words if problem.status == 404 else problem.detail
            show(room.message("Nobody here", words))

    def _match(self, data):
        if self.closed:
            return
        self.match = data
        if data["status"] != "finished":
            self.went(f"/m/{self.id}" + (f"?share={self.share}" if self.share else ""))
            return
        code = f"?share={self.share}" if self.share else ""
        net.get(f"/api/matches/{self.id}/review{code}", self._review, self._failed)

    def _review(self, data):
        self.review = data
        learn_games(lambda _games: self.closed or self._show())

    # -- the page ------------------------------------------------------------------------------

    def page_at(self, version):
        """The address of a moment."""
        return f"/m/{self.id}?v={version}" + (f"&share={self.share}" if self.share else "")

    def image(self, name, **query):
        """The address of a picture."""
        if self.share:
            query["share"] = self.share
        words = "&".join([f"{key}={value}" for key, value in query.items()])
        return f"/api/matches/{self.id}/{name}" + ("?" + words if words else "")

    def _show(self):
        match = self.match
        game = titles.get(match["game"])
        name = game["title"] if game else match["game"]
        self.names = [s["name"] or f"Seat {s['seat'] + 1}" for s in match["seats"]]
        found = self.review["review"]
        title(f"Review: {name} – Caravanserai")
        film = Sheet("In motion", el("div", {}))
        self.film = film
        cards = [self._head(name), self._standings(found)]
        if found and found["lengths"]:
            words = el("h2", {}, "Lengths over time")
            cards.append(
                el("section", {"class": "card"}, words, chart(found["lengths"], self.names))
            )
            cards.append(self._longest(found["longest"]))
            cards.append(self._goods(found["seats"]))
        cards.append(self._tools())
        page = el("main", {"class": "page"}, room.top("Review"), cards)
        show(page, film.node, self.forking.sheet.node)

    def _head(self, name):
        match = self.match
        seed = match["fairness"].get("seed")
        proof = "Every draw can be checked: the seed is public now." if seed else None
        names = ", ".join(self.names)
        return el(
            "section",
            {"class": "card"},
            el("h2", {}, name),
            el("p", {"class": "muted"}, names),
            el(
                "a",
                {"href": self.page_at(match["version"])},
                el(
                    "img",
                    {
                        "src": self.image("picture.png", at=match["version"]),
                        "alt": "The last position: open it",
                        "width": 1200,
                        "height": 630,
                        "class": "still",
                    },
                ),
            ),
            el("p", {"class": "muted"}, proof) if proof else None,
            lineage(match),
        )

    def _standings(self, found):
        places = self.review.get("standings") or ()
        if not places:
            words = "The match is not over yet: there are no standings."
            return el("section", {"class": "card"}, el("p", {}, words))
        lines = [self._place(place, found) for place in places]
        return el("section", {"class": "card"}, el("h2", {}, "Standings"), el("ol", {}, lines))

    def _place(self, place, found):
        seat = place["seat"]
        told = found["seats"][seat] if found and found["seats"] else None
        head = el(
            "div",
            {"class": "head"},
            el("span", {"class": "rank"}, f"{place['rank']}."),
            el("span", {"style": f"color:var(--seat-{seat})"}, picture("camel", 36)),
            el("strong", {"class": "who"}, self.names[seat]),
            el("span", {"class": "score"}, place["score"]),
        )
        if told is None:
            return el("li", {"class": "place"}, head, self._detail(place["detail"]))
        gains = [self._gain(gain) for gain in told["gains"]]
        words = f"1 to start with, {told['gained']} won by goods left out of the count."
        tie = place["detail"].get("reserve")
        if tie is not None:
            words += f" {tie} goods left in reserve."
        return el(
            "li",
            {"class": "place"},
            head,
            el("p", {"class": "muted"}, words),
            el("div", {"class": "gains"}, gains),
        )

    def _gain(self, gain):
        words = f"+{gain['gain']} in turn {gain['turn']}"
        return el("a", {"href": self.page_at(gain["version"])}, words)

    def _detail(self, detail):
        words = [f"{name.replace('_', ' ')} {value}" for name, value in detail.items()]
        return el("p", {"class": "muted"}, ", ".join(words))

    def _longest(self, longest):
        if not longest:
            return None
        seat = longest["seat"]
        beads = []
        for block in longest["blocks"]:
            kind = block["kind"]
            good = kind in COLOURS
            style = None if good else f"color:var(--seat-{seat})"
            for _ in range(block["size"]):
                beads.append(picture(("good-" if good else "") + kind, 22, style=style))
        beads.append(picture("camel", 26, style=f"color:var(--seat-{seat})"))
        omitted = longest["omitted"]
        words = f"{self.names[seat]}, turn {longest['turn']}: {longest['pieces']} pieces"
        words += f", {omitted} of them left out of the count." if omitted else "."
        return el(
            "section",
            {"class": "card"},
            el("h2", {}, "Longest placement"),
            el("p", {}, words),
            el("div", {"class": "gains", "aria-hidden": "true"}, beads),
            el("a", {"class": "button", "href": self.page_at(longest["version"])}, "Show it"),
        )

    def _goods(self, seats):
        def sign(colour):
            said = el("span", {"class": "hush"}, colour)
            return el("th", {"scope": "col"}, picture("good-" + colour, 22), said)

        rows, taken = [], []
        for told in seats:
            name = self.names[told["seat"]]
            laid = [el("td", {}, str(told["laid"][colour])) for colour in COLOURS]
            total = el("td", {}, el("b", {}, str(sum([told["laid"][c] for c in COLOURS]))))
            rows.append(el("tr", {}, el("th", {"scope": "row"}, name), laid, total))
            parts = [
                f"{told['taken'][key]} {words}" for key, words in SOURCES if told["taken"][key]
            ]
            more = f"{told['placements']} placements"
            if told["skipped"]:
                more += f", {told['skipped']} turns skipped"
            parts.append(more)
            taken.append(el("p", {}, el("b", {}, name), ": " + ", ".join(parts) + "."))
        head = el("tr", {}, el("th", {"scope": "col"}, "Laid"), [sign(c) for c in COLOURS])
        head.append(el("th", {"scope": "col"}, "all"))
        table = el("table", {"class": "facts"}, el("thead", {}, head), el("tbody", {}, rows))
        return el(
            "section",
            {"class": "card"},
            el("h2", {}, "Goods used"),
            el("div", {"class": "scroller"}, table),
            taken,
        )

    # -- showing, taking home --------------------------------------------------------------------

    def _tools(self):
        match = self.match
        link = share_link(match, match["version"], self.share)
        lengths = (self.review["review"] or {}).get("lengths") or ()
        last = lengths[-2]["version"] + 1 if len(lengths) > 1 else None
        ways = [
            button(
                "Share",
                lambda _e: share(link),
                "primary grow",
                "i-share",
            ),
            button("The whole game", lambda _e: self._film(None), "grow", "i-film"),
        ]
        if last is not None:
            ways.append(button("The last turn", lambda _e: self._film(last), "grow", "i-film"))
        ways.append(matchfile.keeper(self.id))
        ways.append(button("Play on from here", self._fork, "grow", "i-fork"))
        back = el(
            "a",
            {"class": "button grow", "href": self.page_at(1)},
            picture("i-play", 22),
            el("span", {}, "Walk through it"),
        )
        ways.append(back)
        return el(
            "section",
            {"class": "card"},
            el("h2", {}, "Show it, keep it, play on"),
            el("div", {"class": "row"}, ways),
            el("div", {"class": "link", "tabindex": "0"}, link),
        )

    def _film(self, first):
        query = {"to": self.match["version"]}
        if first is not None:
            query["from"] = first
        address = self.image("animation.gif", **query)
        said = el("p", {"role": "status"}, "It is being drawn …")

        def come(_event):
            fill(said)

        def gone(_event):
            fill(said, "It could not be drawn just now. Try again in a moment.")

        given = {"class": "film", "alt": "The game in motion", "onload": come, "onerror": gone}
        moving = el("img", {**given, "src": address})
        keep = el(
            "a",
            {"class": "button primary", "href": address, "download": "caravanserai.gif"},
            picture("i-save", 22),
            el("span", {}, "Keep the picture"),
        )
        fill(self.film.body, el("div", {"class": "stack"}, said, moving, keep))
        self.film.open()

    def _fork(self, _event):
        match = self.match
        version = match["version"]
        if match["status"] == "finished":
            # The end itself leaves nothing to play: the last turn is where one can go on.
            lengths = (self.review["review"] or {}).get("lengths") or ()
            version = lengths[-2]["version"] if len(lengths) > 1 else version - 2
        link = share_link(match, version, self.share)
        self.forking.open(match, version, "before the last turn", link)
