"""The scenes of Caravansérail."""

from collections.abc import Iterator

from tests.browser.scenes import (
    Do,
    Scene,
    close,
    first,
    kept,
    look_back,
    mine,
    moment,
    then,
    uncover,
)
from tests.browser.service import Program
from tests.browser.test_caravanserail import (
    HOMES,
    on_the_way,
    play,
    programme,
    seated,
    settle,
    view,
)


def tab(number: int) -> Do:
    """Open the planning tab of a caravan, or of the looters."""
    return lambda page: page.locator(".tab").nth(number).press("Enter")


def scenes(base: str) -> Iterator[Scene]:
    """Caravansérail: every phase, covered and open."""
    here = ".game.my-turn .cover-button"
    for count in (6, 8):
        people, match_id = seated(base, count)
        host = people[view(people[0], match_id)["order"][0]]
        at = f"/m/{match_id}"
        homes = Scene(f"homes for {count}", host, at, ".game.my-turn .tap")
        yield homes
        yield homes.then(f"a home for {count}, chosen", first(".open-ways .button"))
        settle(people, match_id)
        ann = people[0]
        planning = Scene(f"planning for {count}, covered", ann, at, here)
        yield planning
        planning = planning.then(f"planning for {count}, tab 0", uncover, tab(0))
        yield planning
        for number in range(1, 4):
            planning = planning.then(f"planning for {count}, tab {number}", tab(number))
            yield planning
        leaving = then(uncover, first(".way-to", 1))
        yield Scene(f"loading for {count}", ann, at, here, leaving)
    people, match_id = seated(base, 6, diplomacy=True)
    settle(people, match_id)
    yield Scene("diplomacy", people[0], f"/m/{match_id}", ".game.my-turn .open-ways")
    play(people[0], match_id, 0, {"type": "Done"})
    yield Scene("done with diplomacy", people[0], f"/m/{match_id}", ".sealed")
    people, match_id = seated(base, 6)
    settle(people, match_id)
    stay: dict[str, int] = {}
    for seat, person in enumerate(people):
        play(person, match_id, seat, *programme([HOMES[seat]] * 3, [stay] * 3))
    whispers = then(uncover, first(".whispers summary"))
    yield Scene("whispering", people[0], f"/m/{match_id}", here, whispers)
    people, match_id = seated(base, 6)
    settle(people, match_id)
    on_the_way(people, match_id)
    yield Scene("the past of the trails", people[0], f"/m/{match_id}", here, look_back)
    yield from _rare(base)


def _rare(base: str) -> Iterator[Scene]:
    ann = Program(base, "Ann")
    hands = ".handover-page .primary"
    name = "caravanserail-6-v2.json"
    at = f"/m/{moment(ann, name, 125)}"
    handing = Scene("handing over on the trails", ann, at, hands)
    yield handing
    yield handing.then("paying for lodging", mine())
    yield Scene("whom to attack", ann, f"/m/{moment(ann, name, 455)}", hands, mine())
    yield Scene("what to loot", ann, f"/m/{moment(ann, name, 456)}", hands, mine())
    at = f"/m/{moment(ann, name, 460)}"
    business = Scene("business", ann, at, hands, mine("Seat 2"))
    yield business
    yield business.then("an offer", first(".partner"))
    over = f"/m/{kept(ann, name)}"
    result = Scene("the result of the trails", ann, over, ".podium")
    yield result
    yield result.then("after the trails", close)
