"""Whole random games: everything is conserved, limits hold, every game ends."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice

import msgspec
import pytest
from msgspec.structs import replace

from domain.contract.game import LEVELS, Level
from domain.games.courtyard import rules
from domain.games.courtyard.board import (
    ACTIONS_PER_TURN,
    GOAL_WEALTH,
    MAX_STORED_GOODS,
    MOVES_PER_TURN,
    STOCKS,
)
from domain.games.courtyard.cards import DECKS, MAJORS, MINORS, TILES, TRADES_PER_TILE
from domain.games.courtyard.commands import COMMANDS, Move, Share, VisitGate
from domain.games.courtyard.events import EVENTS
from domain.games.courtyard.state import DISCARD, INCOME, MINOR, OVER, TURN, State
from domain.text.english import english_messages
from tests.domain.courtyard.books import check_books
from tests.domain.courtyard.builders import (
    NoEndError,
    Step,
    chance_game,
    offered,
    random_game,
    started,
    stop,
    thought,
)
from tests.game_contract.strict_english import format_message

LONGEST = 10_000
"""Commands of a whole game in which one choice of five is any and the others are the bot's."""
LONGEST_OF_BOTS = 20_000
LONGEST_BY_CHANCE = 400_000
"""Commands after which a game of players by chance is given up. No rule ends it sooner, and one of
many does not: two poor players who buy and sell by chance may stay poor for ever."""
NAMES = ("Ann", "Bo", "Cy", "Di")
SEATS = (2, 3, 4)
VIEW = [
    *("fountain", "towers", "abilities", "rests", "stalls", "decks", "players", "to_move"),
    *("starter", "step", "moves_left", "actions_left", "acted", "die", "rolled", "drawn"),
    *("income", "spent", "final", "trigger"),
]
PLAYER = [
    *("seat", "at", "wealth", "coins", "purse", "debt", "credit", "goods", "majors", "minors"),
    *("minor", "abilities", "used", "score"),
]
"""The names of the public contract."""


def check_cards(state: State) -> None:
    """Every card and tile is in exactly one place."""
    majors = Counter(card for player in state.players for card in player.majors)
    majors.update(card for card in state.towers if card is not None)
    majors.update({i: n for i, n in enumerate(state.stock.majors) if n})
    assert majors == Counter(range(len(MAJORS)))
    minors = Counter(card for player in state.players for card in player.minors)
    minors.update(player.minor for player in state.players if player.minor is not None)
    minors.update((*state.drawn, *state.stock.under))
    minors.update({i: n for i, n in enumerate(state.stock.minors) if n})
    gone = sum(name == "P15" for score in state.scores for name, _ in score.abilities)
    assert sum(minors.values()) == len(MINORS) - gone
    assert max(minors.values()) == 1
    abilities = Counter(name for player in state.players for name in player.abilities)
    for side, row in enumerate(state.rows):
        names = DECKS["TP"[side]]
        abilities.update(row)
        abilities.update(names[i] for i, n in enumerate(state.stock.abilities[side]) if n)
    assert abilities == Counter([*DECKS["T"], *DECKS["P"]])
    tiles = Counter(rest.tile for rest in state.rests)
    for side, letter in enumerate("AB"):
        for decks in (state.stock.tiles, state.stock.old):
            tiles.update({f"{letter}{i + 1}": n for i, n in enumerate(decks[side]) if n})
    assert tiles == Counter([*TILES])


def check_limits(state: State) -> None:
    """Purse, credit, storage, stalls, the turn's moves and actions."""
    for player in state.players:
        assert 0 <= player.coins <= player.purse <= 6
        assert 0 <= player.debt <= player.credit <= 6
        assert player.purse >= 3
        assert player.credit >= 3
        assert min(player.goods) >= 0
        assert len(player.minors) + (player.minor is not None) <= 3
        assert len({*player.abilities}) == len(player.abilities)
        if state.step != DISCARD:
            assert sum(player.goods) <= MAX_STORED_GOODS
    assert all(1 <= n <= most for n, most in zip(state.stalls, STOCKS, strict=True))
    assert all(1 <= rest.trade <= TRADES_PER_TILE for rest in state.rests)
    assert 0 <= state.moves <= MOVES_PER_TURN
    assert 0 <= state.actions <= ACTIONS_PER_TURN
    assert state.actions >= state.moves - (state.step == MINOR)
    assert (state.step == INCOME) == (state.income > 0)
    assert (state.step == MINOR) == bool(state.drawn)


