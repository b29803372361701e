"""Conditional moves: stored in secret, played when they fit, dropped when they do not.

Requirement: "if Blue does X, I do Y", several branches, or any event if the move is still legal;
visible to nobody else; played after a short grace period as a separate decision; no byte that an
opponent receives differs until the plan fires; it plays no illegal command and depends on nothing
that its seat has not seen.
"""

import random
from typing import Any

import pytest
from msgspec import to_builtins
from msgspec.json import decode, encode

from domain.match.commands import Undo
from domain.match.events import is_kernel
from domain.match.plans import Branch, EventPattern, Plan, matching_branch, possible_state
from domain.match.timeline import Timeline
from domain.toolkit.randomness import draws_from_seed
from service.matches.plans import PLAY_DELAY_MS
from tests.game_contract.indistinguishable_states import other_world
from tests.game_contract.play import Table, opened, table_id, tables
from tests.service.people import Person, two_at_a_table
from tests.service.test_pace import House, house

__all__ = ["house"]


def plan(person: Person, match: Any, seat: int, *branches: Any) -> Any:
    path = f"/api/matches/{match['id']}/plan"
    return person.client.put(
        path, params={"seat": seat}, json={"branches": list(branches)}, headers=person.headers
    )


def of(person: Person, match: Any, seat: int) -> Any:
    return person.get(f"/matches/{match['id']}/plan", seat=seat).json()


def seen(person: Person, match: Any) -> Any:
    return person.get(f"/matches/{match['id']}").json()


def received(person: Person, match: Any) -> list[bytes]:
    """Return everything a player is sent of a match, as bytes."""
    paths = ("", "/events", "/choices?seat=1", "/export", "/review")
    answers = [
        person.client.get(f"/api/matches/{match['id']}{p}", headers=person.headers) for p in paths
    ]
    lists = person.client.get("/api/matches", headers=person.headers)
    return [answer.content for answer in (*answers, lists)]


def turn_over(person: Person, match: Any, seat: int) -> Any:
    """Play until the seat is no longer to act."""
    match = seen(person, match)
    while seat in match["to_act"]:
        match = person.step(match)
    return match


def table(house: House) -> tuple[Person, Person, Any, list[Any]]:
    """Return Ann, who is to move, Bob, who plans, the match, and the events of her turn as Bob will
    see them."""
    ann, bob, match = two_at_a_table(house.client)
    before = match["version"]
    match = turn_over(ann, match, 0)
    events = bob.get(f"/matches/{match['id']}/events", after=before).json()["events"]
    told = [{"type": e["type"], "seat": e["seat"], "data": e["data"]} for e in events]
    command = bob.choices(match, 1)[0]["command"]
    ann.undo(match, 0, before)
    match = seen(bob, match)
    assert match["to_act"] == [0]
    return ann, bob, match, [told, command]


def test_a_plan_is_played_when_it_fits_and_after_a_grace(house: House) -> None:
    ann, bob, match, (told, command) = table(house)
    laid = plan(bob, match, 1, {"when": told, "commands": [command]})
    assert laid.status_code == 200, laid.text
    assert laid.json()["branches"][0]["commands"] == [command]
    match = turn_over(ann, match, 0)
    house.pass_by(PLAY_DELAY_MS - 1)
    assert seen(bob, match)["version"] == match["version"]
    house.pass_by(1)
    after = bob.get(f"/matches/{match['id']}/events", after=match["version"]).json()["events"]
    assert after
    assert {e["decision"] for e in after} == {after[0]["decision"]}, "a separate decision"
    assert after[0]["seat"] == 1
    assert of(bob, match, 1)["branches"] == [], "played once"
    told_so = of(bob, match, 1)
    assert (told_so["played"], told_so["dropped"]) == (match["version"], None)
    forgotten = f"/api/matches/{match['id']}/plan"
    bob.client.delete(forgotten, params={"seat": 1}, headers=bob.headers)
    assert of(bob, match, 1)["played"] is None


