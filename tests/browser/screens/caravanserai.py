"""The scenes of the hex game."""

import re
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Page

from tests.browser import scenes as stage
from tests.browser.scenes import (
    Do,
    Scene,
    close,
    first,
    kept,
    look_back,
    moment,
    press,
    then,
    until,
)
from tests.browser.service import Program, table


def mark(page: Page) -> None:
    """Select a cell that has yet to be confirmed."""
    box = page.locator(".legal:not(.far)").first.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_selector(".aim")


def pick(colour: str) -> Do:
    """Choose the colour of the next block."""
    return lambda page: press(re.compile(f"^{stage.say(colour)}, "))(page)


def _what_happened(page: Page) -> None:
    """Open the log, unless it is shown beside the board."""
    if page.locator(".beside-not").first.is_visible():
        press("Game log")(page)


def _starting(match: Any, view: Any) -> bool:
    return bool(view["step"] == "start" and match["version"] > 3)


def _laying(match: Any, view: Any) -> bool:
    return bool(
        view["step"] == "place" and match["version"] > 60 and not view["placement"]["blocks"]
    )


def _in_the_middle(match: Any, view: Any) -> bool:
    blocks = view["placement"]["blocks"] if view["step"] == "place" else ()
    return bool(match["version"] > 40 and len(blocks) > 1)


def _setting(match: Any, view: Any) -> bool:
    return bool(view["step"] == "set" and match["version"] > 30)


HEX = {
    "start": _starting,
    "laying": _laying,
    "in the middle of a turn": _in_the_middle,
    "setting": _setting,
}


def planned(base: str) -> tuple[Program, str]:
    """Set up a player with a plan for the opponent's next move; return both player and match id."""
    (ann, bea), match_id = table(base, "Ann", "Bea")
    until(
        [ann, bea], match_id, 11, lambda match, _: match["to_act"] == [0] and match["version"] > 30
    )
    could = bea.get(f"/matches/{match_id}/plan/choices?seat=1")["choices"][0]
    way = {"commands": [could["command"]], "told": could["label"]}
    seen = {"type": "TurnBegan", "seat": 1, "data": {}}
    told = "Ann laid 3 white, Ann placed a camel"
    plan = {"branches": [{**way, "when": [seen], "told_when": told}, way]}
    bea.put(f"/matches/{match_id}/plan?seat=1", plan)
    return bea, match_id


def answered(page: Page) -> None:
    """Play an opponent's move and a reply on the private copy, both from the list."""
    for _ in range(9):
        turn = page.locator(".turn").inner_text()
        press("All moves")(page)
        page.locator(".moves .button").first.press("Enter")
        page.wait_for_function(
            "() => !document.querySelector('dialog[open]')"
            " && document.querySelector('.game').dataset.sending === ''"
        )
        if turn.startswith("Bea"):
            break


def open_kinds(person: Program, match_id: str) -> list[str]:
    """Return the colours in which a block may be placed."""
    match = person.get(f"/matches/{match_id}")
    (seat,) = match["to_act"]
    choices = person.get(f"/matches/{match_id}/choices?seat={seat}")["choices"]
    colours = {choice["command"].get("colour") for choice in choices}
    return [c for c in ("white", "black", "purple", "red", "yellow") if c in colours]


def scenes(base: str) -> Iterator[Scene]:
    """The hex game: base and expert, each step of a turn, sheets, the past, the end."""
    mine_now = ".game.my-turn .legal"
    for seed, (name, wanted) in enumerate(HEX.items()):
        expert = name == "in the middle of a turn"
        people, match_id = table(base, "Ann", "Margaret", "Cleo", expert=expert)
        person = until(people, match_id, seed + 3, wanted)
        at = f"/m/{match_id}"
        shown = Scene(name, person, at, mine_now)
        yield shown
        if name in ("start", "setting"):
            yield shown.then(name + ", to be confirmed", mark)
        if name in ("laying", "in the middle of a turn"):
            for colour in open_kinds(person, match_id):
                shown = shown.then(f"{name}, {colour}", pick(colour))
                yield shown
        if name == "laying":
            yield shown.then("the list of moves", press("All moves"))
            yield Scene("the log", person, at, mine_now, _what_happened)
            yield Scene("the past", person, at, mine_now, look_back)
            again = then(look_back, press("Fork from here"))
            yield Scene("playing on", person, at, mine_now, again)
    bea, match_id = planned(base)
    yield Scene("a plan", bea, f"/m/{match_id}", ".plan-line", first(".plan-line"))
    copy = f"/m/{match_id}/try"
    yield Scene("trying out", bea, copy, ".notice.trial")
    keep = then(answered, press("Save as plan"))
    yield Scene("keeping a line", bea, copy, ".notice.trial", keep)
    ann = Program(base, "Ann")
    giving = moment(ann, "caravanserai-5-expert-v1.json", 99)
    yield Scene("who gives a good", ann, f"/m/{giving}", ".step .button")
    over = f"/m/{kept(ann, 'caravanserai-6-expert-v1.json')}"
    result = Scene("the result", ann, over, ".podium")
    yield result
    yield result.then("after the end", close)
