"""Scenes of the courtyard game."""

from collections.abc import Iterator

from tests.browser.scenes import Scene, close, first, kept, mine, moment
from tests.browser.service import Program


def scenes(base: str) -> Iterator[Scene]:
    """Yield scenes: turns with and without an open form, the secret choice, the result."""
    ann = Program(base, "Ann")
    name = "courtyard-3-v1.json"
    here = ".game.my-turn .courtyard-desk .button"
    for version, form in ((156, "FillOrder"), (534, "VisitGate"), (1133, "Sell")):
        at = f"/m/{moment(ann, name, version)}"
        turn = Scene(f"a turn in the courtyard before {form}", ann, at, here)
        yield turn
        yield turn.then(f"{form} in the courtyard", first(f"[name=do-{form}]"))
    looking = first(".tap.legal")
    yield Scene("a space is looked at", ann, at, here, looking)
    for version, what in ((1088, "giving goods up"), (245, "sharing an income out")):
        yield Scene(what, ann, f"/m/{moment(ann, name, version)}", ".game.my-turn .form")
    minors = f"/m/{moment(ann, name, 88)}"
    hands = Scene("handing over in the courtyard", ann, minors, ".handover-page .primary")
    yield hands
    yield hands.then("choosing a minor", mine())
    over = f"/m/{kept(ann, name)}"
    result = Scene("the result in the courtyard", ann, over, ".podium")
    yield result
    yield result.then("after the courtyard", close)
