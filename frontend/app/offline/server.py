"""The local server: answers the calls of the service's API for local matches.

Rules, kernel and answers are the service's own code (`domain.match`, `domain.presentation`), so
pages see no difference. Each match has a random seed of this device, from which its draws follow as
on the service. A change is stored before it is answered.
"""

from typing import Any

from _native import (
    build,
    dumps,
    instant,
    keep_match,
    kept_match,
    loads,
    persist,
    random_key,
    random_seed,
    timestamp,
)

from domain.contract.game import ALL_SEEING
from domain.contract.registry import TITLES, rules_of
from domain.match import (
    PHONE,
    AnswerUndo,
    Open,
    Redo,
    Refused,
    Say,
    Seat,
    Timeline,
    Undo,
    fork,
    match_keeps_secrets,
)
from domain.match.rematch import rematch_options, rematch_seats
from domain.matchfile.writer import export_match
from domain.presentation import choices, events, matches, reviews, schemas
from domain.presentation.viewpoint import Viewer
from domain.text.default_names import default_bot_name, name_after_takeover
from domain.text.i18n import N_
from domain.toolkit.randomness import compute_commitment, draws_from_seed
from frontend.app.api import local_gateway
from frontend.app.core import match_ids
from frontend.app.core.i18n import LANGUAGE, t, words_of
from frontend.app.core.problem import Problem
from frontend.app.core.types import Data, Told
from frontend.app.offline.local_match import PLAYER, Stopped, Table, read


