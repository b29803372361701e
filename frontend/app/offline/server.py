"""The local server, which handles the service's API calls for local matches.

It shares rules, kernel and response types with the service (`domain.match`, `domain.presentation`),
so pages need no special cases. The random draws of a match are derived, as on the service, from a
seed that the device generates. A change is stored before the call is answered.
"""

from typing import Any

from _native import (
    build,
    dumps,
    format_timestamp,
    loads,
    local_match_get,
    local_match_put,
    now_ms,
    persist_storage,
    random_key,
    random_seed,
)

from domain.contract.game import ALL_SEEING
from domain.contract.registry import TITLES, rules_of
from domain.match import fork
from domain.match.commands import AnswerUndo, Open, Redo, Say, Undo
from domain.match.rematch import rematch_options, rematch_seats
from domain.match.seat_requests import SeatRequest, build_fork_seats, build_new_seats
from domain.match.seats import PHONE, Refused, Seat
from domain.match.secrecy import match_keeps_secrets
from domain.match.timeline import Timeline
from domain.matchfile.writer import export_match
from domain.presentation import choices, events, matches, reviews, schemas
from domain.presentation.viewpoint import Viewer
from domain.text.i18n import N_
from domain.toolkit.randomness import compute_commitment, draws_from_seed
from frontend.app.api import local_gateway
from frontend.app.core import match_ids
from frontend.app.core.i18n import LANGUAGE, t, translator_for
from frontend.app.core.problem import Problem
from frontend.app.core.types import Callback, Data
from frontend.app.offline.local_match import (
    LOCAL_PLAYER_ID,
    LocalMatch,
    Rejected,
    rebuild_decisions,
    refusal_problem,
)


