"""The standings of a match: their order, and the places and scores in words."""

from domain.text.i18n import N_
from frontend.app.contract.game_screen import Screen
from frontend.app.core.dom import el, muted_text
from frontend.app.core.i18n import join_sentences, t
from frontend.app.core.types import Data, Node

PLACES = (
    (N_("result.place_first"), N_("result.tied_first")),
    (N_("result.place_second"), N_("result.tied_second")),
    (N_("result.place_third"), N_("result.tied_third")),
    (N_("result.place_fourth"), N_("result.tied_fourth")),
    (N_("result.place_fifth"), N_("result.tied_fifth")),
    (N_("result.place_sixth"), N_("result.tied_sixth")),
    (N_("result.place_seventh"), N_("result.tied_seventh")),
    (N_("result.place_eighth"), N_("result.tied_eighth")),
)


def sort_standings(standings: list[Data]) -> list[Data]:
    """Return the standings by rank; equal ranks by score (highest first), then by seat."""
    return sorted(standings, key=lambda place: (place["rank"], -place["score"], place["seat"]))


def explanation(place: Data, standings: list[Data], game: type[Screen], match: Data) -> Node:
    """Return the line below a name: the place in words and the reason for it.

    Without the place if the player is alone, or if the game does not rank those who have not won.
    """
    lines = [game.explain_rank(place, match)]
    if len(standings) > 1 and (place["rank"] == 1 or game.RANKS_LOSERS):
        lines.insert(0, _place(place, standings))
    return muted_text(join_sentences(lines))


def _place(place: Data, standings: list[Data]) -> str:
    rank = place["rank"]
    shared = len([each for each in standings if each["rank"] == rank]) > 1
    return t(PLACES[rank - 1][1 if shared else 0])


def rank(place: Data, game: type[Screen]) -> Node:
    """Return the number of a place, hidden from screen readers (see `explanation`).

    Empty for those who have not won if the game does not rank them.
    """
    number = f"{place['rank']}." if place["rank"] == 1 or game.RANKS_LOSERS else ""
    return el("span", {"class": "rank", "aria-hidden": "true"}, number)
