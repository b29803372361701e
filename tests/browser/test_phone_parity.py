"""Local matches: the service verifies their match files and gives the same answers about them.

Chromium plays a match of every game with draws made on the device, and stores and reloads it as the
app does. The service must verify the match file, and its answers must equal those of the phone.
"""

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Page

from domain.contract.game import GameInfo
from domain.contract.registry import TITLES
from domain.match.seats import PHONE
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from domain.matchfile.verification import verify
from domain.presentation.choices import grouped_choices
from domain.presentation.events import event_answers
from domain.presentation.reviews import review_answer
from service.matches import options
from service.matches.presenters import Viewer, match_answer
from tests.browser.chromium import run_python, workbench

MOVES = 70
"""Number of decisions after which a match is stopped; the short games end before."""
PAGE = "document.body.innerHTML = '<div id=app></div><div id=live></div><div id=toasts></div>'"

PLAYER = """
from browser import window
from _native import dumps, loads, now_ms, random_below
from domain.toolkit.randomness import draws_from_seed
from domain.contract.game import pick_any
from domain.contract.choice_groups import flatten_options
from domain.match.commands import Redo, Undo
from domain.match.timeline import Timeline
from domain.contract.registry import rules_of
from domain.presentation import choices, events, matches, reviews
from domain.match.seat_requests import build_new_seats
from frontend.app.core.i18n import translator_for
from frontend.app.offline.server import _seat_requests, match_file, opening_command, viewer
from frontend.app.offline import local_match

def play(text):
    asked = loads(text)
    translator_for(asked["game"])
    rules = rules_of(asked["game"])
    seats = build_new_seats(_seat_requests(asked["seats"]), local_match.LOCAL_PLAYER_ID)
    opening = opening_command(asked["game"], asked["options"], seats)
    timeline = Timeline(rules)
    timeline.play(None, [opening], now_ms(), draws_from_seed)
    while timeline.latest.status == "playing" and len(timeline.decisions) < asked["moves"]:
        step(timeline, rules)
    table = local_match.LocalMatch({"id": "phone-1"}, timeline, lambda table: None)
    kept = loads(dumps(table.stored_form(timeline, 0)))
    table.timeline = Timeline(rules, local_match.rebuild_decisions(asked["game"], kept))
    looks = [viewer(table.timeline, seat) for seat in (None, 0)]
    return dumps({
        "kept": kept,
        "file": loads(match_file(table)),
        "matches": [matches.match_answer("phone-1", look) for look in looks],
        "earlier": matches.match_answer("phone-1", looks[0], table.timeline.version // 2),
        "events": [events.event_answers(look, 0) for look in looks],
        "choices": choices.grouped_choices(looks[1], 0, 60),
        "review": reviews.review_answer("phone-1", looks[0]),
    })

def step(timeline, rules):
    if local_match.bots_to_act(timeline):
        local_match._play_bots_slice(timeline, local_match._choose_bot_move)
        return
    seat = timeline.to_act(timeline.latest)[0]
    groups = rules.groups(timeline.latest.state, seat)
    options = [option for group in groups for option in group.options]
    command = pick_any(flatten_options(options), random_below)
    timeline.play(seat, [command], now_ms(), draws_from_seed)
    if random_below(8) == 0 and timeline.undo_kind(seat).kind == "open":
        timeline.play(seat, [Undo(None)], now_ms(), draws_from_seed)
        if random_below(2) == 0:
            timeline.play(seat, [Redo()], now_ms(), draws_from_seed)

window.play = play
"""


def options_of(title: GameInfo) -> dict[str, Any]:
    """Return all options of a game with their default values."""
    return options.fill_options(title, {})


def plain(value: Any) -> Any:
    """Convert a value to plain JSON types."""
    return json.loads(msgspec.json.encode(value))


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """Provide one page in which all games are played, one after the other."""
    made = workbench(browser)
    made.evaluate(PAGE)
    yield made
    made.close()


@pytest.mark.browser
@pytest.mark.parametrize("slug", TITLES)
def test_the_service_proves_and_tells_what_a_phone_has_played(page: Page, slug: str) -> None:
    """Verify the phone's file; compare its decisions and its answers with those of the service."""
    title = TITLES[slug]
    count = min(seats for seats in title.seats if seats > 1)
    people = [{"kind": "me", "name": "Ann"}, {"kind": "me", "name": "Bo"}]
    seats = [*people, *({"kind": "bot", "level": "easy"} for _ in range(count - 2))]
    asked = {"game": slug, "options": options_of(title), "seats": seats, "moves": MOVES}
    got = json.loads(run_python(page, PLAYER, "play", json.dumps(asked)))

    proved = verify(got["file"], options.check_options)
    assert proved.latest.opened.source == PHONE
    codec = codec_of(slug)
    shapes = {each.pop("shape") for each in got["kept"]}
    assert shapes == {title.rules_version}
    timeline = Timeline(codec.rules, map(codec.from_plain, got["kept"]))
    assert proved.version == timeline.version > 50
    looks = [Viewer(timeline, "player-1", seat) for seat in (None, 0)]
    assert got["matches"] == [plain(match_answer("phone-1", look)) for look in looks]
    half = timeline.version // 2
    assert got["earlier"] == plain(match_answer("phone-1", looks[0], half))
    assert got["events"] == [plain(event_answers(look, 0)) for look in looks]
    assert got["choices"] == plain(grouped_choices(looks[1], 0, 60))
    assert got["review"] == plain(review_answer("phone-1", looks[0]))