def test_move_undone_within_the_grace_period_does_not_count(house: House) -> None:
    ann, bob, match, (told, command) = table(house)
    plan(bob, match, 1, {"when": told, "commands": [command]})
    before = match["version"]
    match = turn_over(ann, match, 0)
    house.pass_by(PLAY_DELAY_MS - 1)
    undone = ann.undo(match, 0, before)
    assert undone.status_code == 200, "her undo is still free"
    house.pass_by(5 * PLAY_DELAY_MS)
    assert seen(bob, match)["to_act"] == [0]
    assert of(bob, match, 1)["dropped"] is None


def test_plan_that_does_not_fit_is_dropped_and_reported(house: House) -> None:
    ann, bob, match, (told, command) = table(house)
    other = {**told[0], "seat": 1}
    plan(bob, match, 1, {"when": [other], "commands": [command]})
    match = turn_over(ann, match, 0)
    house.pass_by(PLAY_DELAY_MS)
    assert seen(bob, match)["version"] == match["version"]
    assert of(bob, match, 1)["dropped"] == "The others didn’t move as you planned."
    assert plan(bob, match, 1, {"commands": [command]}).json()["code"] == "your_turn"


def test_the_first_branch_that_fits_is_played(house: House) -> None:
    ann, bob, match, (told, command) = table(house)
    never = {"when": [{**told[0], "seat": 1}], "commands": [{"type": "SkipTurn"}]}
    assert plan(bob, match, 1, never).status_code in (200, 422)
    other = {"when": [{**told[0], "seat": 1}], "commands": [command]}
    assert plan(bob, match, 1, other, {"commands": [command]}).status_code == 200
    match = turn_over(ann, match, 0)
    house.pass_by(PLAY_DELAY_MS)
    assert seen(bob, match)["version"] > match["version"]


def test_plan_with_an_illegal_command_is_dropped_whole(house: House) -> None:
    ann, bob, match, (_told, command) = table(house)
    plan(bob, match, 1, {"commands": [command, command, command, command, command]})
    match = turn_over(ann, match, 0)
    house.pass_by(PLAY_DELAY_MS)
    assert seen(bob, match)["version"] == match["version"], "all or none"
    assert of(bob, match, 1)["dropped"] == "Your planned move couldn’t be played."


def test_plan_is_invisible_to_others(house: House) -> None:
    ann, bob, match, (told, command) = table(house)
    before = received(ann, match)
    plan(bob, match, 1, {"when": told, "commands": [command]})
    house.pass_by(0)
    assert received(ann, match) == before
    stranger = ann.get(f"/matches/{match['id']}/plan", seat=1)
    assert (stranger.status_code, stranger.json()["code"]) == (403, "not_your_seat")
    bob.client.delete(f"/api/matches/{match['id']}/plan", params={"seat": 1}, headers=bob.headers)
    assert of(bob, match, 1)["branches"] == []
    assert received(ann, match) == before


def test_plan_may_be_made_while_others_move(house: House) -> None:
    """Events since the version it was made for count."""
    ann, bob, cid = (Person(house.client, name) for name in ("Ann", "Bob", "Cid"))
    match = ann.open("me", "open", "open")
    for person in (bob, cid):
        person.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    match = seen(cid, match)
    since, path = match["version"], f"/api/matches/{match['id']}/plan"
    listed = cid.get(f"/matches/{match['id']}/plan/choices", seat=2).json()["choices"]
    way = {"commands": [listed[-1]["command"]], "told_when": "Ann starts.", "told": "I start."}
    match = ann.step(match)
    (first, *_) = ann.get(f"/matches/{match['id']}/events", after=since).json()["events"]
    way["when"] = [{"type": first["type"], "seat": 0, "data": first["data"]}]

    def laid(version: int) -> Any:
        body = {"branches": [way], "since": version}
        return cid.client.put(path, params={"seat": 2}, json=body, headers=cid.headers)

    assert laid(match["version"] + 1).json()["code"] == "version_conflict"
    answer = laid(since)
    assert answer.status_code == 200, answer.text
    assert answer.json()["version"] == since
    branch = of(cid, match, 2)["branches"][0]
    assert (branch["told_when"], branch["told"]) == ("Ann starts.", "I start.")
    match = bob.step(match)
    house.pass_by(PLAY_DELAY_MS)
    assert of(cid, match, 2)["played"] == match["version"]
    assert seen(cid, match)["version"] > match["version"]