class LocalServer:
    """The local server; ``matches`` holds the loaded matches by id."""

    def __init__(self) -> None:
        self.matches: dict[str, LocalMatch] = {}
        self.pending_loads: dict[str, list[Any]] = {}
        self.listeners: dict[str, list[Callback]] = {}
        self.refused_keys: set[str] = set()

    # -- matches -------------------------------------------------------------------------------

    def load_match(self, match_id: str, then: Callback, failed: Callback) -> None:
        """Load a match if needed; call ``then(match)`` or, if missing, ``failed(problem)``."""
        if match_id in self.matches:
            then(self.matches[match_id])
            return
        waiting = self.pending_loads.setdefault(match_id, [])
        waiting.append((then, failed))
        if len(waiting) == 1:
            local_match_get(match_id, lambda safe, found: self._on_record(match_id, safe, found))

    def _on_record(self, match_id: str, safe: bool, found: Any) -> None:
        head, decisions = found if safe else (None, ())
        if head is None or not decisions:
            for _, failed in self.pending_loads.pop(match_id):
                failed(build_problem(404, "no_such_match", t("error.phone_no_game")))
            return

        def on_ready(_server: LocalServer) -> None:
            slug = head["item"]["game"]
            translator_for(slug)
            timeline = Timeline(rules_of(slug), rebuild_decisions(slug, decisions))
            table = LocalMatch(head, timeline, self.notify_listeners)
            self.matches[match_id] = table
            table.wake()
            for then, _ in self.pending_loads.pop(match_id):
                then(table)

        local_gateway.load_server(on_ready, head["item"]["game"])

    def notify_listeners(self, local_match: LocalMatch) -> None:
        """Call the listeners of a match with its new version."""
        for heard in self.listeners.get(local_match.id, ()):
            heard(local_match.timeline.version)

    def evict(self, match_id: str) -> None:
        """Drop a match from memory because it was deleted, uploaded or changed by another page."""
        self.matches.pop(match_id, None)

    def add_listener(self, path: str, on_version: Callback) -> None:
        self.listeners.setdefault(parse_path(path)[0], []).append(on_version)

    def remove_listener(self, path: str, on_version: Callback) -> None:
        self.listeners[parse_path(path)[0]].remove(on_version)

    # -- opening -------------------------------------------------------------------------------

    def open_match(self, body: Data, option_schema: Data, done: Callback, failed: Callback) -> None:
        """Create a match and call ``done`` with it, or ``failed(problem)``.

        ``option_schema``: the JSON Schema of the game's options. ``body["practice"]`` is recorded
        in the head of the match.
        """

        def on_ready(_server: LocalServer) -> None:
            slug = body["game"]
            translator_for(slug)
            options = {
                name: body["options"].get(name, each["default"])
                for name, each in option_schema["properties"].items()
            }
            seats = build_new_seats(_seat_requests(body["seats"]), LOCAL_PLAYER_ID)
            opening = opening_command(slug, options, seats)
            rules = rules_of(slug)
            if match_keeps_secrets(rules, opening):
                failed(build_problem(422, "bad_option", t("error.phone_keeps_no_secrets")))
                return
            timeline = Timeline(rules)
            timeline.play(None, [opening], now_ms(), draws_from_seed)
            self.create_match(timeline, done, failed, build_head(body.get("practice")))

        local_gateway.load_server(on_ready, body["game"])

    def create_match(
        self, timeline: Timeline, done: Callback, failed: Callback, head: Data | None = None
    ) -> None:
        """Store a new match and call ``done`` with it, or ``failed(problem)`` if storage failed."""
        table = LocalMatch(head or build_head(), timeline, self.notify_listeners)

        def on_stored(safe: bool, _results: Any) -> None:
            if not safe:
                failed(build_problem(507, "not_kept", t("error.phone_full")))
                return
            self.matches[table.id] = table
            table.wake()
            done(to_plain(matches.match_answer(table.id, viewer(table.timeline, None))))

        persist_storage()
        local_match_put(table.build_head(timeline), table.stored_form(timeline, 0), 0, on_stored)

    # -- reading -------------------------------------------------------------------------------

    def call(self, method: str, path: str, body: Any, done: Callback, failed: Callback) -> None:
        """Handle an API call and call ``done(response)`` or ``failed(problem)``."""
        if method != "GET":
            self.write(path, body, done, failed, "", None)
            return
        match_id, rest, query = parse_path(path)
        handler = _READ_HANDLERS.get(rest)

        def on_found(table: LocalMatch) -> None:
            if handler is None:
                failed(_unknown_path_problem())
                return
            try:
                done(to_plain(handler(table, query)))
            except Refused as error:
                failed(refusal_problem(error))

        self.load_match(match_id, on_found, failed)

    # -- writing -------------------------------------------------------------------------------

    def write(
        self, path: str, body: Data, done: Callback, failed: Callback, key: str, follows: str | None
    ) -> None:
        """Handle a write request; refuse it if the request whose key it ``follows`` was refused."""
        match_id, rest, _ = parse_path(path)
        asked = loads(dumps(body))
        handlers = {"/fork": self._fork, "/rematch": self._rematch, "/commands": self._play}

        def on_error(trouble: Problem) -> None:
            self.refused_keys.add(key)
            failed(trouble)

        def on_found(table: LocalMatch) -> None:
            if follows in self.refused_keys:
                on_error(build_problem(409, "version_conflict", t("error.moved_on")))
            elif rest in handlers:
                handlers[rest](table, asked, done, on_error)
            elif rest not in _WRITE_COMMANDS:
                on_error(_unknown_path_problem())
            else:
                command = _WRITE_COMMANDS[rest](asked)
                table.apply(
                    lambda twin: twin.play(asked["seat"], [command], now_ms(), draws_from_seed),
                    lambda _before: done(to_plain(_match(table, {}))),
                    on_error,
                )

        self.load_match(match_id, on_found, on_error)

    def _play(self, table: LocalMatch, asked: Data, done: Callback, failed: Callback) -> None:
        seat, expected = asked["seat"], asked["expected_version"]
        kinds = {each.__name__: each for each in table.timeline.rules.COMMANDS}
        commands: list[Any] = [build(kinds[each["type"]], each) for each in asked["commands"]]

        def decide(twin: Timeline) -> None:
            if expected not in (None, twin.version) and not twin.still_valid_since(seat, expected):
                raise Rejected(N_("error.moved_on"))
            twin.play(seat, commands, now_ms(), draws_from_seed)

        def on_stored(before: int) -> None:
            timeline = table.timeline
            new = events.event_answers(viewer(timeline, seat), before)
            match = _match(table, {})
            answer = schemas.PlayedAnswer(version=timeline.version, events=new, match=match)
            done(to_plain(answer))

        table.apply(decide, on_stored, failed)

    def _fork(self, table: LocalMatch, asked: Data, done: Callback, failed: Callback) -> None:
        timeline = table.timeline
        opened = timeline.latest.opened
        requested = _seat_requests(asked["seats"]) if asked.get("seats") else None
        seats = build_fork_seats(timeline.latest, requested, LOCAL_PLAYER_ID)
        opening = opening_command(opened.game, opened.options, seats)
        try:
            decisions = fork.create_fork(timeline, asked["at"], table.id, opening)
        except Refused as error:
            failed(refusal_problem(error))
            return
        self.create_match(Timeline(timeline.rules, decisions), done, failed)

    def _rematch(self, table: LocalMatch, _asked: Data, done: Callback, failed: Callback) -> None:
        """Open a rematch on this device with the same options and players."""
        now = table.timeline.latest
        seats = rematch_seats(now.seats, LOCAL_PLAYER_ID)
        timeline = Timeline(table.timeline.rules)
        options = rematch_options(table.timeline.rules, now.opened.options)
        opening = opening_command(now.opened.game, options, seats)
        timeline.play(None, [opening], now_ms(), draws_from_seed)
        self.create_match(timeline, done, failed, build_head(table.head.get("practice")))


