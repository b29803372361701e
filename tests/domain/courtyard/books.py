"""Independent bookkeeping of what the players of the courtyard own, from the events alone."""

from collections import Counter
from typing import Any

from domain.games.courtyard.board import GOODS, PRICES, STOCKS, count_goods
from domain.games.courtyard.cards import ABILITIES, MAJORS, MINORS
from domain.games.courtyard.events import (
    AbilityBought,
    CreditGrown,
    CreditWidened,
    DebtRepaid,
    GoodsBought,
    GoodsDiscarded,
    GoodsExchanged,
    GoodsSold,
    GoodsTraded,
    IncomeShared,
    MajorCompleted,
    MinorCompleted,
    MoneyBorrowed,
    PlayerSettled,
    PurseExpanded,
    PurseFilled,
    StallRestocked,
)
from domain.games.courtyard.state import Player, State

FIGURES = ("coins", "purse", "debt", "credit", "wealth")


def _figures(event: Any, coins: int) -> dict[str, int]:
    """What an event changes of a player's figures; ``coins`` are those before it."""
    match event:
        case GoodsBought(paid=paid):
            return {"coins": -paid}
        case GoodsSold(earned=earned):
            return {"coins": earned}
        case MoneyBorrowed(coins=more):
            return {"coins": more, "debt": more}
        case DebtRepaid(coins=paid):
            return {"coins": -paid, "debt": -paid}
        case PurseExpanded():
            return {"purse": 1}
        case PurseFilled():
            return {"coins": 6 - coins}
        case CreditWidened() | CreditGrown():
            return {"credit": 1}
        case IncomeShared(repaid=repaid, saved=saved, gained=gained):
            return {"coins": saved, "debt": -repaid, "wealth": gained}
    return {}


def _goods(event: Any) -> Counter[str]:
    """What an event changes of a player's goods."""
    change: Counter[str] = Counter()
    match event:
        case PlayerSettled(good=good):
            change[good] = 1
        case GoodsBought(good=good, units=units):
            change[good] = units
        case GoodsTraded(gave=gave, got=got) | GoodsExchanged(gave=gave, got=got):
            change.update(got)
            change.subtract(gave)
        case GoodsSold(goods=goods) | GoodsDiscarded(goods=goods):
            change.subtract(goods)
        case PurseExpanded(good=good) | PurseFilled(good=good) | CreditWidened(good=good):
            assert good in ("bronze", "amber")
            change[good] = -1
        case AbilityBought(ability=ability):
            change.subtract(dict(zip(GOODS, ABILITIES[ability].cost, strict=True)))
        case MajorCompleted(card=card):
            change.subtract(MAJORS[card].names)
        case MinorCompleted(card=card):
            change.subtract(MINORS[card].names)
    return change


def _worth(goods: Any) -> int:
    return sum(PRICES[GOODS.index(good)] * n for good, n in goods.items())


def _check_deal(event: Any, income: int) -> None:
    """What an event gives is worth what the rules say."""
    match event:
        case GoodsTraded(times=times, gave=gave, got=got):
            more = _worth(got) - _worth(gave)
            assert times <= more <= times + 1, "one more each time, and the bronze of T13"
        case GoodsExchanged(gave=gave, got=got):
            assert _worth(gave) == _worth(got)
        case GoodsSold(goods=goods, earned=earned, lost=lost):
            assert earned + lost == _worth(goods)
        case IncomeShared(repaid=repaid, saved=saved, gained=gained):
            assert repaid + saved + gained == income
            assert min(repaid, saved, gained) >= 0
        case MajorCompleted(card=card, income=paid):
            assert paid - MAJORS[card].value in (2, 0, -1)
        case MinorCompleted(card=card, income=paid, drawn=drawn):
            assert paid - MINORS[card].value in ((2, 0, -1) if drawn else (0,))


def _plain(player: Player) -> dict[str, int]:
    return {name: getattr(player, name) for name in FIGURES}


def check_books(before: State, seat: int, events: list[Any], after: State) -> None:
    """Goods, coins, debt, limits, wealth and stalls change by what the events say and by nothing
    else, and of the seat that acts alone."""
    old, new = before.players[seat], after.players[seat]
    figures, goods = _plain(old), Counter(dict(zip(GOODS, old.goods, strict=True)))
    stalls = dict(zip(GOODS, before.stalls, strict=True))
    for event in events:
        _check_deal(event, before.income)
        for name, change in _figures(event, figures["coins"]).items():
            figures[name] += change
        goods.update(_goods(event))
        match event:
            case PurseFilled():
                figures["purse"] = 6
            case GoodsBought(good=good, units=units):
                stalls[good] -= units
            case StallRestocked(good=good):
                assert stalls[good] == 0
                stalls[good] = STOCKS[GOODS.index(good)]
    assert _plain(new) == figures
    assert new.goods == count_goods([*goods.elements()])  # type: ignore[arg-type]
    assert min(goods.values()) >= 0
    assert after.stalls == tuple(stalls.values())
    for other, player in enumerate(after.players):
        if other != seat:
            assert player == before.players[other]
