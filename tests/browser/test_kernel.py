"""The match kernel gives the same results in the browser and in the service.

Whole matches with joins, undos, answers, redos, leaves and chat: once by their commands, which
Chromium executes with the same draws; once as a client receives them, event by event. At every
version both Pythons must have the same state.
"""

import json
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser

from domain.contract.registry import TITLES
from domain.match.commands import AnswerUndo, Join, Redo, Start, Undo
from domain.match.seats import Refused
from domain.match.timeline import Timeline
from domain.presentation.events import event_answers
from domain.toolkit.randomness import draws_from_seed
from service.matches.presenters import Viewer, match_answer
from tests.browser.chromium import run_python, workbench
from tests.game_contract.play import Table, table_id, tables
from tests.game_contract.random_matches import wild_match

LARGEST: dict[str, Table] = {table[0]: table for table in tables()}
OPEN_GAMES = [t for t in LARGEST.values() if "secret" not in TITLES[t[0]].traits]
SEEDS = (21, 22)

BY_COMMANDS = """
from browser import window
from _native import build, dumps, loads
from domain.match.commands import COMMANDS, AnswerUndo, Join, Redo, Undo
from domain.match.seats import Refused, Seat
from domain.match.timeline import Timeline

def command_of(plain, commands):
    plain = {**plain}
    kind = plain.pop("type")
    if kind == "Open":
        plain["seats"] = tuple([build(Seat, seat) for seat in plain["seats"]])
    return build(commands[kind], plain)

def act(text):
    told = loads(text)
    rules = __import__("domain.games." + told["game"] + ".rules", fromlist=["evolve"])
    commands = {each.__name__: each for each in (*COMMANDS, *rules.COMMANDS)}
    timeline = Timeline(rules)
    for step in told["steps"]:
        left = list(step["draws"])
        def draws(seed, first):
            def draw(n):
                bound, value = left.pop(0)
                assert bound == n
                return value
            return draw
        command = command_of(step["command"], commands)
        timeline.play(step["seat"], [command], step["at"], draws)
    return dumps({
        "events": [decision.events for decision in timeline.decisions],
        "moments": [timeline.at(version) for version in range(1, timeline.version + 1)],
        "undone": sorted(timeline.undone_indexes()),
        "undo": [timeline.undo_kind(seat) for seat in range(len(timeline.latest.seats))],
        "refused": refusals(timeline),
    })

def refusals(timeline):
    found = []
    wrong = Join("x", "X"), Redo(), AnswerUndo(True), Undo(9999)
    for command in wrong:
        for seat in range(len(timeline.latest.seats)):
            found.append(refusal(timeline, seat, command))
    return found

def refusal(timeline, seat, command):
    try:
        timeline.act(seat, [command], 0, lambda seed, first: None)
    except Refused as error:
        return error.code

window.act = act
"""


def plain(value: Any) -> Any:
    return json.loads(msgspec.json.encode(value))


def refusals(timeline: Timeline) -> list[str | None]:
    """Return, per seat, why some kernel commands are refused now; None if they are not."""
    wrong = Join("x", "X"), Redo(), AnswerUndo(True), Undo(9999)
    seats = range(len(timeline.latest.seats))
    return [refusal(timeline, seat, command) for command in wrong for seat in seats]


def refusal(timeline: Timeline, seat: int, command: Any) -> str | None:
    try:
        timeline.act(seat, [command], 0, draws_from_seed)
    except Refused as error:
        return error.code
    return None


def by_commands(timeline: Timeline) -> dict[str, Any]:
    """Return what the browser needs to replay the match."""
    steps: list[dict[str, Any]] = []
    for decision in timeline.decisions:
        if isinstance(decision.command, Start):  # automatic, when the last seat is taken
            steps[-1]["draws"].extend(decision.draws)
            continue
        steps.append(
            {
                "seat": decision.seat,
                "command": decision.command,
                "draws": [*decision.draws],
                "at": decision.at,
            }
        )
    return {"game": timeline.latest.opened.game, "steps": steps}


