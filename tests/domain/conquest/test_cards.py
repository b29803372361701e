"""All forty encounter cards: their effect, and when they can and cannot be used."""

from collections import Counter
from typing import Any

import pytest

from domain.games.conquest import rules
from domain.games.conquest.cards import CARDS, CARDS_PER_DECK, DECKS
from domain.games.conquest.commands import Deal, Decline, GiveUp, Move, Stop, Take
from domain.games.conquest.events import EncounterDrawn, EncounterOver
from domain.games.conquest.state import State
from tests.domain.conquest.builders import act, first, game, goods, me, put, told, top

LANDING = {"grasslands": (0, 1), "desert": (1, 2), "mountains": (1, 4), "oasis": (1, 6)}
TILE = {"grasslands": (0, 0, 1), "desert": (0, 1, 0), "mountains": (2, 0, 0), "oasis": (2, 0, 0)}
"""What the tile itself gives, gold, silk, spice; from the oasis gold is taken."""


def meets(deck: str, card: str, **changes: Any) -> tuple[State, list[Any]]:
    """End seat 0's turn on the deck's tile with this card on top; return the state and the
    events."""
    row, column = LANDING[deck]
    state = top(put(game(), 0, at=(row, column - 1), **changes), deck, card)
    state = act(state, Move((row, column)))
    if deck == "oasis":
        return told(act(state, Stop()), Take("gold"), first)
    return told(state, Stop(), first)


def changed(deck: str, state: State, before: tuple[int, int, int] = (10, 5, 10)) -> tuple[int, ...]:
    """Return the card's own effect on seat 0's gold, silk and spice."""
    now, tile = goods(me(state, 0)), TILE[deck]
    return tuple(now[i] - before[i] - tile[i] for i in range(3))


