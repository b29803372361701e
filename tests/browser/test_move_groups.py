"""Groups of legal commands too large to be sent at once, in the Caravanserail game.

Pickers work from the abbreviated ranges; the list of moves loads the commands of a group when it is
opened.
"""

import json
import re
from typing import Any

from playwright.sync_api import Browser, Response, expect

from tests.browser.service import Program
from tests.browser.test_caravanserail import BEA, Sheikh, on_the_way, play, seated, settle, view


def flat(person: Program, match_id: str, seat: int) -> list[Any]:
    """Return all legal commands of a seat as a flat list."""
    return list(person.get(f"/matches/{match_id}/choices?seat={seat}")["choices"])


def to_business(people: list[Program], match_id: str) -> None:
    """Play until the business phase, over HTTP: Bea moves to C if she can.

    Other seats play their first legal command.
    """
    while view(people[0], match_id)["phase"] != "business":
        for seat in people[0].get(f"/matches/{match_id}")["to_act"]:
            commands = [choice["command"] for choice in flat(people[seat], match_id, seat)]
            to_c = [each for each in commands if seat == BEA and each.get("to") == "C"]
            if commands:
                play(people[seat], match_id, seat, (to_c or commands)[0])


def test_wares_are_moved_from_their_range_and_a_long_group_is_opened(
    browser: Browser, base: str
) -> None:
    """Wares move by the picker, and a command from the second page of a large group is played.

    No answer with grouped commands exceeds 2,000 bytes.
    """
    people, match_id = seated(base)
    settle(people, match_id)
    on_the_way(people, match_id)
    to_business(people, match_id)
    bea = people[BEA]
    phone = Sheikh(browser, bea, match_id)
    page = phone.page
    told: list[Response] = []
    page.on("response", lambda answer: told.append(answer) if "/choices" in answer.url else None)

    phone.uncover()
    shift = next(c for c in flat(bea, match_id, BEA) if c["command"]["type"] == "Shift")["command"]
    source, target = shift["source"] + 1, shift["target"] + 1
    phone.press(f"Move goods from caravan {source} to caravan {target}")
    (ware,) = list(shift["wares"])[:1]
    page.get_by_role("button", name=re.compile(f"Add one token of {ware}")).click()
    phone.press("Move")
    phone.settled()
    caravans = view(bea, match_id)["players"][BEA]["caravans"]
    assert caravans[shift["target"]]["load"][ware] >= 1

    draft = next(c for c in flat(bea, match_id, BEA) if c["command"]["type"] == "Draft")["command"]
    play(bea, match_id, BEA, draft)
    gift = next(c for c in flat(bea, match_id, BEA) if c["command"]["type"] == "Give")["command"]
    told.clear()
    play(bea, match_id, BEA, gift)
    asks = [c for c in flat(bea, match_id, BEA) if c["command"]["type"] == "Ask"]
    assert len(asks) > 100
    expect(page.locator(".cover-button")).to_be_visible()
    page.get_by_role("button", name="All moves").click()
    line = page.locator(".moves .moves .button").first
    expect(line).to_have_text(f"Ask for goods: {len(asks)} options")
    line.click()
    entries = page.locator(".moves .moves .moves .button")
    expect(entries).to_have_count(101)
    # An opened group stays open when an event of another player arrives.
    version = people[0].get(f"/matches/{match_id}")["version"]
    people[0].post(f"/matches/{match_id}/say", {"seat": 0, "text": "Hello"})
    expect(page.locator(f".history input[max='{version + 1}']")).to_have_count(1)
    expect(line).to_have_attribute("aria-expanded", "true")
    expect(entries).to_have_count(101)
    page.get_by_role("button", name="Show more").click()
    expect(entries).to_have_count(min(201, len(asks)))
    entry = entries.nth(120)
    expect(entry).to_have_text(asks[120]["label"])
    sizes = [len(answer.body()) for answer in told if "grouped" in answer.url]
    assert sizes
    assert max(sizes) < 2_000
    assert not [a for a in told if "grouped" not in a.url and "group=" not in a.url]
    entry.click()
    phone.sure()
    phone.settled()
    (offer,) = [o for o in view(bea, match_id)["offers"] if o["offerer"] == BEA]
    assert offer["asks"] == asks[120]["command"]["wares"], json.dumps(offer)
    phone.close()