class House:
    """The local server; ``tables``: the matches that were loaded, by id."""

    def __init__(self) -> None:
        self.tables: dict[str, Table] = {}
        self.coming: dict[str, list[Any]] = {}
        self.ears: dict[str, list[Told]] = {}
        self.refused: set[str] = set()

    # -- tables --------------------------------------------------------------------------------

    def find(self, match_id: str, then: Told, failed: Told) -> None:
        """Call ``then(table)`` with a match, or ``failed(problem)`` if there is none."""
        if match_id in self.tables:
            then(self.tables[match_id])
            return
        waiting = self.coming.setdefault(match_id, [])
        waiting.append((then, failed))
        if len(waiting) == 1:
            kept_match(match_id, lambda safe, found: self._read(match_id, safe, found))

    def _read(self, match_id: str, safe: bool, found: Any) -> None:
        head, decisions = found if safe else (None, ())
        if head is None or not decisions:
            for _, failed in self.coming.pop(match_id):
                failed(problem(404, "no_such_match", t("This phone has no such match.")))
            return

        def ready(_house: House) -> None:
            slug = head["item"]["game"]
            words_of(slug)
            table = Table(head, Timeline(rules_of(slug), read(slug, decisions)), self.told)
            self.tables[match_id] = table
            table.wake()
            for then, _ in self.coming.pop(match_id):
                then(table)

        local_gateway.ask(ready, head["item"]["game"])

    def told(self, table: Table) -> None:
        """Tell the listeners that a match has grown."""
        for heard in self.ears.get(table.id, ()):
            heard(table.timeline.version)

    def forget(self, match_id: str) -> None:
        """Drop a match from memory: it was deleted, or changed by another page."""
        self.tables.pop(match_id, None)

    def listen(self, path: str, heard: Told) -> None:
        self.ears.setdefault(parted(path)[0], []).append(heard)

    def unlisten(self, path: str, heard: Told) -> None:
        self.ears[parted(path)[0]].remove(heard)

    # -- opening -------------------------------------------------------------------------------

    def open(self, body: Data, known: Data, done: Told, failed: Told) -> None:
        """Open a match.

        ``known``: the options of its game as the API describes them. ``body["practice"]`` is
        recorded in the head of the match.
        """

        def ready(_house: House) -> None:
            slug = body["game"]
            words_of(slug)
            options = {
                name: body["options"].get(name, each["default"])
                for name, each in known["properties"].items()
            }
            opening = opening_here(slug, options, _seated(body["seats"]))
            rules = rules_of(slug)
            if match_keeps_secrets(rules, opening):
                words = t("A phone cannot keep secrets after the end: turn that option off.")
                failed(problem(422, "bad_option", words))
                return
            timeline = Timeline(rules)
            timeline.play(None, [opening], instant(), draws_from_seed)
            self.found(timeline, done, failed, new_head(body.get("practice")))

        local_gateway.ask(ready, body["game"])

    def found(self, timeline: Timeline, done: Told, failed: Told, head: Data | None = None) -> None:
        """Store a new match and answer with it."""
        table = Table(head or new_head(), timeline, self.told)

        def kept(safe: bool, _results: Any) -> None:
            if not safe:
                failed(problem(507, "not_kept", t("This phone has no room to keep a match.")))
                return
            self.tables[table.id] = table
            table.wake()
            done(answered(matches.match_answer(table.id, viewer(table.timeline, None))))

        persist()
        keep_match(table.summed_up(timeline), table.plain(timeline, 0), 0, kept)

    # -- reading -------------------------------------------------------------------------------

    def call(self, method: str, path: str, body: Any, done: Told, failed: Told) -> None:
        """Answer a call as the service would."""
        if method != "GET":
            self.write(path, body, done, failed, "", None)
            return
        match_id, rest, query = parted(path)

        def found(table: Table) -> None:
            try:
                done(answered(_READ[rest](table, query)))
            except Refused as error:
                failed(refusal(error, table.timeline))

        self.find(match_id, found, failed)

    # -- writing -------------------------------------------------------------------------------

    def write(
        self, path: str, body: Data, done: Told, failed: Told, key: str, follows: str | None
    ) -> None:
        """Carry out a write call; refuse it if the call it ``follows`` was refused."""
        match_id, rest, _ = parted(path)
        asked = loads(dumps(body))

        def lost(trouble: Problem) -> None:
            self.refused.add(key)
            failed(trouble)

        def found(table: Table) -> None:
            if follows in self.refused:
                lost(problem(409, "version_conflict", t("The table has moved on.")))
            elif rest == "/fork":
                self._fork(table, asked, done, lost)
            elif rest == "/rematch":
                self._rematch(table, done, lost)
            elif rest == "/commands":
                self._play(table, asked, done, lost)
            else:
                command = _ASKED[rest](asked)
                table.change(
                    lambda twin: twin.play(asked["seat"], [command], instant(), draws_from_seed),
                    lambda _before: done(answered(_match(table, {}))),
                    lost,
                )

        self.find(match_id, found, lost)

    def _play(self, table: Table, asked: Data, done: Told, failed: Told) -> None:
        seat, expected = asked["seat"], asked["expected_version"]
        kinds = {each.__name__: each for each in table.timeline.rules.COMMANDS}
        commands: list[Any] = [build(kinds[each["type"]], each) for each in asked["commands"]]

        def decide(twin: Timeline) -> None:
            if expected not in (None, twin.version) and not twin.still_valid_since(seat, expected):
                raise Stopped(N_("The table has moved on."))
            twin.play(seat, commands, instant(), draws_from_seed)

        def kept(before: int) -> None:
            timeline = table.timeline
            done(
                answered(
                    schemas.PlayedAnswer(
                        version=timeline.version,
                        events=events.event_answers(viewer(timeline, seat), before),
                        match=_match(table, {}),
                    )
                )
            )

        table.change(decide, kept, failed)

    def _fork(self, table: Table, asked: Data, done: Told, failed: Told) -> None:
        timeline = table.timeline
        opened = timeline.latest.opened
        seats = _forked_seats(timeline.latest.seats, asked.get("seats"))
        opening = opening_here(opened.game, opened.options, seats)
        try:
            decisions = fork.create_fork(timeline, asked["at"], table.id, opening)
        except Refused as error:
            failed(refusal(error, timeline))
            return
        self.found(Timeline(timeline.rules, decisions), done, failed)

    def _rematch(self, table: Table, done: Told, failed: Told) -> None:
        """Open a rematch on this device, with the same options and people."""
        now = table.timeline.latest
        seats = rematch_seats(now.seats, PLAYER)
        timeline = Timeline(table.timeline.rules)
        options = rematch_options(table.timeline.rules, now.opened.options)
        opening = opening_here(now.opened.game, options, seats)
        timeline.play(None, [opening], instant(), draws_from_seed)
        self.found(timeline, done, failed, new_head(table.head.get("practice")))


HOUSE = House()
local_gateway.provide(server=HOUSE)


def new_head(practice: Any = None) -> Data:
    """Build the head of a new match: its id, and whether it is a practice game."""
    head = {"id": match_ids.MARK + random_key()}
    return {**head, "practice": True} if practice else head


