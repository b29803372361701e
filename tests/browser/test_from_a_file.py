"""Imported matches: every page says whether names and times are vouched for by a signature."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.phone import SMALL, Phone
from tests.browser.service import Program
from tests.domain.test_matchfile import sealed
from tests.service.databases import fresh
from tests.service.running import server

HEARSAY = "From an unsigned file: names and times are unverified."
MATCHES = Path(__file__).parent.parent / "recorded_matches"
NOTE = re.compile("From an? (unsigned )?file")
VOUCHED = "From a file signed by this server: it was played here."


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("files")
    with fresh("sqlite", folder) as settings, server(settings) as address:
        yield address


def finished_file(ann: Program) -> dict[str, Any]:
    """Play a match of one person to its end; return its match file."""
    match = ann.post("/matches", {"game": "caravanserai", "seats": [{"kind": "me"}]}, 201)
    while match["status"] == "playing":
        (seat,) = match["to_act"]
        choices = ann.get(f"/matches/{match['id']}/choices?seat={seat}")["choices"]
        body = {"seat": seat, "expected_version": match["version"]}
        body["commands"] = [choices[-1]["command"]]
        match = ann.post(f"/matches/{match['id']}/commands", body)["match"]
    return dict(ann.get(f"/matches/{match['id']}/export"))


@pytest.mark.parametrize("signed", [False, True], ids=["not signed", "signed"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_card_table_and_review_say_where_a_match_came_from(
    browser: Browser, base: str, signed: bool, scheme: Any
) -> None:
    """The imported match is labelled by its signature; the original match has no label."""
    ann = Program(base, "Ann")
    file = finished_file(ann)
    bare = sealed({key: part for key, part in file.items() if key != "signature"})
    match = ann.post("/matches/import", file if signed else bare, 201)
    words = VOUCHED if signed else HEARSAY
    phone: Phone = ann.phone(browser, SMALL)
    page = phone.page
    page.emulate_media(color_scheme=scheme)
    page.goto("/")
    came, own = (page.locator(f".table-card[href='/m/{m}']") for m in (match["id"], file["id"]))
    expect(came).to_contain_text(words.partition(":")[0])
    expect(own).to_be_visible()
    expect(own).not_to_contain_text(NOTE)
    for rest, words_seen in (("", 1), ("/review", 1)):
        page.goto(f"/m/{match['id']}{rest}")
        expect(page.get_by_text(words)).to_have_count(words_seen)
        page.goto(f"/m/{file['id']}{rest}")
        expect(page.locator(".game, .still").first).to_be_visible()
        expect(page.get_by_text(NOTE)).to_have_count(0)
        assert page.evaluate("document.documentElement.scrollWidth") <= SMALL["width"]
    phone.close()


@pytest.mark.parametrize("name", sorted(path.name for path in MATCHES.glob("*-signed-v1.json")))
def test_standings_are_sentences_and_ties_are_ties(browser: Browser, base: str, name: str) -> None:
    """The result and the review give the reason for each rank; equal ranks are called shared."""
    ann = Program(base, "Ann")
    match = ann.post("/matches/import", json.loads((MATCHES / name).read_bytes()), 201)
    ranks = [place["rank"] for place in match["standings"]]
    phone: Phone = ann.phone(browser, SMALL)
    page = phone.page
    for rest, places in (("", ".podium li"), ("/review", ".place")):
        page.goto(f"/m/{match['id']}{rest}")
        lines = page.locator(f"{places} .muted")
        expect(lines).to_have_count(len(ranks))
        for rank, line in zip(sorted(ranks), lines.all_inner_texts(), strict=True):
            if name.startswith("caravanserail-") and rank > 1:  # its rules do not rank the others
                assert re.fullmatch(r"\d+ of 9 goods on the card\.", line), line
                continue
            said = re.fullmatch(r"(\w+ place|(Tied for) \w+)\. (An? |\d+ |What |Worth ).+\.", line)
            assert said, line
            assert bool(said[2]) == (ranks.count(rank) > 1), line
        assert page.evaluate("document.documentElement.scrollWidth") <= SMALL["width"]
    phone.close()
