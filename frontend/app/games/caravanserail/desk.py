"""What a sheikh may do: openly for all to see, and under the cover what is planned and traded."""

from collections.abc import Callable, Sequence
from typing import Any

from _native import fill, keep_focus

from frontend.app.cover import Cover
from frontend.app.dom import announce, bar, button, el
from frontend.app.games import Host, Now
from frontend.app.games.caravanserail import ACTIONS, t
from frontend.app.games.caravanserail.deals import Deals
from frontend.app.games.caravanserail.dues import Dues
from frontend.app.games.caravanserail.holdings import goods, programme
from frontend.app.games.caravanserail.journeys import Planner
from frontend.app.games.caravanserail.sheikhs import name_of
from frontend.app.handover import Handover
from frontend.app.typed import Command, Does, DomEvent, Node, View
from frontend.app.whispers import Whispers, private

STIR = ("OfferMade", "OfferDeclined", "OfferWithdrawn", "WaresExchanged")
# Commands that say nothing secret, so they stand outside the cover.
OPEN = ("ChooseHome", "Done", "Listen", "ChooseCaravan")
DOES = {
    "programme": t("Tap to plan"),
    "movement": t("Tap to pay"),
    "raid": t("Tap to choose"),
    "business": t("Tap to trade"),
}


class Desk:
    """``redraw()`` is called when what is planned on the map changed, ``focused()`` when something
    else on it matters now, ``opened(is_open)`` when the cover was opened or closed."""

    def __init__(
        self, host: Host, redraw: Does, focused: Does, opened: Callable[[bool], object]
    ) -> None:
        self.host = host
        self.redraw = redraw
        self.opened = opened
        self.now: Any = None
        self.built: Any = None
        self.stage: Any = None
        self.opening: Any = None
        self.seen = host.match.version
        self.home: Any = None
        self.node = el("div", {"class": "desk"})
        self.cover = Cover(host, self._cover_words, self._secrets, self._covered)
        self.planner = Planner(redraw, focused, self._seal)
        self.deals = Deals(host, self._send, self._commit, self.cover.draw)
        self.dues = Dues(host, self._send, self._commit)
        self.whispers = Whispers(host)
        self.handover = Handover(host, self._taken)

    def arrive(self, now: Now) -> None:
        """Takes note of a moment: what was being picked in another phase is forgotten."""
        self.now = now
        view = now.view
        if now.live:
            stage = (view["turn"], view["phase"])
            if stage != self.stage:
                self.stage = stage
                self.dues.forget()
                self.deals.forget()
                self.cover.hide()
        if now.choices and self.home not in self._homes(now):
            self.home = None

    def draw(self, now: Now) -> None:
        seat = self.host.match.in_hand
        if now.live and now.seat is not None and not now.choosing and self.built is not None:
            return  # the service is telling what may be chosen
        if all_open(now.view):
            self.cover.hide()
            self.built = None
            fill(self.node, self._had(now.view))
            return
        due = self.handover.due() if now.live else None
        known = seat is not None and now.view["players"][seat]["treasure"] is not None
        question = (due, seat, known, now.live, self._sealed(now), *self._question(now, seat))
        if question != self.built:
            self.built = question
            if self.plans(now) and known and seat is not None:
                self.planner.begin(now.view, seat)
            keep_focus(lambda: self._rebuild(now, due, known))
        self.cover.tell()
        if due is not None or not known:
            self.cover.hide()
        elif self.opening == seat:
            self.opening = None
            self.cover.show()

    def _had(self, view: View) -> list[Any]:
        """After the end nothing is secret: what everybody had at this moment."""
        return [
            el(
                "details",
                {"class": "opened", "style": f"--tone:var(--seat-{player['seat']})"},
                el("summary", {}, t("What {name} had", name=self.host.names()[player["seat"]])),
                goods(view, player),
                programme(player) if view["phase"] == "programme" else None,
            )
            for player in view["players"]
            if player["home"]
        ]

    def _rebuild(self, now: Now, due: Any, known: bool) -> None:
        self.cover.draw()
        fill(self.node, self._desk(now, due, known))

    def _question(self, now: Now, seat: int | None) -> tuple[Any, ...]:
        """What tells one thing to do, or one look at one's own, from the next."""
        view = now.view
        own = str(view["players"][seat]) if seat is not None else ""
        commands = str([choice["command"] for choice in now.choices[:200]])
        return (
            view["phase"],
            view["turn"],
            own,
            str(view["offers"]),
            str(view["raids"]),
            str(view["debts"]),
            self.whispers.count(),
            str(now.groups),
            commands,
            self.home,
        )

    def _desk(self, now: Now, due: Any, known: bool) -> Node | list[Any]:
        if due is not None:
            words = t("Give the phone to {names}", names=self.host.names()[due])
            return button(words, lambda _e: self.handover.ask(due), "primary")
        cover = self.cover.node if known else None
        if self._sealed(now) or now.view["phase"] in ("homes", "raid"):
            return [*self._openly(now), cover]
        return [cover, *self._openly(now)]

    def _openly(self, now: Now) -> Sequence[Node]:
        """What may be done for all to see."""
        if self._sealed(now):
            change = button(t("Change it"), lambda _e: self.host.take_back(), sign="i-undo")
            words = t("Sealed. It stays secret until all are ready.")
            if now.view["phase"] != "programme":
                words = t("You wait for the others.")
            return (el("div", {"class": "sealed"}, el("p", {}, words), change),)
        homes = self._homes(now)
        if homes:
            return self._settling(homes)
        ways = [choice for choice in now.choices if choice["command"]["type"] in OPEN]
        if not ways or not now.live:
            return ()
        buttons = [
            button(
                choice["label"],
                lambda _e, c=choice: self._send([c["command"]]),
                name="do-" + choice["command"]["type"],
            )
            for choice in ways
        ]
        return (el("div", {"class": "open-ways"}, buttons),)

    def _settling(self, homes: Any) -> tuple[Any, ...]:
        """The free places in words, and the button that settles in the chosen one. It is there
        from the beginning, so that the map above keeps its place."""
        chosen = homes.get(self.home)
        settle = ACTIONS.button(
            chosen["label"] if chosen else t("Choose your home"),
            lambda _e: self._commit([chosen["command"]]),
            "ChooseHome",
            best=True,
            kind="confirm",
            name="settle",
        )
        bar(settle, None if chosen else t("Tap a free place on the map, or its name here, first."))
        ways = [
            button(
                name_of(self.now.view, place),
                self._settler(place),
                name="home-" + place,
                **{"aria-pressed": "true" if place == self.home else "false"},
            )
            for place in homes
        ]
        return settle, el("div", {"class": "open-ways homes", "role": "group"}, ways)

    def _sealed(self, now: Now) -> bool:
        """Whether the seat waits, and can still change its mind."""
        seat = self.host.match.in_hand
        undo = self.host.match.data["undo"]
        if seat is None or not now.live or undo["kind"] != "free" or undo["seat"] != seat:
            return False
        player = now.view["players"][seat]
        waits = player["ready"] or player["listening"]
        return waits and now.view["phase"] in ("programme", "business", "diplomacy")

    def why_not(self, now: Now, position: str) -> str:
        """Why a place or a trail of the map cannot be chosen; "" for who is choosing nothing
        there."""
        if not now.live or now.seat is None:
            return ""
        if now.view["phase"] == "homes":
            return t("Choose a caravanserai that is still free.")
        planning = self.cover.open and self.plans(now)
        return self.planner.why_not(position) if planning else ""

    # -- under the cover -------------------------------------------------------------------------

    def _cover_words(self) -> str:
        """The same on every phone at the table: whom an offer or a word is for is secret too."""
        now = self.now
        if now is None:
            return t("Hold to look")
        if now.live and self._stir():
            return t("Somebody offers or whispers: tap to look")
        if [group for group in now.groups if group["type"] not in OPEN]:
            return t("{does}, hold to look", does=DOES[now.view["phase"]])
        return t("Hold to look")

    def _stir(self) -> bool:
        """Whether anybody made or answered an offer or passed a private word since the cover was
        open last."""
        for event in self.host.match.events[self.seen :]:
            if event["type"] in STIR or private(event):
                return True
        return False

    def _covered(self) -> None:
        self.opened(self.cover.open)

    def _secrets(self) -> list[Node]:
        now, seat = self.now, self.host.match.in_hand
        if now is None or seat is None:
            return []
        self.seen = self.host.match.version
        player = now.view["players"][seat]
        parts = [goods(now.view, player)]
        phase = now.view["phase"]
        if self.plans(now):
            parts.append(self.planner.draw())
        elif phase == "programme" and player["programme"]:
            parts.append(programme(player))
        elif now.live and phase == "movement":
            parts.extend(self.dues.taxes(now))
        elif phase == "raid":
            parts.extend(self.dues.raid(now, seat))
        elif phase == "business":
            parts.extend(self.deals.made(now, seat))
        if now.live:
            parts.extend(self.whispers.made(seat))
        return parts

    def _send(self, commands: Sequence[Command]) -> None:
        self._put_away()
        self.host.play(*commands)

    def _commit(self, commands: Sequence[Command]) -> None:
        """Carries out what was put together before."""
        self._put_away()
        self.host.commit(*commands)

    def _seal(self, commands: Sequence[Command]) -> None:
        """Carries a plan out. The last one brings all to light."""
        players = self.now.view["players"]
        last = all(each["ready"] for each in players if each["seat"] != self.now.seat)
        self._put_away()
        self.host.play(*commands, final=last)

    def _put_away(self) -> None:
        self.home = None
        self.cover.hide()

    def _taken(self, seat: int | None) -> None:
        self.built = None
        self.opening = seat

    # -- what the map is for -----------------------------------------------------------------------

    def targets(self, now: Now) -> list[tuple[str, str, Callable[..., object]]]:
        """What a tap on the map does."""
        if not now.live or not now.choosing:
            return []
        if now.view["phase"] == "homes":
            return [
                (place, name_of(self.now.view, place), self._settler(place))
                for place in self._homes(now)
            ]
        if self.plans(now) and self.cover.open:
            return self.planner.targets()
        return []

    def _homes(self, now: Now) -> dict[Any, Any]:
        """The places one may settle in now, and what that takes."""
        return {
            choice["command"]["place"]: choice
            for choice in now.choices
            if now.live and choice["command"]["type"] == "ChooseHome"
        }

    def _settler(self, place: str) -> Callable[..., object]:
        """Chooses a home; a button confirms it, for it is for the whole match and the places lie
        all over the map."""

        def chosen(_event: DomEvent) -> None:
            self.home = place
            self.draw(self.now)
            self.redraw()
            announce(t("{place} is chosen, not yet confirmed", place=name_of(self.now.view, place)))

        return chosen

    def plans(self, now: Now) -> bool:
        return now.live and now.choosing and now.view["phase"] == "programme"


def all_open(view: View) -> bool:
    """Whether the looker may see everything: the match is over and keeps no secrets."""
    return all(player["treasure"] is not None for player in view["players"])