class Seen:
    """A whole game with its checks: of every so many steps, of all cards less often."""

    def __init__(self, steps: Iterator[Step], every: int) -> None:
        self.count = 0
        self.commands: set[type] = set()
        self.events: set[type] = set()
        for before, seat, command, made, after in steps:
            self.commands.add(type(command))
            self.events.update(map(type, made))
            if self.count % every == 0 or after.step == OVER:
                assert rules.to_act(before) == (seat,)
                check_limits(after)
                check_books(before, seat, made, after)
            if self.count % (20 * every) == 0 or after.step == OVER:
                check_cards(after)
            self.count += 1
            self.end = after
        check_end(self.end)


def by_chance_only(seats: int, steps: int) -> Iterator[Step]:
    """The first steps of a game of players by chance."""
    return islice(chance_game(seats, random.Random(seats), LONGEST_BY_CHANCE), steps)


def check_end(state: State) -> None:
    standings = rules.outcome(state)
    assert standings is not None
    assert [s.rank for s in standings] == sorted(s.rank for s in standings)
    assert standings[0].rank == 1
    assert len({s.seat for s in standings}) == len(state.players)
    if state.trigger is not None:
        assert state.players[state.trigger].wealth >= GOAL_WEALTH
    for player in rules.view(state, None)["players"]:
        score = player["score"]
        assert score["total"] == score["wealth"] + score["coins"] - score["debt"] + score[
            "sets"
        ] + sum(score["abilities"].values())


@pytest.mark.slow
@pytest.mark.parametrize("seats", SEATS)
def test_random_games_keep_everything_and_end(seats: int) -> None:
    """Cards, goods and coins conserved, limits kept, no game longer than the bound."""
    games = [Seen(random_game(seats, random.Random(seed), LONGEST), 1) for seed in range(1)]
    games.append(Seen(chance_game(seats, random.Random(seats), LONGEST_BY_CHANCE), 10))
    assert len(set.union(*[game.commands for game in games])) >= len(COMMANDS) - 5
    assert len(set.union(*[game.events for game in games])) >= len(EVENTS) - 8


def is_stuck(state: State) -> bool:
    """Whether nobody can come to anything any more: one good, or a dirham, or as much credit is
    the most that anybody has. It goes round from one to the other, and ruling 42 does not call it
    ruin, so the game has no end. (It takes moves by chance to come to this.)"""
    return all(
        sum(player.goods) + player.coins + player.credit - player.debt <= 1
        for player in state.players
    )


@pytest.mark.soak
@pytest.mark.timeout(7_200)
@pytest.mark.parametrize("seats", SEATS)
def test_a_thousand_random_games(seats: int) -> None:
    """What they never find of use, like more credit for two, is asked of games by chance alone."""
    longest = 0
    stuck = []
    for seed in range(1_000):
        try:
            game = Seen(random_game(seats, random.Random(10_000 + seed), LONGEST), 1)
        except NoEndError as given_up:
            stuck.append((seed, is_stuck(given_up.state)))
        else:
            longest = max(longest, game.count)
    print(f"{seats} players: the longest of 1,000 games had {longest} commands; stuck: {stuck}")
    assert all(truly for _, truly in stuck)
    assert len(stuck) <= 2
    commands: set[type] = set()
    events: set[type] = set()
    for seed in range(20):
        game = Seen(chance_game(seats, random.Random(seed), LONGEST_BY_CHANCE), 10)
        commands |= game.commands
        events |= game.events
    assert commands == {*COMMANDS}
    assert events >= {*EVENTS[1:]} - _RARE


