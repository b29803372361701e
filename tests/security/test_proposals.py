"""Undo proposals that are withdrawn at once are limited like all others."""

from pathlib import Path

from service.settings import Settings
from tests.service.apps import run_service
from tests.service.people import two_at_a_table

LIMIT = 5


def test_requests_that_are_withdrawn_count(tmp_path: Path) -> None:
    settings = Settings(data=str(tmp_path), play_limit=0, create_limit=0, propose_limit=LIMIT)
    with run_service(settings) as client:
        ann, bob, match = two_at_a_table(client)
        people = [ann, bob]
        while match["to_act"] == [0]:
            match = ann.step(match)
        match = bob.step(match)
        path = f"/matches/{match['id']}"
        made = 0
        for _ in range(100):
            asked = ann.undo(people[0].get(path).json(), 0)
            if asked.status_code == 202:
                made += 1
                withdrawn = ann.post(f"{path}/undo/answer", {"seat": 0, "accept": False})
                assert withdrawn.status_code == 200
            else:
                assert (asked.status_code, asked.json()["code"]) == (429, "too_many_requests")
                assert int(asked.headers["retry-after"]) > 0
        assert made == LIMIT
        # Playing on is not limited, nor is the other player.
        match = ann.get(path).json()
        assert people[match["to_act"][0]].step(match)["version"] > match["version"]


def test_zero_turns_the_limit_off(tmp_path: Path) -> None:
    settings = Settings(data=str(tmp_path), play_limit=0, create_limit=0, propose_limit=0)
    with run_service(settings) as client:
        ann, bob, match = two_at_a_table(client)
        while match["to_act"] == [0]:
            match = ann.step(match)
        bob.step(match)
        path = f"/matches/{match['id']}"
        for _ in range(Settings().propose_limit + 3):
            assert ann.undo(ann.get(path).json(), 0).status_code == 202
            assert ann.post(f"{path}/undo/answer", {"seat": 0, "accept": False}).is_success
