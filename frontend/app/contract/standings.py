"""The standings of a match: their order, and the places and scores in words."""

from domain.text.i18n import N_
from frontend.app.contract.game_screen import Screen
from frontend.app.core.dom import el
from frontend.app.core.i18n import join_sentences, t
from frontend.app.core.types import Data, Node

PLACES = (
    (N_("First place."), N_("First place, shared.")),
    (N_("Second place."), N_("Second place, shared.")),
    (N_("Third place."), N_("Third place, shared.")),
    (N_("Fourth place."), N_("Fourth place, shared.")),
    (N_("Fifth place."), N_("Fifth place, shared.")),
    (N_("Sixth place."), N_("Sixth place, shared.")),
    (N_("Seventh place."), N_("Seventh place, shared.")),
    (N_("Eighth place."), N_("Eighth place, shared.")),
)


def sort_standings(standings: list[Data]) -> list[Data]:
    """Return the standings by rank; equal ranks by score (highest first), then by seat."""
    return sorted(standings, key=lambda place: (place["rank"], -place["score"], place["seat"]))


def explanation(place: Data, standings: list[Data], game: type[Screen], match: Data) -> Node:
    """Return the line below a name: the place in words (unless alone) and the reason for it."""
    lines = [game.explain_rank(place, match)]
    if len(standings) > 1:
        lines.insert(0, _place(place, standings))
    return el("p", {"class": "muted"}, join_sentences(lines))


def _place(place: Data, standings: list[Data]) -> str:
    rank = place["rank"]
    shared = len([each for each in standings if each["rank"] == rank]) > 1
    return t(PLACES[rank - 1][1 if shared else 0])


def rank(place: Data) -> Node:
    """Return the number of a place, hidden from screen readers (see `explanation`)."""
    return el("span", {"class": "rank", "aria-hidden": "true"}, f"{place['rank']}.")
