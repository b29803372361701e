"""Playing on from any moment in a match of its own, and where a match came from."""

from frontend.app import net, people
from frontend.app.dom import button, el, fill, picture, toast
from frontend.app.sharing import share
from frontend.app.sheets import Sheet


class Forking:
    """The sheet "Play on from here". ``path`` is the match's, ``went(address)`` opens a page."""

    def __init__(self, path, went):
        self.path = path
        self.went = went
        self.body = el("div", {"class": "stack"})
        self.sheet = Sheet("Play on from here", self.body)

    def open(self, match, version, told, link):
        """Offers the ways to go on from a version, and to share it by its link."""
        seats = match["seats"]
        held = [seat["seat"] for seat in seats if seat["you"]]
        mine = held or [match["to_act"][0] if match["to_act"] else 0]
        others = [seat for seat in seats if seat["kind"] == "human" and not seat["you"]]
        ways = []
        if held and others:
            names = ", ".join([seat["name"] for seat in others])
            ways.append(
                self._way(
                    "With the same people",
                    f"Their seats stay theirs: {names}.",
                    version,
                    [{"kind": "same"} for _ in seats],
                )
            )
        if len(seats) > 1:
            who = " and ".join([seats[seat]["name"] or f"Seat {seat + 1}" for seat in mine])
            bots = [{"kind": "me" if seat["seat"] in mine else "bot"} for seat in seats]
            ways.append(self._way("Against bots", f"You play {who}.", version, bots))
            ways.append(
                self._way(
                    "Round this phone",
                    "All seats are yours: try things out, alone or together.",
                    version,
                    None,
                )
            )
        else:
            ways.append(self._way("Alone", "As before, in a match of its own.", version, None))
        fill(
            self.body,
            el(
                "p",
                {},
                f"A new match begins as this one stood at version {version}: ",
                el("q", {}, told),
                " This one stays as it is.",
            ),
            *ways,
            button("Share this moment", lambda _e: share(link), "quiet", "i-share"),
        )
        self.sheet.open()

    def _way(self, title, words, version, seats):
        body = {"at": version}
        if seats is not None:
            body["seats"] = seats

        def chosen(_event):
            people.find(lambda: people.become(people.me["name"] or "Guest", send, failed))

        def send():
            net.send(self.path + "/fork", body, done, failed)

        def done(match):
            self.sheet.close()
            self.went(f"/m/{match['id']}")

        def failed(problem):
            toast(problem.detail)

        return el(
            "button",
            {"type": "button", "class": "way", "onclick": chosen},
            picture("i-fork", 26),
            el("span", {}, el("strong", {}, title), el("small", {}, words)),
        )


def short(match_id):
    """How a match is called in words: the beginning of its id."""
    return match_id[:8]


def lineage(match):
    """Where a match came from and what began from it, with links; None when there is neither."""
    parts = []
    origin = match.get("forked_from")
    if origin:
        parts.append(
            el(
                "p",
                {"class": "lineage"},
                picture("i-fork", 18),
                el(
                    "span",
                    {},
                    f"from version {origin['version']} of ",
                    el(
                        "a",
                        {"href": f"/m/{origin['match']}?v={origin['version']}"},
                        f"match {short(origin['match'])}",
                    ),
                ),
            )
        )
    forks = match.get("forks") or ()
    if forks:
        links = []
        for number, fork in enumerate(forks):
            links.append(", " if number else "")
            words = f"version {fork['version']}"
            links.append(
                el(
                    "a",
                    {
                        "href": f"/m/{fork['match']}",
                        "aria-label": f"match {short(fork['match'])}, begun from {words}",
                    },
                    words,
                )
            )
        parts.append(
            el(
                "p",
                {"class": "lineage"},
                picture("i-fork", 18),
                el("span", {}, "played on elsewhere from ", links),
            )
        )
    return parts or None


def fork_button(action):
    """The button that opens the sheet."""
    return button("Play on from here", action, "round", "i-fork")
