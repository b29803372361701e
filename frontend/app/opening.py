"""The pages for opening a table and for joining one by invitation."""

from typing import Any

from _native import by_id, fill, go, guides, keep_focus, place

from domain.marks import person_mark
from domain.pins import is_common, is_pin
from frontend.app import client, connection, local_gateway, match_ids, options, people, room, titles
from frontend.app.attachments import from_anchor
from frontend.app.dom import button, el, pin_field, show, toast
from frontend.app.front import facts
from frontend.app.guide_sheet import GuideSheet
from frontend.app.pace import PaceField
from frontend.app.preview import Preview
from frontend.app.problem import Problem
from frontend.app.seating import Seating
from frontend.app.small_boards import board_of_game
from frontend.app.switch import switch
from frontend.app.typed import Data, Does, DomEvent, Node, Went
from frontend.app.words import LANGUAGE, row, t


def about_game(game: Data) -> list[Node]:
    """Return a game's description: board, facts (players, duration, complexity), summary."""
    return [
        el(
            "div",
            {"class": "game-told"},
            board_of_game(game["slug"]),
            el("p", {}, facts(LANGUAGE, game)),
        ),
        el("p", {"class": "muted"}, game["about"]),
    ]


def rules_button(slug: str) -> Node | None:
    """Return a button that opens the rules in a sheet; None if the game has no rules text.

    The page below keeps what is chosen or written there.
    """

    def opened(_event: DomEvent) -> None:
        guide = GuideSheet(slug)
        by_id("app").append(guide.sheet.node)
        guide.sheet.on_close(lambda: guide.sheet.node.remove())
        guide.open(lambda told: told.GUIDE[0].name)

    return button(t("How it is played"), opened, "quiet", "i-eye") if slug in guides() else None


PIN_WORDS = t("Lets you get your seat back if you lose this device.")


class PinField:
    """A field for the optional PIN of the seat about to be taken."""

    def __init__(self) -> None:
        self.field = pin_field("seat-pin")
        self.said = el("p", {"class": "problem", "role": "alert"})

    def nodes(self) -> list[Node]:
        return [
            el("label", {"for": "seat-pin"}, t("Seat PIN (optional, 6 digits)")),
            self.said,
            self.field,
            el("p", {"class": "muted"}, PIN_WORDS),
        ]

    def value(self) -> str:
        """Return the entered PIN; "" for none."""
        return str(self.field.value).strip()

    def is_good(self) -> bool:
        """Whether the PIN is valid or empty; otherwise show the reason and focus the field."""
        pin, problem = self.value(), ""
        if pin and not is_pin(pin):
            problem = t("A PIN has six digits.")
        elif pin and is_common(pin):
            problem = t("Too many people choose this PIN. Choose another one.")
        fill(self.said, problem)
        if problem:
            self.field.focus()
        return not problem


def choose_pin(match_id: str, seats: list[int], pin: str, then: Does) -> None:
    """Set the PIN of the first of these seats, if one was entered; then call ``then()``.

    A refused PIN only shows a toast; it can be chosen again at the table.
    """

    def refused(problem: Problem) -> None:
        toast(problem.detail)
        then()

    if not pin or not seats:
        then()
        return
    body = {"seat": seats[0], "pin": pin}
    client.call("PUT", f"/api/matches/{match_id}/pin", body, lambda _pin: then(), refused)