# --- what is told -------------------------------------------------------------------------------


def viewer(timeline: Timeline, seat: int | None) -> Viewer:
    """Build the viewer: the player of this device, looking through one of the seats."""
    return Viewer(timeline, PLAYER, seat, LANGUAGE, timestamp)


def answered(answer: Any) -> Data:
    """Convert an answer to plain data, as if it had come from the service."""
    return loads(dumps(answer))


def problem(status: int, code: str, words: str) -> Problem:
    """Build an error answer."""
    return Problem(status, {"code": code, "detail": words})


def refusal(error: Any, timeline: Timeline) -> Problem:
    """Build the error answer for a command that the rules or the kernel refuse."""
    return problem(409, error.code, error.told(LANGUAGE, timeline.rules.TEXT))


def parted(path: str) -> tuple[str, str, Data]:
    """Split the path of a call into the match's id, the rest and the query."""
    address, _, words = path.partition("?")
    match_id, slash, rest = address[len("/api/matches/") :].partition("/")
    query = [pair.split("=") for pair in words.split("&")] if words else []
    return match_id, slash + rest, {name: value for name, value in query}  # noqa: C416


def _seat(query: Data) -> int | None:
    return int(query["seat"]) if "seat" in query else None


def _match(table: Table, query: Data) -> schemas.MatchAnswer:
    at = int(query["at"]) if "at" in query else None
    return matches.match_answer(table.id, viewer(table.timeline, _seat(query)), at)


def _events(table: Table, query: Data) -> schemas.EventsAnswer:
    told = events.event_answers(viewer(table.timeline, _seat(query)), int(query["after"]))
    return schemas.EventsAnswer(version=table.timeline.version, events=told)


def _choices(table: Table, query: Data) -> Any:
    seat, limit = int(query["seat"]), int(query["limit"])
    looking = viewer(table.timeline, seat)
    if "group" in query:
        after = int(query["after"])
        return choices.choices_of_group(looking, seat, query["group"], after, limit)
    return choices.grouped_choices(looking, seat, limit)


def _review(table: Table, query: Data) -> schemas.ReviewAnswer:
    return reviews.review_answer(table.id, viewer(table.timeline, _seat(query)))


def match_file(table: Table) -> str:
    """Return the match as a file with everything in it: all seats are on this device."""
    timeline = table.timeline
    seats = range(len(timeline.latest.seats))
    return dumps(export_match(table.id, timeline, ALL_SEEING, seats))


_READ: Any = {"": _match, "/events": _events, "/choices": _choices, "/review": _review}
_ASKED: Any = {
    "/undo": lambda asked: Undo(asked.get("to_version")),
    "/undo/answer": lambda asked: AnswerUndo(asked["accept"]),
    "/redo": lambda asked: Redo(),
    "/say": lambda asked: Say(asked["text"], asked.get("to")),
}


# --- new matches --------------------------------------------------------------------------------


def opening_here(slug: str, options: Data, seats: tuple[Seat, ...]) -> Open:
    """Build the command that opens a local match, with a random seed of its own."""
    seed = random_seed()
    return Open(
        slug,
        TITLES[slug].rules_version,
        options,
        seats,
        "private",
        PLAYER,
        compute_commitment(bytes.fromhex(seed)),
        seed,
        source=PHONE,
    )


def _seated(wanted: Any) -> tuple[Seat, ...]:
    seats, bots = [], 0
    for asked in wanted:
        if asked["kind"] == "bot":
            bots += 1
            seats.append(Seat("bot", default_bot_name(bots), None, asked.get("level") or ""))
        else:
            seats.append(Seat("human", asked["name"], PLAYER))
    return tuple(seats)


def _forked_seats(before: tuple[Seat, ...], wanted: Any) -> tuple[Seat, ...]:
    if wanted is None:
        return tuple(
            [Seat("human", name_after_takeover(s.kind, s.name, at), PLAYER) for at, s in enumerate(before)]
        )
    seats = []
    for at, (asked, old) in enumerate(zip(wanted, before, strict=True)):
        if asked["kind"] == "same":
            seats.append(old)
        elif asked["kind"] == "bot":
            seats.append(Seat("bot", old.name, None, asked.get("level") or old.level))
        else:
            seats.append(
                Seat("human", asked.get("name") or name_after_takeover(old.kind, old.name, at), PLAYER)
            )
    return tuple(seats)