def test_next_choices_are_private(house: House) -> None:
    ann, bob, match, _ = table(house)
    listed = bob.get(f"/matches/{match['id']}/plan/choices", seat=1)
    assert listed.status_code == 200, listed.text
    (choice, *_rest), version = listed.json()["choices"], listed.json()["version"]
    assert version == match["version"]
    assert {"command", "label"} <= set(choice)
    assert listed.json() == bob.get(f"/matches/{match['id']}/plan/choices", seat=1).json()
    assert ann.get(f"/matches/{match['id']}/plan/choices", seat=1).status_code == 403
    assert ann.get(f"/matches/{match['id']}/plan/choices", seat=0).json()["choices"] == []


def test_long_choice_lists_can_be_planned(house: House) -> None:
    """A long group is counted and listed page by page."""
    ann, bob, match = two_at_a_table(house.client)
    ask, most = f"/matches/{match['id']}/plan/choices", 2
    whole = bob.get(ask, seat=1, limit=500).json()
    while match["status"] == "playing" and len(whole["choices"]) <= most:  # as the board falls
        for person, seat in ((ann, 0), (bob, 1)):
            match = turn_over(person, seen(person, match), seat)
        whole = bob.get(ask, seat=1, limit=500).json()
    assert whole["more"] == 0
    assert whole["groups"] == []
    short = bob.get(ask, seat=1, limit=most).json()
    assert short["more"] == sum(group["count"] for group in short["groups"]) > most
    found = [*short["choices"]]
    for group in short["groups"]:
        after = 0
        while after is not None:
            page = bob.get(ask, seat=1, group=group["type"], after=after, limit=most).json()
            assert 0 < len(page["choices"]) <= most
            found += page["choices"]
            after = page["next"]
    assert sorted(map(str, found)) == sorted(map(str, whole["choices"]))
    assert plan(bob, match, 1, {"commands": [found[-1]["command"]]}).status_code == 200
    assert bob.get(ask, seat=1, group="Fly").json()["code"] == "no_such_group"
    assert ann.get(ask, seat=0, group="LayBlock").json()["code"] == "no_such_group"


def test_invalid_plan_is_rejected(house: House) -> None:
    _ann, bob, match, (told, command) = table(house)
    for wrong in (
        {"commands": []},
        {"commands": [{"type": "Fly"}]},
        {"commands": [command], "when": [{"type": "MatchOpened"}]},
        {"commands": [command], "when": [{**told[0], "more": 1}]},
        {"commands": [command], "when": [{"type": told[0]["type"], "data": {"x": "y" * 40_000}}]},
    ):
        assert plan(bob, match, 1, wrong).status_code == 422
    assert plan(bob, match, 0, {"commands": [command]}).status_code == 403


# --- every game, at random ----------------------------------------------------------------------

GAMES = {each[0]: each for each in tables()}


@pytest.mark.parametrize("game", GAMES.values(), ids=table_id)
def test_plan_depends_only_on_what_its_seat_sees(game: Table) -> None:
    """Plans are made from what a seat is shown of a simulated continuation; whether they fit
    depends on that alone.

    A plan that does not fit is not played, and a command that is legal is among the choices.
    """
    rng = random.Random(5)
    timeline = opened(game, 9, people=2)
    fired = 0
    for _ in range(60):
        now = timeline.latest
        acting = timeline.to_act(now) if now.status == "playing" else ()
        if not acting:
            break
        idle = [s for s in range(len(now.seats)) if s not in acting]
        ahead = timeline.branch()
        _step(ahead, rng)
        if idle:
            seat = rng.choice(idle)
            fired += _one_plan(timeline, ahead, seat, rng)
        timeline = ahead
    assert fired or not any(len(timeline.to_act(m)) == 1 for m in timeline.moments)