class NewTablePage:
    """The page for opening a table."""

    def __init__(
        self, visit: Went, slug: str | None = None, again: Any = None, guest: Any = None
    ) -> None:
        self.visit = visit
        self.again = again
        self.guest = guest
        self.company: list[Data] = []
        self.slug = slug
        self.seating = Seating("", self._draw)
        self.pace = PaceField(self._draw)
        self.form = el("div", {})
        self.pin = PinField()
        self.sending = False
        self.here = bool(again) and match_ids.is_local_match(again)
        self.preview = Preview(self._chosen)
        page = el("main", {"class": "page"}, room.top(t("Open a table")), self.form)
        show(page, self.preview.sheet.node)
        fill(self.form, el("div", {"class": "skeleton", "style": "min-height:50vh"}))
        titles.learn(lambda games: people.find(lambda: self._begin(games)))

    def _all_here(self) -> bool:
        """Whether no seat is open, so that everybody plays on this phone."""
        return all(seat["kind"] != "open" for seat in self.seating.asked(self.count))

    def _begin(self, games: list[Data]) -> None:
        """Draw the form, empty or prefilled like an earlier match."""
        self.here = self.here or not connection.there()

        def like(match: Data) -> None:
            self._lay(games)
            self._like(match)

        if self.again:
            client.get(f"/api/matches/{self.again}", like, lambda _problem: self._lay(games))
        else:
            self._lay(games)
        if people.me["known"] and not self.here:
            client.get("/api/players/me/people", self._known, lambda _problem: None)

    def _known(self, company: Data) -> None:
        """Offer to reserve seats for people this player has played with."""
        self.company = company["items"]
        if self.company:
            self.seating.know(self.company, self.guest)

    def _like(self, match: Data) -> None:
        """Prefill game, options, seats, visibility and pace from an earlier match.

        Players who used their own phone get an open seat, to be filled by a link.
        """
        self.slug = match["game"]
        self._use({**match["options"]})
        self.count = len(match["seats"])
        self.seating.like(match["seats"])
        self.public = match["visibility"] == "public"
        if "clock" in match:
            self.pace.like(match["clock"])
        self._draw()

    def close(self) -> None:
        """Do nothing: the page has nothing to clean up."""

    def _lay(self, games: list[Data]) -> None:
        self.games = {game["slug"]: game for game in games}
        slugs = [game["slug"] for game in games]
        if self.slug not in slugs:
            self.slug = slugs[0]
        self._use(from_anchor(place()[2], self.games[self.slug]))
        self.count = 0
        self.public = False
        self.seating = Seating(people.me["name"], self._draw)
        self.seating.know(self.company, self.guest)
        self.seating.round = self.here
        self._draw()

    def _draw(self) -> None:
        game = self.games[self.slug]
        if self.count not in game["seats"]:
            self.count = 2 if 2 in game["seats"] else game["seats"][0]
        parts = [*self._game(game), *self._players(game)]
        parts.extend(self.fields.nodes(self.count))
        if self._all_here():
            small = t("Without a network; the phone draws, and nobody else has proved its chance")
            parts.append(switch(t("On this phone only"), small, self.here, self._set_here))
        else:
            parts.extend(self.pace.nodes())
        if self.count > 1 and not self.seating.round:
            small = t("Anybody may sit down or watch")
            parts.append(switch(t("Public table"), small, self.public, self._set_public))
        if not self._all_here():
            parts.extend(self.pin.nodes())
        self.submit = button(t("Open the table"), self._open, "primary", style="width:100%")
        fill(self.form, el("div", {"class": "card"}, parts, self.preview.button(), self.submit))

    def _game(self, game: Data) -> list[Node]:
        """Return the choice of the game and its description."""
        about = [*about_game(game), rules_button(game["slug"])]
        if len(self.games) == 1:
            return about
        titles = [(slug, each["title"], "") for slug, each in self.games.items()]
        return [options.choices(t("Game"), titles, self.slug, self._set_game), *about]

    def _players(self, game: Data) -> list[Node]:
        """Return the fields for the number of players, how they share phones, and who they are."""
        counts = [(n, str(n), t("alone") if n == 1 else "") for n in game["seats"]]
        parts = [options.choices(t("Players"), counts, self.count, self._set_count)]
        if self.count > 1:
            ways = [
                ("apart", t("Each on their own phone"), t("you get a link and a QR code")),
                ("round", t("Pass one phone round"), t("all at this device")),
            ]
            way = "round" if self.seating.round else "apart"
            parts.append(options.choices(t("How"), ways, way, self._set_way))
        return [*parts, self.seating.rows(self.count)]

    def _chosen(self) -> tuple[str, Data]:
        """Return the game and settings that a preview is requested for."""
        return str(self.slug), {"seats": self.count, "options": self.fields.value()}

    def _use(self, chosen: Data) -> None:
        """Start the option fields with the given values."""
        self.fields = options.Fields(self.games[self.slug], chosen)

    def _set_game(self, slug: str) -> None:
        self.slug = slug
        self._use({})
        keep_focus(self._draw)

    def _set_count(self, count: int) -> None:
        self.count = int(count)
        keep_focus(self._draw)

    def _set_way(self, way: Any) -> None:
        self.seating.round = way == "round"
        keep_focus(self._draw)

    def _set_here(self, on: bool) -> None:
        self.here = on

    def _set_public(self, on: bool) -> None:
        self.public = on

    def _open(self, _event: DomEvent) -> None:
        if self.sending:
            return
        name = (self.seating.names.get(0) or "").strip()
        problem = self.fields.problem()
        if problem:
            toast(problem)
            return
        if not (self._all_here() or self.pin.is_good()):
            return
        self.sending = True
        self.submit.disabled = True
        if self.here and self._all_here():
            people.call_me(name)
            known = self.games[self.slug]["options"]
            local_gateway.ask(
                lambda house: house.open(self._wanted(), known, self._opened, self._failed)
            )
        else:
            people.become(name or people.GUEST, self._create, self._failed)

    def _create(self) -> None:
        client.send("/api/matches", self._wanted(), self._opened, self._failed)

    def _opened(self, match: Data) -> None:
        seats = [seat["seat"] for seat in match["seats"] if seat["you"]]
        pin = "" if self._all_here() else self.pin.value()
        choose_pin(match["id"], seats, pin, lambda: self.visit(f"/m/{match['id']}"))

    def _wanted(self) -> Data:
        """Return the request body that opens the table."""
        pace = None if self._all_here() else self.pace.value()
        return {
            **({"pace": pace} if pace else {}),
            "game": self.slug,
            "seats": self.seating.asked(self.count),
            "options": self.fields.value(),
            "visibility": "public" if self.public and not self.seating.round else "private",
        }

    def _failed(self, problem: Problem) -> None:
        self.sending = False
        self.submit.disabled = False
        toast(problem.detail)


