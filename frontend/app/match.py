"""One match as this device knows it: what the service said, and every moment of it."""

from _native import build

UNDOING = ("MovesUndone", "MovesRedone")
KERNEL = (
    "MatchOpened",
    "SeatTaken",
    "MatchStarted",
    "UndoProposed",
    "UndoAnswered",
    "MovesUndone",
    "MovesRedone",
    "Said",
    "SeedRevealed",
)


class Match:
    """``data``: the service's answer; ``events``: all events, version 1 first; ``states[v]``:
    the state at version v (games with rules in the browser), None before the game begins.

    A move that is on its way to the service is ``ahead``: events and the state after them.
    ``open_text(event, match)`` of a game with secrets gives the words that everybody may read on
    this device, or None for the service's own. Then a device that holds several seats looks
    through one of them at a time: ``in_hand``, None before somebody has taken it.

    ``quiet``: whether the words of some events say less than the service's.

    ``taken_by``: by version, the seat that took the move back; ``rounds``: the versions with
    which a round begins, a round being ``round_turns`` turns.
    """

    def __init__(self, data, rules, round_turns=1, open_text=None):
        self.data = data
        self.rules = rules
        self.open_text = open_text
        held = self.held()
        self.in_hand = held[0] if open_text and len(held) == 1 else None
        self.events = []
        self.states = [None]
        self.ahead = None
        self.quiet = False
        self.types = {each.__name__: each for each in rules.EVENTS} if rules else {}
        self.taken_by = {}
        self.rounds = []
        self._round_turns = round_turns
        self._round = 0
        self._before = [0]

    @property
    def version(self):
        """The newest version whose events are here."""
        return len(self.events)

    @property
    def is_open(self):
        """Whether nothing is secret any more: the match is over and keeps no secrets."""
        data = self.data
        return data["status"] == "finished" and not data["options"].get("keep_secrets")

    @property
    def names(self):
        """What texts call the seats."""
        seats = self.data["seats"]
        return tuple([s["name"] or f"Seat {s['seat'] + 1}" for s in seats])

    @property
    def letters(self):
        """The shortest beginnings of the names that tell the seats apart; else a, b, c."""
        for size in (1, 2):
            short = [name[:size].upper() if size == 1 else name[:size] for name in self.names]
            if len(set(short)) == len(short):
                return short
        return [chr(ord("a") + seat) for seat in range(len(self.names))]

    @property
    def state(self):
        """The state now, the move on its way included."""
        return self.ahead[1] if self.ahead else self.states[-1]

    def take(self, events):
        """Adds events that follow those already here; True when a move was taken back."""
        turned = False
        for event in events:
            if event["version"] != self.version + 1:
                continue
            words = self.open_text(event, self) if self.open_text else None
            if words is not None:
                event = {**event, "text": words}
                self.quiet = True
            self.events.append(event)
            kind = event["type"]
            if kind in UNDOING:
                turned = True
                self._turn_back(event)
                self.states.append(self.states[event["data"]["to_version"]])
            else:
                self._before.append(self.version - 1)
                cls = self.types.get(kind)
                before = self.states[-1]
                after = self.rules.evolve(before, build(cls, event["data"])) if cls else before
                self.states.append(after)
            self._note_round(event["turn"])
        return turned

    def retell(self, events):
        """Takes all events once more, as they are to be read now that nothing is secret."""
        self.events = list(events)

    def _turn_back(self, event):
        """Notes which moves no longer count and which count again.

        Both lines, the one that counted and the one that counts now, are followed back to
        where they part.
        """
        old, new = self.version - 1, event["data"]["to_version"]
        self._before.append(new)
        while old != new:
            if old > new:
                if self.events[old - 1]["type"] not in KERNEL:
                    self.taken_by[old] = event["seat"]
                old = self._before[old]
            else:
                self.taken_by.pop(new, None)
                new = self._before[new]

    def _note_round(self, turn):
        number = (turn + self._round_turns - 1) // self._round_turns
        if number != self._round:
            self._round = number
            self.rounds.append(self.version)

    def undone(self):
        """The versions whose events no longer count."""
        return set(self.taken_by)

    def held(self):
        """The seats of this device; none in a match that came in a file, to look at only."""
        if self.data.get("imported"):
            return []
        return [seat["seat"] for seat in self.data["seats"] if seat["you"]]

    def acting(self):
        """The seats the match waits for now."""
        if self.rules and self.state is not None and self.data["status"] == "playing":
            return self.rules.to_act(self.state)
        return self.data["to_act"]

    def my_seat(self):
        """The seat of this device that is to act, or None."""
        acting = self.acting()
        held = self.held()
        if self.open_text:
            held = [self.in_hand]
        for seat in held:
            if seat in acting:
                return seat
        return None

    def first_version(self):
        """The first version worth looking at: the board is laid."""
        for version, event in enumerate(self.events):
            if event["type"] == "MatchStarted":
                return min(self.version, version + 2)
        return self.version
