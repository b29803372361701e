"""A simulation of the previous release.

``python -m tests.resilience.previous KNOWS serve``. Its code is not kept; what matters here is that
it does not know newer events and commands and has separate read models. ``KNOWS`` is ``release``
for one with the older rules versions, ``rules`` for one that has today's and lacks only the events.
"""

import sys
from typing import Any

import projections.schema
import service.matches.seating
from domain.contract.game import at_version
from domain.contract.registry import TITLES, rules_of
from domain.match import commands, events

NEW_EVENTS = frozenset(
    {
        "EndAnnounced",
        "IdleExchangesBarred",
        "RecoveryAnswered",
        "RecoveryAsked",
        "RecoveryBegan",
        "RecoveryEnded",
        "ReturnAnswered",
        "ReturnRequested",
        "RoundLimitReached",
        "RoundLimitSet",
        "SeatReclaimed",
        "SeatRecovered",
        "StartingGearSet",
    }
)
NEW_COMMANDS = frozenset(
    {
        "AnswerRecovery",
        "AnswerReturn",
        "AskRecovery",
        "EndRecovery",
        "ObjectToRecovery",
        "Reclaim",
        "RecoverSeat",
    }
)
RULES_VERSIONS = {
    "caravane": 1,
    "caravanserai": 2,
    "caravanserail": 2,
    "conquest": 1,
    "courtyard": 1,
}
"""Those of the previous release."""
LAYOUT = 6


def without(types: tuple[type, ...], names: frozenset[str]) -> tuple[type, ...]:
    return tuple(each for each in types if each.__name__ not in names)


def forget() -> None:
    """Remove what the previous release did not know."""
    rules = [*map(rules_of, TITLES)]
    known: Any
    for known in (events, *rules):
        known.EVENTS = without(known.EVENTS, NEW_EVENTS)
    for known in (commands, *rules):
        known.COMMANDS = without(known.COMMANDS, NEW_COMMANDS)
    projections.schema.SCHEMA_VERSION = LAYOUT
    projections.schema.READABLE_VERSIONS = frozenset({LAYOUT - 1, LAYOUT})


def go_back() -> None:
    """Use the rules versions of the previous release."""
    for slug, version in RULES_VERSIONS.items():
        TITLES[slug] = at_version(TITLES[slug], version)
    service.matches.seating.CLOCK_RULES = 1


if __name__ == "__main__":
    from service.cli import main

    forget()
    if sys.argv.pop(1) == "release":
        go_back()
    sys.exit(main())