class JoinPage:
    """The page that an invitation link opens."""

    def __init__(self, match_id: Any, query: dict[str, str], visit: Went) -> None:
        self.id = match_id
        self.invite = query.get("invite")
        self.visit = visit
        self.sending = False
        self.closed = False
        show(
            el(
                "main",
                {"class": "page"},
                room.top(t("Sit down")),
                el("div", {"class": "skeleton", "style": "min-height:30vh"}),
            )
        )
        titles.learn(lambda _games: people.find(self._look))

    def close(self) -> None:
        """Mark the page as closed, so that late answers are ignored."""
        self.closed = True

    def _rest(self) -> str:
        return f"?invite={self.invite}" if self.invite else ""

    def _look(self) -> None:
        client.get(f"/api/matches/{self.id}{self._rest()}", self._found, self._missing)

    def _missing(self, problem: Problem) -> None:
        words = t("This invitation leads nowhere: all seats are taken, or the link is not whole.")
        show(room.message(t("No such table"), words if problem.status == 404 else problem.detail))

    def _found(self, match: Data) -> None:
        if self.closed:
            return
        opened = [seat for seat in match["seats"] if seat["kind"] == "open"]
        free = [seat["seat"] for seat in opened if seat.get("held_for") != "other"]
        if any(seat["you"] for seat in match["seats"]) or not free or match["status"] == "finished":
            go(f"/m/{self.id}{self._rest()}", True)
            self.visit(None)
            return
        game = titles.of(match["game"])
        self.seat = free[0]
        host = row([s["name"] for s in match["seats"] if s["kind"] != "open" and s["name"]])
        self.field = el(
            "input",
            {
                "type": "text",
                "id": "name",
                "maxlength": 40,
                "placeholder": t("Your name"),
                "autocomplete": "nickname",
                "value": people.me["name"],
            },
        )
        self.pin = PinField()
        self.submit = button(t("Sit down"), self._join, "primary", style="width:100%")
        show(
            el(
                "main",
                {"class": "page"},
                room.top(t("Sit down")),
                el(
                    "div",
                    {"class": "card"},
                    el("h2", {}, game["title"]),
                    el("p", {"class": "muted"}, t("with {host}", host=host) if host else ""),
                    about_game(game) if game["seats"] else None,
                    rules_button(match["game"]),
                    el("label", {"for": "name"}, t("What may we call you?")),
                    self.field,
                    self.pin.nodes(),
                    self.submit,
                ),
            )
        )

    def _join(self, _event: DomEvent) -> None:
        name = str(self.field.value).strip()
        if self.sending or not self.pin.is_good():
            return
        self.sending = True
        self.submit.disabled = True

        def sit() -> None:
            body = {"name": name or person_mark(self.seat + 1)}
            if self.invite:
                body["invite"] = self.invite
            client.send(f"/api/matches/{self.id}/join", body, done, failed)

        def done(match: Any) -> None:
            seats = [seat["seat"] for seat in match["seats"] if seat["you"]]
            choose_pin(self.id, seats, self.pin.value(), seated)

        def seated() -> None:
            go(f"/m/{self.id}", True)
            self.visit(None)

        def failed(problem: Problem) -> None:
            self.sending = False
            self.submit.disabled = False
            toast(problem.detail)

        people.become(name or people.GUEST, sit, failed)