@pytest.mark.slow
@pytest.mark.parametrize("game", tables("secret"), ids=table_id)
def test_next_choices_depend_only_on_what_the_seat_knows(game: Table) -> None:
    """In two indistinguishable matches the seat is offered the same commands, one of them legal."""
    rng = random.Random(7)
    timeline = opened(game, 7)
    rules = timeline.rules
    asked = apart = 0
    for _ in range(120):
        if timeline.latest.status != "playing" or apart > 4:
            break
        _step(timeline, rng)
        idle = [
            s
            for s in range(len(timeline.latest.seats))
            if s not in timeline.to_act(timeline.latest)
        ]
        if not idle:
            continue
        seat = rng.choice(idle)
        state = possible_state(timeline, seat)
        if state is not None:
            asked += 1
            assert rules.choices(state, seat)
        again = other_world(timeline, seat, rng)
        if again and again[0].version == timeline.version:
            apart += 1
            assert possible_state(again[0], seat) == state
    assert asked


def _step(timeline: Timeline, rng: random.Random) -> None:
    seat = rng.choice(timeline.to_act(timeline.latest))
    timeline.play(
        seat, [rng.choice(timeline.rules.choices(timeline.latest.state, seat))], 0, draws_from_seed
    )


def _one_plan(timeline: Timeline, ahead: Timeline, seat: int, rng: random.Random) -> int:
    """Compare a plan made at one moment with the next one."""
    events = [e for d in ahead.decisions.tail(len(timeline.decisions)) for e in d.events]
    shown = [to_builtins(ahead.redacted_for(e, seat)) for e in events if not is_kernel(e)]
    hidden = [to_builtins(e) for e in events if not is_kernel(e)]
    # A plan is sent and stored as JSON.
    when = tuple(_as_seen(decode(encode(each))) for each in shown)
    truth = tuple(_as_seen(each) for each in hidden)
    command = {"type": "Any"}
    base = timeline.version
    asked = ahead.latest.status == "playing" and seat in ahead.to_act(ahead.latest)
    found = matching_branch(ahead, seat, base, Plan((Branch(when, (command,)),)))
    guessed = matching_branch(ahead, seat, base, Plan((Branch(truth, (command,)),)))
    always = matching_branch(ahead, seat, base, Plan((Branch((), (command,)),)))
    if not asked:
        assert not isinstance(found, Branch)
        assert not isinstance(always, Branch)
        return 0
    assert isinstance(found, Branch)
    assert isinstance(always, Branch)
    assert isinstance(guessed, Branch) == (hidden == shown), "a hidden fact matches nothing"
    assert matching_branch(timeline, seat, base, Plan((Branch((), (command,)),))) == "waits"
    return 1


def _as_seen(event: dict[str, Any]) -> EventPattern:
    data = {name: value for name, value in event.items() if name not in ("type", "seat")}
    seat = event.get("seat")
    return EventPattern(event["type"], seat if isinstance(seat, int) else None, data)


def test_undo_past_the_plan_changes_its_base() -> None:
    game = GAMES["caravanserai"]
    timeline = opened(game, 3, people=1)
    rng = random.Random(1)
    _step(timeline, rng)
    _step(timeline, rng)
    base = timeline.version
    idle = next(
        s for s in range(len(timeline.latest.seats)) if s not in timeline.to_act(timeline.latest)
    )
    any_way = Plan((Branch((), ({"type": "Any"},)),))
    seat = timeline.decisions[-1].seat
    timeline.play(seat, [Undo()], 0, draws_from_seed)
    assert matching_branch(timeline, idle, base, any_way) == "misfit"
