"""A new game needs only its folder: add one to a copy of the program without any other change, and
play it with every feature."""

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.phone import Phone, fits, unfold
from tests.browser.service import Program
from tests.security.process import process

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
GAME = ROOT / "tests" / "pebbles"
COPIED = ("domain", "service", "projections", "frontend", "tests/game_contract")
NEVER = shutil.ignore_patterns("build", "__pycache__", "*.egg-info")


def run(house: Path, *command: str) -> "subprocess.CompletedProcess[str]":
    """Run a command in the copy."""
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=house,
        env={**os.environ, "PYTHONPATH": str(house)},
        capture_output=True,
        text=True,
        timeout=240,
    )


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program with one more game."""
    folder = tmp_path_factory.mktemp("house")
    for name in COPIED:
        shutil.copytree(ROOT / name, folder / name, ignore=NEVER)
    for name in ("pyproject.toml", "tests/conftest.py"):
        shutil.copy(ROOT / name, folder / name)
    shutil.copytree(GAME, folder / "domain" / "games" / "pebbles", ignore=NEVER)
    built = run(folder, "frontend.build")
    assert built.returncode == 0, built.stderr
    return folder


@pytest.fixture(scope="session")
def base(house: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the copy serves."""
    data = tmp_path_factory.mktemp("data")
    with process(data, cwd=house, play_limit=0, create_limit=0) as address:
        yield address


def table(base: str, *names: str, **body: Any) -> tuple[list[Program], str]:
    """Start a match of the new game with one seat per player; return players and id."""
    people = [Program(base, name) for name in names]
    seats = [{"kind": "me"}, *({"kind": "open"} for _ in names[1:])]
    match = people[0].post("/matches", {"game": "pebbles", "seats": seats, **body}, 201)
    for person in people[1:]:
        person.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    return people, match["id"]


def close_hand(person: Program, match_id: str, seat: int, pebbles: int) -> Any:
    """Make a seat's secret choice; return the match."""
    match = person.get(f"/matches/{match_id}")
    command = {"type": "CloseHand", "pebbles": pebbles}
    body = {"seat": seat, "expected_version": match["version"], "commands": [command]}
    return person.post(f"/matches/{match_id}/commands", body)["match"]


def test_contract_tests_of_its_traits_find_it_and_pass(house: Path) -> None:
    """`tests.docs.test_adding_a_game` runs all contract tests on a game without these traits."""
    traits = (
        "two_worlds",
        "taken_back_while_others_act",
        "only_reviewable_games_have_a_review",
    )
    chosen = f"pebbles and ({' or '.join(traits)})"
    found = run(house, "pytest", "tests/game_contract", "-k", chosen, "-vv")
    assert found.returncode == 0, found.stdout[-3000:]
    for trait in traits:
        assert trait in found.stdout


def test_it_is_played_over_http_and_its_file_proves(house: Path, base: str, tmp_path: Path) -> None:
    options = {"rounds": 2}
    (ann, bea), match_id = table(base, "Ann", "Bea", options=options, visibility="public")
    assert close_hand(ann, match_id, 0, 3)["to_act"] == [1]
    seen = bea.get(f"/matches/{match_id}/events?after=0")["events"][-1]
    assert seen["type"] == "HandClosed"
    assert seen["data"]["pebbles"] is None
    match = bea.get(f"/matches/{match_id}")
    body = {"seat": 1, "expected_version": match["version"]}
    ann.post(f"/matches/{match_id}/undo", {**body, "seat": 0})
    close_hand(ann, match_id, 0, 2)
    assert close_hand(bea, match_id, 1, 1)["view"]["scores"] == [2, 0]
    close_hand(ann, match_id, 0, 1)
    match = close_hand(bea, match_id, 1, 1)
    assert [(s["seat"], s["rank"], s["score"]) for s in match["standings"]] == [
        (0, 1, 2),
        (1, 2, 0),
    ]
    file = tmp_path / "match.json"
    file.write_text(json.dumps(bea.get(f"/matches/{match_id}/export")))
    proved = run(house, "service.cli", "verify", str(file))
    assert proved.returncode == 0, proved.stdout + proved.stderr
    (chart,) = bea.get(f"/matches/{match_id}/review")["review"]["charts"]
    assert [point["values"] for point in chart["points"]] == [[0, 0], [2, 0], [2, 0]]
    picture = httpx.get(f"{base}/api/matches/{match_id}/picture.png")
    assert picture.content.startswith(b"\x89PNG")


def test_a_bot_plays_it(base: str) -> None:
    ann = Program(base, "Ann")
    seats = [{"kind": "me"}, {"kind": "bot"}, {"kind": "bot"}]
    match = ann.post("/matches", {"game": "pebbles", "seats": seats, "options": {}}, 201)
    rng = random.Random(2)
    while match["status"] == "playing":
        match = close_hand(ann, match["id"], 0, rng.randrange(4))
    assert len(match["standings"]) == 3


def hold(page: Page, name: str, pebbles: int) -> None:
    """Whoever is named takes the phone that goes round, and chooses under the cover."""
    handover = page.locator(".handover-page")
    expect(handover.get_by_role("heading")).to_have_text(f"Pass the phone to {name}")
    assert "Hold " not in page.content()
    handover.get_by_role("button", name=f"I’m {name}").tap()
    page.wait_for_timeout(400)  # no finger is as quick: this would be taken for a double tap
    page.get_by_role("button", name=f"Hold {pebbles}", exact=True).tap()


def test_it_is_played_on_a_phone_that_goes_round(browser: Browser, base: str) -> None:
    """The screen for any game: table, hand-over, cover, undo, result and review."""
    phone = Phone(browser, base, {"width": 320, "height": 568})
    page = phone.page
    page.goto("/new")
    page.locator("input[name=gGame][value=pebbles]").check()
    page.get_by_label("Your name").fill("Ann")
    page.get_by_label("Pass and play (one phone)").check()
    page.get_by_label("Name of player 2").fill("Bea")
    unfold(page)
    page.get_by_label("Rounds").fill("2")
    page.wait_for_timeout(400)  # no finger is as quick: this would be taken for a double tap
    page.get_by_role("button", name="Create game").tap()
    page.wait_for_url("**/m/*")
    hold(page, "Ann", 3)
    hold(page, "Bea", 1)
    expect(page.locator(".in-words").first).to_contain_text("3, 0shutno, no")
    assert "Hold " not in page.content()
    assert fits(page)
    page.get_by_role("button", name="Bea: Tap to choose").tap()
    page.get_by_role("button", name="Hold 2", exact=True).tap()
    hold(page, "Ann", 2)
    phone.sure()  # the last hand ends the game
    podium = page.locator(".podium")
    expect(podium).to_contain_text("Ann")
    page.wait_for_timeout(1_000)  # until then taps are taken for ones on what the result covers
    page.get_by_role("link", name="Review").tap()
    expect(page.get_by_role("heading", name="Pebbles").last).to_be_visible()
    expect(page.locator(".page")).to_contain_text("The first hands are opened")
    assert fits(page)
    phone.close()
