"""Every mutant of a real file is rejected with a reason, or labelled "not signed".

After each one the lists, the health check and an unrelated match are still answered.
"""

import json
import random
import time
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from tests.security.file_mutations import MUTATIONS
from tests.security.forged_files import mutant
from tests.security.original_files import originals
from tests.service.apps import run_service
from tests.service.databases import fresh
from tests.service.people import Client, Person, two_at_a_table

FORGERS = 100
"""Mutants that one forger sends; their lists grow with what was taken."""


def send_all(count: int, folder: Path, seed: int) -> Counter[tuple[str, str]]:
    """Send mutants to their own service; count them by mutation and result."""
    rng = random.Random(seed)
    fates: Counter[tuple[str, str]] = Counter()
    with fresh("sqlite", folder) as settings, run_service(settings) as client:
        files = originals(Person(client, "Ann"), client.app.services.store, rng)
        assert len({file["game"] for file in files}) > 1
        all_listed(client)
        stored = [msgspec.json.encode(file) for file in files]
        _bob, bystander, match = two_at_a_table(client)
        eve = Person(client, "Eve")
        for number in range(count):
            if number % FORGERS == 0:
                eve = Person(client, "Eve")
            what, treatment, file = mutant(rng.choice(stored), rng)
            where = f"mutant {number} of {count}, seed {seed}: {what}, signature {treatment}"
            fates[what, sent(client, eve, json.dumps(file), treatment, where)] += 1
            undisturbed(client, eve, bystander, match["id"], where)
    return fates


def all_listed(client: Client) -> None:
    """Many whole matches were imported at once; a list waits at most a second for them."""
    for _ in range(120):
        if client.get("/health/ready?verbose").json()["parts"]["lists"]["behind"] == 0:
            return
        time.sleep(0.5)
    raise AssertionError("the lists never caught up")


def sent(client: Client, eve: Person, text: str, treatment: str, where: str) -> str:
    headers = {**eve.headers, "Content-Type": "application/json"}
    answer = client.post("/api/matches/import", content=text, headers=headers)
    said = answer.json()
    if answer.status_code != 201:
        assert answer.status_code in (400, 413, 422), (where, said)
        assert said["code"], where
        assert said["detail"], where
        return "refused"
    assert said["signed"] is False, where
    assert treatment in ("stripped", "of_a_stranger", "damaged", "kept"), where
    bears = json.loads(text).get("signature")
    assert bears is None or treatment == "of_a_stranger", where
    assert in_list(eve, said["id"])["signed"] is False, where
    assert eve.get(f"/matches/{said['id']}").json()["signed"] is False, where
    assert "signature" not in eve.get(f"/matches/{said['id']}/export").json(), where
    return "labelled"


def in_list(eve: Person, match_id: str) -> dict[str, object]:
    """Return the match in its importer's own list, retrying while the projection is behind."""
    for _ in range(120):
        for item in eve.get("/matches").json()["items"]:
            if item["id"] == match_id:
                return dict(item)
        time.sleep(0.25)
    raise AssertionError("it never came into the list")


def undisturbed(client: Client, eve: Person, bystander: Person, match_id: str, where: str) -> None:
    for answer in (
        eve.get("/matches"),
        bystander.get("/matches"),
        bystander.get("/matches", scope="public"),
        bystander.get(f"/matches/{match_id}"),
        client.get("/health/ready"),
    ):
        assert answer.status_code == 200, (where, answer.text)


def judged(fates: Counter[tuple[str, str]], count: int) -> None:
    """Check that every mutation was tried and both results occurred; otherwise nothing was
    tested."""
    assert fates.total() == count
    assert {what for what, _ in fates} == {mutate.__name__ for mutate in MUTATIONS}
    for fate in ("refused", "labelled"):
        assert sum(n for (_, met), n in fates.items() if met == fate) > count / 20, fates


def test_five_hundred_mutants(tmp_path: Path) -> None:
    judged(send_all(500, tmp_path, 7), 500)


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_ten_thousand_mutants(tmp_path: Path) -> None:
    fates = send_all(10_000, tmp_path, 2026)
    for key, number in sorted(fates.items()):
        print(*key, number)
    judged(fates, 10_000)