def test_ten_cards_of_each_kind_one_copy_of_each() -> None:
    assert Counter(
        DECKS[number // CARDS_PER_DECK] for number in range(len(CARDS))
    ) == dict.fromkeys(DECKS, 10)
    for number, deck in enumerate(DECKS):
        names = {
            card.name for card in CARDS[number * CARDS_PER_DECK : (number + 1) * CARDS_PER_DECK]
        }
        assert len(names) == CARDS_PER_DECK, deck


GIVING = [
    ("grasslands", "Lost Sheep", (0, 0, 1)),
    ("grasslands", "Harvest Festival", (2, 0, 0)),
    ("grasslands", "Helpful Farmer", (0, 1, 0)),
    ("grasslands", "Traveling Trader", (0, 1, 0)),
    ("grasslands", "Hidden Berry Patch", (0, 0, 2)),
    ("grasslands", "Lost Child", (1, 0, 0)),
    ("grasslands", "Animal Tracks", (1, 0, 1)),
    ("desert", "Desert Oasis", (1, 0, 2)),
    ("desert", "Hidden Treasure", (0, 2, 0)),
    ("desert", "Ancient Ruins", (2, 1, 0)),
    ("mountains", "Pure Spring", (0, 0, 1)),
    ("mountains", "Ancient Ruins", (2, 1, 0)),
    ("mountains", "Lost Explorer", (2, 1, 0)),
    ("mountains", "Mountain Springs", (0, 0, 2)),
    ("mountains", "Rocky Path", (0, 0, -1)),
    ("mountains", "Climbing Challenge", (-1, 0, 0)),  # mountains lie beside this tile
    ("oasis", "Refreshing Waters", (0, 0, 3)),
    ("oasis", "Wildlife Encounter", (0, 0, 2)),
    ("oasis", "Trade Fair", (2, 0, 1)),
    ("oasis", "Resource Bounty", (0, 1, 1)),
    ("oasis", "Festival of Colors", (4, 1, 0)),
]


@pytest.mark.parametrize(("deck", "card", "change"), GIVING)
def test_a_card_that_happens_by_itself(deck: str, card: str, change: tuple[int, ...]) -> None:
    state, events = meets(deck, card)
    assert EncounterDrawn(0, deck, card) in events
    assert EncounterOver(0, deck, card) in events
    assert changed(deck, state) == change
    assert (state.seat, me(state, 0).skip, me(state, 0).kept) == (1, 0, ())
    assert sum(state.discards[DECKS.index(deck)]) == CARDS_PER_DECK


@pytest.mark.parametrize(
    ("deck", "card", "change"),
    [
        ("desert", "Sandstorm", (0, 0, 0)),
        ("desert", "Mirage", (0, 0, 0)),
        ("oasis", "Rest Stop", (0, 3, 0)),
    ],
)
def test_a_card_that_costs_a_turn(deck: str, card: str, change: tuple[int, ...]) -> None:
    """Rulings 10 and 27."""
    state, _ = meets(deck, card)
    assert changed(deck, state) == change
    assert me(state, 0).skip == 1
    assert rules.view(state, 1)["players"][0]["skip"] == 1


@pytest.mark.parametrize(
    ("deck", "card", "rest"),
    [
        ("grasslands", "Wild Animals", 0),
        ("desert", "Scorpion Encounter", 0),
        ("mountains", "Rockslide", 1),
    ],
)
def test_a_card_that_takes_a_good(deck: str, card: str, rest: int) -> None:
    """Rulings 7 and 28."""
    state, _ = meets(deck, card)
    assert rules.choices(state, 0) == [GiveUp("silk"), GiveUp("spice")]
    for what, change in (("silk", (0, -1, 0)), ("spice", (0, 0, -1))):
        after = act(state, GiveUp(what))
        assert changed(deck, after) == change
        assert (after.seat, me(after, 0).skip) == (1, rest)
    if deck != "desert":
        after, _ = meets(deck, card, silk=0)
        assert changed(deck, after, (10, 0, 10)) == (0, 0, -1)
    after, _ = meets(deck, card, silk=0, spice=0)
    lost = {"grasslands": (0, 0, -1), "desert": (0, -1, 0), "mountains": (0, 0, 0)}
    assert changed(deck, after, (10, 0, 0)) == lost[deck]
    assert me(after, 0).skip == rest


OFFERS = [
    ("grasslands", "Trade Opportunity", "spice", (2, 0, -1)),
    ("desert", "Thirsty Traveler", "spice", (3, 0, -1)),
    ("desert", "Merchant Caravan", "silk", (3, -1, 0)),
    ("desert", "Nomadic Tribe", "silk", (0, -1, 2)),
    ("desert", "Nomadic Tribe", "spice", (0, 0, 1)),
    ("oasis", "Local Tribe", "silk", (0, -1, 4)),
]


@pytest.mark.parametrize(("deck", "card", "gives", "change"), OFFERS)
def test_a_card_that_offers_a_trade(
    deck: str, card: str, gives: str, change: tuple[int, ...]
) -> None:
    """Rulings 9 and 29: once, and only if one likes."""
    state, _ = meets(deck, card)
    assert Deal(gives) in rules.choices(state, 0)
    assert rules.choices(state, 0)[0] == Decline()
    assert changed(deck, act(state, Deal(gives))) == change
    assert act(state, Deal(gives)).seat == 1
    assert changed(deck, act(state, Decline())) == (0, 0, 0)


@pytest.mark.parametrize(
    ("deck", "card", "without"),
    [
        ("desert", "Thirsty Traveler", {"spice": 0}),
        ("oasis", "Local Tribe", {"silk": 0}),
    ],
)
def test_a_trade_that_cannot_be_paid_is_not_asked(
    deck: str, card: str, without: dict[str, int]
) -> None:
    """Ruling 9."""
    state, _ = meets(deck, card, **without)
    assert state.seat == 1


def test_nomadic_tribe_takes_whichever_good_there_is() -> None:
    state, _ = meets("desert", "Nomadic Tribe", spice=0)
    assert rules.choices(state, 0) == [Decline(), Deal("silk")]


def test_local_herbalist_gives_silk_or_spice() -> None:
    state, _ = meets("grasslands", "Local Herbalist")
    assert rules.choices(state, 0) == [Take("silk"), Take("spice")]
    assert changed("grasslands", act(state, Take("silk"))) == (0, 1, 0)
    assert changed("grasslands", act(state, Take("spice"))) == (0, 0, 1)


def test_high_altitude_takes_a_silk_or_two_spice() -> None:
    state, _ = meets("mountains", "High Altitude")
    assert rules.choices(state, 0) == [GiveUp("silk"), GiveUp("spice")]
    assert changed("mountains", act(state, GiveUp("silk"))) == (0, -1, 0)
    assert changed("mountains", act(state, GiveUp("spice"))) == (0, 0, -2)


def test_rocky_path_takes_nothing_of_who_has_no_spice() -> None:
    state, _ = meets("mountains", "Rocky Path", spice=0)
    assert changed("mountains", state, (10, 5, 0)) == (0, 0, 0)


def test_climbing_challenge_away_from_mountains_gives_silk() -> None:
    state = top(game("BGMGF"), "mountains", "Climbing Challenge")
    state = act(state, Move((0, 1)), Move((0, 2)))
    state, _ = told(state, Stop(), first)
    assert changed("mountains", state) == (0, 1, 0)


def test_climbing_challenge_costs_gold_that_there_is() -> None:
    """The tile's own 2 gold come first (ruling 3), so that one can always be paid."""
    state, _ = meets("mountains", "Climbing Challenge", gold=0)
    assert changed("mountains", state, (0, 5, 10)) == (-1, 0, 0)


@pytest.mark.parametrize(
    ("deck", "card"),
    [
        ("desert", "Sand Dunes"),
        ("mountains", "Mountain Guide"),
        ("mountains", "Wild Mountain Goat"),
    ],
)
def test_a_card_that_grants_a_step(deck: str, card: str) -> None:
    """Rulings 8 and 25."""
    state, _ = meets(deck, card)
    assert (state.step, state.seat) == ("extra", 0)
    row, column = LANDING[deck]
    assert rules.choices(state, 0) == [
        Stop(),
        Move((row - 1, column)),
        Move((row, column + 1)),
        Move((row + 1, column)),
    ]


def test_desert_nomad_and_healing_waters_are_kept() -> None:
    """Rulings 13, 26 and 33."""
    for card in ("Desert Nomad", "Healing Waters"):
        state, events = meets("oasis", card)
        assert EncounterOver(0, "oasis", card, True) in events
        assert rules.view(state, 1)["players"][0]["kept"] == [card]
        assert sum(state.discards[3]) == 9


def test_fortune_teller_is_kept_for_a_gold() -> None:
    """Rulings 9 and 12."""
    state, _ = meets("oasis", "Fortune Teller")
    assert rules.choices(state, 0) == [Decline(), Deal("gold")]
    after = act(state, Deal("gold"))
    assert changed("oasis", after) == (-1, 0, 0)
    assert rules.view(after, 1)["players"][0]["kept"] == ["Fortune Teller"]
    after = act(state, Decline())
    assert changed("oasis", after) == (0, 0, 0)
    assert rules.view(after, 1)["players"][0]["kept"] == []


def test_fortune_teller_without_gold_is_gone() -> None:
    row, column = LANDING["oasis"]
    state = top(put(game(), 0, at=(row, column - 1), gold=0), "oasis", "Fortune Teller")
    state = act(act(state, Move((row, column)), Stop()), Take("silk"), draw=first)
    assert (state.seat, me(state, 0).kept, sum(state.discards[3])) == (1, (), 10)