@pytest.mark.browser
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("table", OPEN_GAMES, ids=table_id)
def test_whole_matches_give_the_same_results(browser: Browser, table: Table, seed: int) -> None:
    timeline = wild_match(table, seed)
    page = workbench(browser)
    told = plain(by_commands(timeline))
    got = json.loads(run_python(page, BY_COMMANDS, "act", json.dumps(told)))
    page.close()
    assert got["events"] == [plain(decision.events) for decision in timeline.decisions]
    for version in range(1, timeline.version + 1):
        assert got["moments"][version - 1] == plain(timeline.at(version)), f"version {version}"
    assert got["undone"] == sorted(timeline.undone_indexes()) != []
    assert got["undo"] == [plain(timeline.undo_kind(s)) for s in range(len(timeline.latest.seats))]
    assert got["refused"] == refusals(timeline)
    assert {"seat_taken", "no_such_version"} <= {*got["refused"]}


BY_EVENTS = """
from browser import window
from _native import dumps, loads
from frontend.app.contract.model import Match

def known(match):
    now = match.history.latest
    proposal = now.proposal
    return {
        "state": now.state,
        "status": now.status,
        "seats": [[seat.kind, seat.name] for seat in now.seats],
        "undone": sorted(match.undone_by),
        "redo": now.redo is not None,
        "said": now.said,
        "proposal": None if proposal is None else [proposal.seat, proposal.to_version],
        "before": match.version_before(match.version),
    }

def rules_of(slug):
    return __import__("domain.games." + slug + ".rules", fromlist=["evolve"])

def follow(text):
    told = loads(text)
    match = Match(told["match"], rules_of(told["match"]["game"]) if told["open"] else None)
    found = []
    for events in told["decisions"]:
        match.add_events(events)
        found.append(known(match))
    states = [match.state_at(version) for version in range(match.version + 1)]
    return dumps({"decisions": found, "states": states})

window.follow = follow
"""


def told_to(timeline: Timeline, player: str) -> dict[str, Any]:
    """Return the service's answers to a player, the events decision by decision."""
    viewer = Viewer(timeline, player)
    events = plain(event_answers(viewer, 0))
    decisions = [events[d.version - 1 : d.last_version] for d in timeline.decisions]
    return {"match": plain(match_answer("id", viewer)), "decisions": decisions}


def expected(timeline: Timeline) -> list[dict[str, Any]]:
    """Return the state after each decision, with the versions of undone moves."""
    found = []
    so_far = Timeline(timeline.rules)
    for decision in timeline.decisions:
        so_far.append(decision)
        now = so_far.latest
        gone = [d for i, d in enumerate(so_far.decisions) if i in so_far.undone_indexes()]
        back = getattr(decision.events[-1], "to_version", None)
        proposed = type(decision.events[-1]).__name__ == "UndoProposed"
        found.append(
            {
                "status": now.status,
                "seats": [[seat.kind, seat.name] for seat in now.seats],
                "undone": [v for d in gone for v in range(d.version, d.last_version + 1)],
                "redo": now.redo is not None,
                "said": now.said,
                "proposal": now.proposal and [now.proposal.seat, now.proposal.to_version],
                "before": now.version - 1 if back is None or proposed else back,
            }
        )
    return found


@pytest.mark.browser
@pytest.mark.parametrize("table", LARGEST.values(), ids=table_id)
def test_a_phone_that_receives_the_events_has_the_same_state(
    browser: Browser, table: Table
) -> None:
    timeline = wild_match(table, 21)
    page = workbench(browser)
    open_game = table in OPEN_GAMES
    told = {**told_to(timeline, timeline.latest.opened.owner), "open": open_game}
    got = json.loads(run_python(page, BY_EVENTS, "follow", json.dumps(told)))
    page.close()
    there = expected(timeline)
    for index, known in enumerate(there):
        here = got["decisions"][index]
        state = here.pop("state")
        assert here == known, f"decision {index}"
        assert state == (plain(timeline.moments[index].state) if open_game else None)
    assert any(known["undone"] for known in there)
    assert any(known["proposal"] for known in there)
    if open_game:
        states = [None, *(plain(timeline.at(v).state) for v in range(1, timeline.version + 1))]
        assert got["states"] == states