SERVER = LocalServer()
local_gateway.provide(server=SERVER)


def build_head(practice: Any = None) -> Data:
    """Build the head of a new match: a new id, and the flag of a practice game."""
    head = {"id": match_ids.LOCAL_PREFIX + random_key()}
    return {**head, "practice": True} if practice else head


# --- answers ------------------------------------------------------------------------------------


def viewer(timeline: Timeline, seat: int | None) -> Viewer:
    """Build the viewer for this device's player, with the view of ``seat`` if given."""
    return Viewer(timeline, LOCAL_PLAYER_ID, seat, LANGUAGE, format_timestamp)


def to_plain(answer: Any) -> Data:
    """Convert a response to plain data, as if it had come from the service."""
    return loads(dumps(answer))


def build_problem(status: int, code: str, detail: str) -> Problem:
    """Build an error response."""
    return Problem(status, {"code": code, "detail": detail})


def _unknown_path_problem() -> Problem:
    return build_problem(404, "not_found", t("error.address_unknown"))


def parse_path(path: str) -> tuple[str, str, Data]:
    """Split an API path into match id, remaining path and query parameters."""
    address, _, text = path.partition("?")
    match_id, slash, rest = address[len("/api/matches/") :].partition("/")
    query = [pair.split("=") for pair in text.split("&")] if text else []
    return match_id, slash + rest, {name: value for name, value in query}  # noqa: C416


def _seat(query: Data) -> int | None:
    return int(query["seat"]) if "seat" in query else None


def _match(table: LocalMatch, query: Data) -> schemas.MatchAnswer:
    at = int(query["at"]) if "at" in query else None
    return matches.match_answer(table.id, viewer(table.timeline, _seat(query)), at)


def _events(table: LocalMatch, query: Data) -> schemas.EventsAnswer:
    answers = events.event_answers(viewer(table.timeline, _seat(query)), int(query["after"]))
    return schemas.EventsAnswer(version=table.timeline.version, events=answers)


def _choices(table: LocalMatch, query: Data) -> Any:
    seat, limit = int(query["seat"]), int(query["limit"])
    looking = viewer(table.timeline, seat)
    if "group" in query:
        after = int(query["after"])
        return choices.choices_of_group(looking, seat, query["group"], after, limit)
    return choices.grouped_choices(looking, seat, limit)


def _review(table: LocalMatch, query: Data) -> schemas.ReviewAnswer:
    return reviews.review_answer(table.id, viewer(table.timeline, _seat(query)))


def match_file(local_match: LocalMatch) -> str:
    """Return the match file with all secrets included, because all seats are on this device."""
    timeline = local_match.timeline
    seats = range(len(timeline.latest.seats))
    return dumps(export_match(local_match.id, timeline, ALL_SEEING, seats))


_READ_HANDLERS: Any = {"": _match, "/events": _events, "/choices": _choices, "/review": _review}
_WRITE_COMMANDS: Any = {
    "/undo": lambda asked: Undo(asked.get("to_version")),
    "/undo/answer": lambda asked: AnswerUndo(asked["accept"]),
    "/redo": lambda asked: Redo(),
    "/say": lambda asked: Say(asked["text"], asked.get("to")),
}


# --- new matches --------------------------------------------------------------------------------


def opening_command(slug: str, options: Data, seats: tuple[Seat, ...]) -> Open:
    """Build the command that opens a local match with a new random seed."""
    seed = random_seed()
    return Open(
        slug,
        TITLES[slug].rules_version,
        options,
        seats,
        "private",
        LOCAL_PLAYER_ID,
        compute_commitment(bytes.fromhex(seed)),
        seed,
        source=PHONE,
    )


def _seat_requests(requested: Any) -> list[SeatRequest]:
    """Return the seats of a request body; an empty name stands for the default name."""
    return [
        SeatRequest(each["kind"], each.get("name") or None, each.get("level")) for each in requested
    ]
