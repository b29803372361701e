"""The seats of a new table: form rows for people and bots, and the request body."""

from collections.abc import Callable

from _native import keep_focus

from domain.text.default_names import default_person_name
from frontend.app.api import session
from frontend.app.components import page_frame
from frontend.app.core.dom import button, el, fill, stack
from frontend.app.core.i18n import t
from frontend.app.core.types import Data, DomEvent, Node
from frontend.app.pages.form_fields import name_field, select_field

MAX_CONTACTS = 30
"""Maximum number of contacts to choose from when reserving a seat."""

EASY, STRONG = "easy", "good"
"""The levels of bots; see `domain.contract.game.LEVELS`."""


class SeatFields:
    """The form fields for the seats of a new table; seat 0 belongs to this device's player.

    ``count``: the number of seats; ``is_shared_device``: whether all people share this device.
    ``on_change()`` redraws the form.
    """

    def __init__(self, name: str, on_change: Callable[[], object]) -> None:
        self.count = 0
        self.is_shared_device = False
        self.names: dict[int, str] = {0: name}
        self.guests: dict[int, str] = {}
        """Names of the other players of the earlier match, by seat."""
        self.bots: dict[int, str] = {}
        """Levels of the bots, by seat."""
        self._on_change = on_change
        self.contacts: list[Data] = []
        """Players of earlier matches for whom a seat can be reserved."""
        self.reserved_for: dict[int, str] = {}
        """Ids of the players for whom open seats are reserved, by seat; "" if not reserved."""
        self._cells: dict[int, Node] = {}

    def set_contacts(self, company: list[Data], guest: str | None) -> None:
        """Set the contacts, without blocked ones.

        Reserves the second seat for the player with the id ``guest`` if they are a contact. Updates
        existing rows in place, without redrawing the rest of the form.
        """
        self.contacts = [each for each in company if not each["blocked"]][:MAX_CONTACTS]
        if guest in [each["id"] for each in self.contacts]:
            self.reserved_for[1] = str(guest)
        for seat, cell in self._cells.items():
            if not (self._is_bot(seat) or self._is_mine(seat)):
                fill(cell, self._seat_node(seat))

    def prefill(self, seats: list[Data]) -> None:
        """Prefill the people and bots from the seats of an earlier match.

        Seats of players on other devices become open seats, which they join by invitation.
        """
        # Move the seats of this device's player to the front.
        seats = [s for s in seats if s["you"]] + [s for s in seats if not s["you"]]
        self.count = len(seats)
        here = [s for s in seats if s["kind"] == "human"]
        self.is_shared_device = len(here) > 1 and here[-1]["you"]
        self.names = {at: session.entered_name(s) for at, s in enumerate(seats) if s["you"]}
        self.guests = {at: seat["name"] for at, seat in enumerate(seats) if not seat["you"]}
        self.bots = {
            at: seat.get("level") or STRONG
            for at, seat in enumerate(seats)
            if seat["kind"] == "bot"
        }

    def request_body(self) -> list[Data]:
        """Return the ``seats`` of the request body, one item per seat."""
        return [self._seat_request(seat) for seat in range(self.count)]

    def is_all_local(self) -> bool:
        """Return whether no seat is open, so that everybody plays on this device."""
        return all(seat["kind"] != "open" for seat in self.request_body())

    def _seat_request(self, seat: int) -> Data:
        if self._is_bot(seat):
            return {"kind": "bot", "level": self.bots[seat]}
        if self._is_mine(seat):
            given = (self.names.get(seat) or "").strip()
            return {"kind": "me", "name": given or default_person_name(seat + 1)}
        person = self.reserved_for.get(seat)
        return {"kind": "open", "person": person} if person else {"kind": "open"}

    def has_only_bots(self) -> bool:
        """Return whether all seats but the first have bots."""
        return all(self._is_bot(seat) for seat in range(1, self.count))

    def set_count(self, count: int) -> None:
        """Set the number of seats; if there are only bots, new seats have bots as well."""
        only_bots = self.count > 1 and self.has_only_bots()
        self.count = count
        if only_bots:
            self.set_bots(True)

    def set_bots(self, on: bool) -> None:
        """Give all seats but the first to bots; or, if they all have bots, to people."""
        if on:
            self.bots = {seat: self.bots.get(seat, EASY) for seat in range(1, self.count)}
        elif self.has_only_bots():
            self.bots = {}

    def _is_bot(self, seat: int) -> bool:
        return seat > 0 and seat in self.bots

    def _is_mine(self, seat: int) -> bool:
        return seat == 0 or self.is_shared_device

    def rows(self) -> Node:
        """Return a row for each seat."""
        self._cells = {}
        return stack([self._row(seat) for seat in range(self.count)])

    def _row(self, seat: int) -> Node:
        cell = self._cells[seat] = el("div", {"class": "grow"}, self._seat_node(seat))
        parts = [page_frame.medal(seat), cell]
        if seat > 0:
            parts.append(self._bot_toggle(seat))
        return el("div", {"class": "row", "style": "flex-wrap:nowrap"}, parts)

    def _seat_node(self, seat: int) -> Node:
        """Return a seat's field: a bot's level, a local player's name, or whom it is open to."""
        if self._is_bot(seat):
            return self._level(seat)
        if self._is_mine(seat):
            return self._name(seat)
        guest = self.guests.get(seat)
        text = t("setup.open_for", guest=guest) if guest else t("setup.open_seat")
        if not self.contacts:
            return el("span", {"class": "name"}, text)
        return self._guest(seat, text if guest else t("setup.seat_anyone"))

    def _guest(self, seat: int, anybody: str) -> Node:
        """Return the select for an open seat: anybody with the link, or one of the contacts."""
        kept = self.reserved_for.get(seat, "")
        others = [at for at in range(self.count) if at != seat and at not in self.bots]
        taken = [self.reserved_for.get(at) for at in others]

        def on_choose(event: DomEvent) -> None:
            person = str(event.target.value)
            self.reserved_for = {
                at: each for at, each in self.reserved_for.items() if each != person
            }
            self.reserved_for[seat] = person
            keep_focus(self._on_change)

        label = {"aria-label": t("setup.seat_open_to", seat=seat + 1)}
        titles = [("", anybody)]
        titles += [
            (each["id"], session.display_name(each["name"]))
            for each in self.contacts
            if each["id"] not in taken
        ]
        return select_field(kept, titles, name=f"guest{seat}", onchange=on_choose, **label)

    def _name(self, seat: int) -> Node:
        def named(event: DomEvent) -> None:
            self.names[seat] = event.target.value

        label, hint = t("setup.player_name", seat=seat + 1), t("player.number", seat=seat + 1)
        if seat == 0:
            label = hint = t("setup.your_name")
        given = {"aria-label": label, "placeholder": hint, "oninput": named}
        if seat > 0:
            given["autocomplete"] = "off"
        return name_field(self.names.get(seat, ""), **given)

    def _level(self, seat: int) -> Node:
        def on_choose(event: DomEvent) -> None:
            self.bots[seat] = event.target.value

        label = {"aria-label": t("setup.bot_level", seat=seat + 1)}
        levels = ((EASY, t("setup.bot_easy")), (STRONG, t("setup.bot_strong")))
        chosen = self.bots[seat]
        return select_field(chosen, levels, name=f"level{seat}", onchange=on_choose, **label)

    def _bot_toggle(self, seat: int) -> Node:
        """Return the button that switches a seat between bot and person."""
        bot = self._is_bot(seat)

        def change(_event: DomEvent) -> None:
            if bot:
                del self.bots[seat]
            else:
                self.bots[seat] = EASY
            keep_focus(self._on_change)

        return button(
            t("setup.person") if bot else t("setup.bot"),
            change,
            title=t("setup.open_to_player") if bot else t("setup.add_bot"),
            name=f"who{seat}",
            style="flex:none",
        )
