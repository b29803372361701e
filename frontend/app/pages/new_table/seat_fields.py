"""The seats of a new table: form rows for people and bots, and the request body."""

from collections.abc import Callable

from _native import keep_focus

from domain.text.default_names import default_person_name
from frontend.app.api import session
from frontend.app.components import page_frame
from frontend.app.core.dom import button, el, fill
from frontend.app.core.i18n import t
from frontend.app.core.types import Data, DomEvent, Node

MOST = 30
"""At most this many recent fellow players are offered to be invited."""


class Seating:
    """The people and bots of a table being set up; seat 0 belongs to the owner of this device.

    ``round``: whether all people share this device. ``changed()`` redraws the form.
    """

    def __init__(self, name: str, changed: Callable[[], object]) -> None:
        self.round = False
        self.names: dict[int, str] = {0: name}
        self.guests: dict[int, str] = {}
        """By seat, the name of the person an open seat had at an earlier match."""
        self.bots: dict[int, str] = {}
        """By seat, the level of its bot."""
        self._changed = changed
        self.known: list[Data] = []
        """Fellow players of earlier matches, who may be invited."""
        self.kept: dict[int, str] = {}
        """By open seat, the id of the person it is reserved for; "" for nobody."""
        self._cells: dict[int, Node] = {}
        self._count = 0

    def know(self, company: list[Data], guest: str | None) -> None:
        """Set the fellow players; reserve the second seat for ``guest`` if they are one of them.

        Existing rows are updated in place; nothing else of the form is redrawn.
        """
        self.known = [each for each in company if not each["blocked"]][:MOST]
        if guest in [each["id"] for each in self.known]:
            self.kept[1] = str(guest)
        for seat, cell in self._cells.items():
            if not (self._is_bot(seat) or self._is_mine(seat)):
                fill(cell, self._who(seat))

    def like(self, seats: list[Data]) -> None:
        """Prefill the people and bots of an earlier match."""
        # The player of this device sits first.
        seats = [s for s in seats if s["you"]] + [s for s in seats if not s["you"]]
        here = [s for s in seats if s["kind"] == "human"]
        self.round = len(here) > 1 and here[-1]["you"]
        self.names = {at: session.given_name(s) for at, s in enumerate(seats) if s["you"]}
        self.guests = {at: seat["name"] for at, seat in enumerate(seats) if not seat["you"]}
        self.bots = {
            at: seat.get("level") or "good"
            for at, seat in enumerate(seats)
            if seat["kind"] == "bot"
        }

    def asked(self, count: int) -> list[Data]:
        """Return the seats of the request body."""
        return [self._asked(seat) for seat in range(count)]

    def _asked(self, seat: int) -> Data:
        if self._is_bot(seat):
            return {"kind": "bot", "level": self.bots[seat]}
        if self._is_mine(seat):
            given = (self.names.get(seat) or "").strip()
            return {"kind": "me", "name": given or default_person_name(seat + 1)}
        person = self.kept.get(seat)
        return {"kind": "open", "person": person} if person else {"kind": "open"}

    def _is_bot(self, seat: int) -> bool:
        return seat > 0 and seat in self.bots

    def _is_mine(self, seat: int) -> bool:
        return seat == 0 or self.round

    def rows(self, count: int) -> Node:
        """Return a row for each seat."""
        self._cells = {}
        self._count = count
        return el("div", {"class": "stack"}, [self._row(seat) for seat in range(count)])

    def _row(self, seat: int) -> Node:
        cell = self._cells[seat] = el("div", {"class": "grow"}, self._who(seat))
        parts = [page_frame.medal(seat), cell]
        if seat > 0:
            parts.append(self._switch(seat))
        return el("div", {"class": "row", "style": "flex-wrap:nowrap"}, parts)

    def _who(self, seat: int) -> Node:
        """Return a person's name field, a bot's level, or for whom the seat is open."""
        if self._is_bot(seat):
            return self._level(seat)
        if self._is_mine(seat):
            return self._name(seat)
        guest = self.guests.get(seat)
        words = t("Open for {guest}", guest=guest) if guest else t("Open for a guest")
        if not self.known:
            return el("span", {"class": "name"}, words)
        return self._guest(seat, words if guest else t("A guest"))

    def _guest(self, seat: int, anybody: str) -> Node:
        """Return the choice for whom a seat is open: anybody with the link, or one person."""
        kept = self.kept.get(seat)
        others = [at for at in range(self._count) if at != seat and at not in self.bots]
        taken = [self.kept.get(at) for at in others]

        def chosen(event: DomEvent) -> None:
            person = str(event.target.value)
            self.kept = {at: each for at, each in self.kept.items() if each != person}
            self.kept[seat] = person
            keep_focus(self._changed)

        field = {
            "name": f"guest{seat}",
            "aria-label": t("For whom seat {seat} is open", seat=seat + 1),
            "onchange": chosen,
        }
        return el(
            "select",
            field,
            el("option", {"value": "", "selected": not kept}, anybody),
            [
                el(
                    "option",
                    {"value": each["id"], "selected": each["id"] == kept},
                    session.called(each["name"]),
                )
                for each in self.known
                if each["id"] not in taken
            ],
        )

    def _name(self, seat: int) -> Node:
        def named(event: DomEvent) -> None:
            self.names[seat] = event.target.value

        label, hint = t("Name of player {seat}", seat=seat + 1), t("Player {seat}", seat=seat + 1)
        if seat == 0:
            label = hint = t("Your name")
        field = {
            "type": "text",
            "aria-label": label,
            "placeholder": hint,
            "maxlength": 40,
            "autocomplete": "nickname" if seat == 0 else "off",
            "value": self.names.get(seat, ""),
            "oninput": named,
        }
        return el("input", field)

    def _level(self, seat: int) -> Node:
        def chosen(event: DomEvent) -> None:
            self.bots[seat] = event.target.value

        field = {
            "name": f"level{seat}",
            "aria-label": t("How well the bot of seat {seat} plays", seat=seat + 1),
            "onchange": chosen,
        }
        levels = (("good", t("A good bot")), ("easy", t("An easy bot")))
        return el(
            "select",
            field,
            [
                el("option", {"value": level, "selected": level == self.bots[seat]}, words)
                for level, words in levels
            ],
        )

    def _switch(self, seat: int) -> Node:
        """Return the button that switches a seat between bot and person."""
        bot = self._is_bot(seat)

        def change(_event: DomEvent) -> None:
            if bot:
                del self.bots[seat]
            else:
                self.bots[seat] = "good"
            keep_focus(self._changed)

        return button(
            t("Person") if bot else t("Bot"),
            change,
            title=t("Let a person sit here") if bot else t("Let a bot sit here"),
            name=f"who{seat}",
            style="flex:none",
        )