_RARE: set[type] = {each for each in EVENTS if each.__name__ == "TurnPassed"}


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_never_spends_the_last_it_has(level: Level) -> None:
    """Without goods, coins and credit it could never do anything again, and a game beside
    players who only pass would have no end."""
    poor = stop("G_N", goods={"silver": 1, "gold": 1}, coins=0, debt=6, credit=6)
    poor = replace(poor, rows=((), ("P13", "P16")))
    paid = stop("T_NE", goods={}, coins=0, debt=6, credit=6)
    paid = replace(paid, step=INCOME, income=5)
    everything, nothing = VisitGate("P16"), Share(0, 0)
    assert everything in offered(poor, VisitGate)
    assert nothing in offered(paid, Share)
    rng = random.Random(1)
    for state, ruin in ((poor, everything), (paid, nothing)):
        assert ruin not in [thought(state, 0, rng, level) for _ in range(300)]


@pytest.mark.soak
@pytest.mark.timeout(3_600)
def test_the_better_bot_wins_more() -> None:
    """Over forty games of two."""
    won = 0.0
    for seed in range(40):
        rng = random.Random(seed)
        state = rules.setup(rules.Options(), 2, rng.randrange).state
        good = seed % 2
        while rules.to_act(state):
            seat = state.seat
            choice = thought(state, seat, rng, "good" if seat == good else "easy")
            state = rules.decide(state, seat, choice, rng.randrange).state
        mine, theirs = state.scores[good].total, state.scores[1 - good].total
        won += (mine > theirs) + 0.5 * (mine == theirs)
    assert won >= 26


@pytest.mark.slow
def test_every_event_and_choice_can_be_told() -> None:
    """In words without a hole, to everybody."""
    told: set[str] = set()
    for seed in range(1):
        for before, seat, command, made, _ in random_game(3, random.Random(seed), LONGEST, 0.8):
            label = rules.label(before, seat, command)
            sentence = format_message("courtyard", label.key, label.args, NAMES)
            assert "{" not in sentence, sentence
            told.add(label.key)
            for event in made:
                for viewer in (None, seat, -1):
                    key, args = rules.tell(rules.redact(event, viewer))
                    sentence = format_message("courtyard", key, args, NAMES)
                    assert sentence
                    assert "{" not in sentence, sentence
                    told.add(key)
    assert len(told) > 45
    known = english_messages("courtyard")
    assert all(f"group-{each.__name__}" in known for each in COMMANDS)


def test_states_are_hashable_and_survive_json() -> None:
    """Bots may keep them in tables; nothing in them changes in place."""
    for before, _, _, made, after in by_chance_only(4, 3_000):
        assert isinstance(hash(after), int)
        folded = before
        for event in made:
            again = msgspec.json.decode(msgspec.json.encode(event), type=type(event))
            assert again == event
            folded = rules.evolve(folded, again)
        assert folded == after


def test_the_moves_offered_are_those_the_view_tells_of() -> None:
    """An independent reading of the view (at, others, die, T6) gives the same list."""
    from tests.domain.courtyard.test_board import walked

    checked = 0
    for before, seat, *_ in by_chance_only(3, 3_000):
        view = rules.view(before, None)
        me = view["players"][seat]
        offered = {c.to for c in rules.choices(before, seat) if isinstance(c, Move)}
        if view["step"] != TURN or not view["moves_left"]:
            assert not offered
            continue
        others = {p["at"] for p in view["players"] if p["seat"] != seat} - {me["at"]}
        limit = view["die"] or (4 if "T6" in me["abilities"] else 3)
        if limit < 5:
            assert offered == walked(me["at"], others, limit)
            checked += 1
    assert checked > 500


def test_a_view_is_the_contracts() -> None:
    """The fields and names of CONTRACT.md."""
    view = rules.view(started(), 0)
    assert {*view} == {*VIEW, "turn", "round", "round_limit", "rounds_left"}
    assert {*view["players"][0]} == {*PLAYER}
    assert {*view["decks"]} == {"majors", "minors", "turquoise", "purple", "A", "B"}
    assert view["rests"]["R_A1"].keys() == {"tile", "trade"}
    assert {*view["towers"]} == {"T_NW", "T_NE", "T_SE", "T_SW"}
    assert view["towers"]["T_NW"].keys() == {"value", "goods", "frame"}
    assert msgspec.json.encode(view)
    before = replace(started(), step="start")
    assert rules.view(before, None)["drawn"] is None
