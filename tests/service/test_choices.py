"""Grouped choices: the same commands as the flat list, without its thousands of entries."""

import random
from typing import Any

import msgspec
import pytest

from domain.contract.registry import TITLES
from domain.presentation import choices
from domain.text.english import english_messages
from service.matches.presenters import Viewer
from tests.game_contract.play import opened, random_steps
from tests.service.people import Client, Person

SMALL = 5


def members(group: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the commands of a group's ranges, expanded without knowledge of the game."""
    made = []
    for each in group["ranges"]:
        some: list[dict[str, int]] = [{}]
        for thing, most in each["of"].items():
            some = [
                {**few, thing: n} if n else few
                for few in some
                for n in range(min(most, each["most"] - sum(few.values())) + 1)
            ]
        made += [
            {**each["command"], each["field"]: few}
            for few in some
            if sum(few.values()) >= each["least"]
        ]
    return made


@pytest.mark.slow
@pytest.mark.parametrize("slug", TITLES)
def test_groups_equal_the_flat_list(slug: str, client: Client) -> None:
    """Listed, from ranges or page by page: together the flat list, over a series of steps."""
    ann = Person(client)
    seats = ["me", *["bot"] * (min(TITLES[slug].seats) - 1)]
    match = ann.open(*seats, game=slug)
    path = f"/matches/{match['id']}/choices"
    rng = random.Random(3)
    for _ in range(12):
        flat = ann.get(path, seat=0).json()
        assert set(flat) == {"version", "seat", "choices"}
        answer = ann.get(path, seat=0, grouped=1, limit=SMALL).json()
        assert answer["version"] == flat["version"]
        listed = iter(answer["choices"])
        told = []
        for group in answer["groups"]:
            entries = paged(ann, path, group)
            told += entries
            assert group["listed"] == (group["count"] <= SMALL)
            assert group["label"] == heading(slug, group)
            if group["listed"]:
                assert [next(listed) for _ in entries] == entries
            if group["ranges"]:
                assert members(group) == [entry["command"] for entry in entries]
        assert next(listed, None) is None
        assert told == flat["choices"]
        command = rng.choice(flat["choices"])["command"]
        body = {"seat": 0, "expected_version": flat["version"], "commands": [command]}
        match = ann.post(f"/matches/{match['id']}/commands", body).json()["match"]
        if 0 not in match["to_act"]:
            assert ann.get(path, seat=0, grouped=1).json()["groups"] == []
            break


def heading(slug: str, group: dict[str, Any]) -> str:
    """Return the game's heading of the group."""
    found: str = english_messages(slug)[group["key"]]
    return found


def paged(ann: Person, path: str, group: dict[str, Any]) -> list[dict[str, Any]]:
    """Return all entries of a group, requested page by page."""
    found: list[dict[str, Any]] = []
    after: int | None = 0
    while after is not None:
        page = ann.get(path, seat=0, group=group["type"], after=after, limit=23).json()
        assert len(page["choices"]) <= 23
        found += page["choices"]
        after = page["next"]
        assert after in (None, len(found))
    assert len(found) == group["count"]
    return found


def test_unknown_group_is_rejected(client: Client) -> None:
    ann = Person(client)
    match = ann.open("me")
    path = f"/matches/{match['id']}/choices"
    for group in ("Nothing", ""):
        answer = ann.get(path, seat=0, group=group)
        assert (answer.status_code, answer.json()["code"]) == (404, "no_such_group")
    assert ann.get(path, seat=0, grouped=2).json()["code"] == "invalid_request"
    assert ann.get(path, seat=0, group="X", limit=501).json()["code"] == "invalid_request"
    for wanted in ({"grouped": 1}, {"group": "StartAt"}):
        other = Person(client).get(path, seat=0, **wanted)
        assert (other.status_code, other.json()["code"]) == (404, "no_such_match")


def test_the_longest_list_is_short_by_group() -> None:
    """Half a megabyte shrinks to less than a kilobyte."""
    viewer, seat = asking()
    flat, short = (
        len(msgspec.json.encode(answer))
        for answer in (choices.all_choices(viewer, seat), choices.grouped_choices(viewer, seat, 60))
    )
    assert flat > 500_000
    assert short < 1_024


def asking() -> tuple[Viewer, int]:
    """Return a viewer and a seat to act at the largest table with requests for arbitrary
    amounts."""
    slug = max(TITLES, key=lambda slug: max(TITLES[slug].seats))
    for seed in range(9):
        timeline = opened((slug, max(TITLES[slug].seats), {}), seed)
        for _ in random_steps(timeline, random.Random(seed), 700):
            for seat in timeline.to_act(timeline.latest):
                groups = timeline.rules.groups(timeline.latest.state, seat)
                if sum(group.count for group in groups) == 3_005:
                    return Viewer(timeline, f"player{seat}", seat), seat
    raise AssertionError("nobody asked for anything")
