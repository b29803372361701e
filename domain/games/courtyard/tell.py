"""Labels of commands, descriptions of events, and reasons for refusals of the courtyard game.

Ships to the browser.
"""

from collections.abc import Callable
from typing import Any

from domain.contract.game import Label, Seat
from domain.games.courtyard.board import TOWERS, parse_wares, wares, worth
from domain.games.courtyard.cards import ABILITIES, MAJORS, MINORS
from domain.games.courtyard.commands import (
    Borrow,
    Buy,
    Command,
    Discard,
    DrawOrders,
    EndTurn,
    Exchange,
    ExpandPurse,
    FillKept,
    FillOrder,
    FillPurse,
    KeepOrder,
    Move,
    Repay,
    Reroll,
    Roll,
    Sell,
    SellTwo,
    Settle,
    Share,
    SwapTwo,
    Trade,
    VisitGate,
    WidenCredit,
)
from domain.games.courtyard.events import (
    AbilityBought,
    AbilityTurnedUp,
    CourtyardLaidOut,
    CreditGrown,
    CreditWidened,
    DebtRepaid,
    EndAnnounced,
    FountainTurned,
    GameScored,
    GoodsBought,
    GoodsDiscarded,
    GoodsExchanged,
    GoodsSold,
    GoodsTraded,
    IdleExchangesBarred,
    IncomeShared,
    LastTurnsBegan,
    MajorCompleted,
    MinorCompleted,
    MinorKept,
    MinorsDrawn,
    MinorsReturned,
    MoneyBorrowed,
    MoveDieRolled,
    OrderTurnedUp,
    PlayerMoved,
    PlayerSettled,
    PurseExpanded,
    PurseFilled,
    RoundLimitReached,
    RoundLimitSet,
    ScoringDieRolled,
    ScoringMinorDrawn,
    StallRestocked,
    StorageOverfilled,
    TileReplaced,
    TileTurned,
    TurnBegan,
    TurnPassed,
)
from domain.games.courtyard.legal_commands import (
    active_player,
    is_idle,
    offered_trade,
    price,
    reachable_spaces,
)
from domain.games.courtyard.state import State

# --- choices ----------------------------------------------------------------------------------


def label(state: State, seat: Seat, command: Command) -> Label:
    """Return the label of a legal command."""
    key, args = _LABELS[type(command)](state, command)
    return Label(key, args)


Description = tuple[str, dict[str, Any]]


def _trade(state: State, command: Trade) -> Description:
    swap = offered_trade(state, active_player(state).at)
    gives = wares(tuple([n * command.times for n in swap.gives]))
    gets = wares(tuple([n * command.times for n in swap.gets]))
    return ("trade-bronze" if command.bronze else "trade"), {"gives": gives, "gets": gets}


def _sale(key: str) -> Callable[[State, Any], Description]:
    """Return a label function for sales that also names lost coins (rulings 9 and 33)."""

    def told(state: State, command: Any) -> Description:
        me, value = active_player(state), worth(parse_wares(command.goods))
        earned = min(value, me.purse - me.coins)
        args = {"goods": command.goods, "coins": earned, "lost": value - earned}
        return (key + "-lost" if value > earned else key), args

    return told


def _buy(state: State, command: Buy) -> Description:
    coins = price(active_player(state), command.good, command.units)
    return "buy", {"goods": {command.good: command.units}, "coins": coins}


def _visit(state: State, command: VisitGate) -> Description:
    if command.ability is None:
        return "turn-fountain", {}
    cost = wares(ABILITIES[command.ability].cost)
    key = "buy-ability-turn" if command.turn else "buy-ability"
    return key, {"ability": command.ability, "cost": cost}


def _fill_order(state: State, command: FillOrder) -> Description:
    card = state.towers[TOWERS.index(active_player(state).at)]
    assert card is not None
    args = {"value": MAJORS[card].value, "goods": wares(MAJORS[card].goods)}
    return ("fill-major-turn" if command.turn else "fill-major"), args


def _keep(state: State, command: KeepOrder) -> Description:
    order = MINORS[state.drawn[command.which]]
    args = {"value": order.value, "goods": wares(order.goods)}
    return ("keep-now" if command.now else "keep"), args


def _fill_kept(state: State, command: FillKept) -> Description:
    minor = active_player(state).minor
    assert minor is not None
    return "fill-minor", {"value": MINORS[minor].value, "goods": wares(MINORS[minor].goods)}


def _share(state: State, command: Share) -> Description:
    rest = state.income - command.repay - command.save
    return "share", {"repay": command.repay, "save": command.save, "rest": rest}


_LABELS: dict[type, Callable[[State, Any], Description]] = {
    Settle: lambda s, c: ("settle", {"place": c.gate, "good": c.good}),
    Roll: lambda s, c: ("roll", {}),
    Reroll: lambda s, c: ("reroll", {}),
    Move: lambda s, c: ("move", {"place": c.to, "steps": reachable_spaces(s).get(c.to, 0)}),
    EndTurn: lambda s, c: ("end-turn", {}),
    Borrow: lambda s, c: ("borrow", {"coins": c.coins}),
    Buy: _buy,
    Trade: _trade,
    Sell: _sale("sell"),
    Exchange: lambda s, c: ("exchange", {"goods": c.goods}),
    VisitGate: _visit,
    FillOrder: _fill_order,
    DrawOrders: lambda s, c: ("draw-minors", {}),
    KeepOrder: _keep,
    Share: _share,
    Discard: lambda s, c: ("discard", {"goods": c.goods}),
    FillKept: _fill_kept,
    Repay: lambda s, c: ("repay", {"coins": c.coins}),
    ExpandPurse: lambda s, c: ("expand", {"good": c.good}),
    FillPurse: lambda s, c: ("fill-purse", {"good": c.good}),
    WidenCredit: lambda s, c: ("widen", {"good": c.good}),
    SwapTwo: lambda s, c: ("swap-two", {"goods": c.goods}),
    SellTwo: _sale("sell-two"),
}


# --- events -----------------------------------------------------------------------------------


def tell(event: Any) -> Description:
    """Return the description of an event, redacted or not: a message id and its arguments."""
    return _TELLERS[type(event)](event)


def _order(card: int) -> dict[str, Any]:
    return {"value": MAJORS[card].value, "goods": wares(MAJORS[card].goods)}


def _small_order(card: int) -> dict[str, Any]:
    return {"value": MINORS[card].value, "goods": wares(MINORS[card].goods)}


def _minors(key: str) -> Callable[[Any], Description]:
    """Return a description function for drawn or returned minor orders, which may be redacted."""

    def told(event: Any) -> Description:
        if event.cards is None:
            return key + "-hidden", {"who": event.seat}
        orders = [{"key": "order", "args": _small_order(card)} for card in event.cards]
        return (key if orders else key + "-none"), {"who": event.seat, "orders": orders}

    return told


def _sold(event: GoodsSold) -> Description:
    args = {"who": event.seat, "goods": event.goods, "coins": event.earned, "lost": event.lost}
    return ("sold-lost" if event.lost else "sold"), args


def _rolled(event: MoveDieRolled) -> Description:
    return ("rolled-again" if event.again else "rolled"), {"who": event.seat, "n": event.result}


def _shared(event: IncomeShared) -> Description:
    args = {"repaid": event.repaid, "saved": event.saved, "gained": event.gained}
    return "shared", {"who": event.seat, **args}


def _of_seat(key: str, **fields: str) -> Callable[[Any], Description]:
    """Return a description function whose arguments are the event's seat and some of its fields.

    ``fields``: the event's field for each argument.
    """

    def told(event: Any) -> Description:
        args = {name: getattr(event, field) for name, field in fields.items()}
        return key, {"who": event.seat, **args}

    return told


_TELLERS: dict[type, Callable[[Any], Description]] = {
    CourtyardLaidOut: lambda e: ("laid-out", {"starter": e.starter}),
    IdleExchangesBarred: lambda e: ("idle-barred", {}),
    RoundLimitSet: lambda e: ("round-limit", {"rounds": e.rounds}),
    PlayerSettled: _of_seat("settled", place="gate", good="good"),
    TurnBegan: _of_seat("turn-began"),
    TurnPassed: _of_seat("turn-passed"),
    MoveDieRolled: _rolled,
    PlayerMoved: _of_seat("moved", place="to"),
    MoneyBorrowed: _of_seat("borrowed", coins="coins"),
    DebtRepaid: _of_seat("repaid", coins="coins"),
    GoodsBought: lambda e: (
        "bought",
        {"who": e.seat, "goods": {e.good: e.units}, "coins": e.paid},
    ),
    StallRestocked: lambda e: ("restocked", {"good": e.good}),
    GoodsTraded: _of_seat("traded", gave="gave", got="got"),
    TileTurned: lambda e: ("tile-turned", {"place": e.area}),
    TileReplaced: lambda e: ("tile-replaced", {"place": e.area}),
    GoodsSold: _sold,
    GoodsExchanged: _of_seat("exchanged", gave="gave", got="got"),
    StorageOverfilled: _of_seat("overfilled", n="excess"),
    GoodsDiscarded: _of_seat("discarded", goods="goods"),
    PurseExpanded: _of_seat("expanded", good="good"),
    PurseFilled: _of_seat("filled", good="good"),
    CreditWidened: _of_seat("widened", good="good"),
    AbilityBought: _of_seat("ability-bought", ability="ability"),
    AbilityTurnedUp: lambda e: ("ability-up", {"ability": e.ability}),
    FountainTurned: lambda e: ("fountain-" + e.why, {"who": e.seat}),
    MajorCompleted: lambda e: (
        "major-completed",
        {"who": e.seat, "income": e.income, **_order(e.card)},
    ),
    OrderTurnedUp: lambda e: ("order-up", {"place": e.tower, **_order(e.card)}),
    MinorsDrawn: _minors("minors-drawn"),
    MinorKept: lambda e: ("minor-kept", {"who": e.seat, **_small_order(e.card)}),
    MinorsReturned: _minors("minors-returned"),
    MinorCompleted: lambda e: (
        "minor-completed",
        {"who": e.seat, "income": e.income, **_small_order(e.card)},
    ),
    IncomeShared: _shared,
    CreditGrown: _of_seat("credit-grown"),
    LastTurnsBegan: _of_seat("final-round"),
    EndAnnounced: lambda e: ("end-announced", {"rounds": e.rounds}),
    RoundLimitReached: lambda e: ("limit-reached", {"rounds": e.rounds}),
    ScoringDieRolled: _of_seat("scoring-die", n="result"),
    ScoringMinorDrawn: lambda e: (
        "scoring-minor",
        {"who": e.seat, **_small_order(e.card)},
    ),
    GameScored: lambda e: ("scored", {}),
}


# --- refusals ---------------------------------------------------------------------------------


def refusal(state: State, command: Any) -> tuple[str, str]:
    """Return why a command is illegal: a code and a message."""
    if _STEPS.get(type(command), "turn") != state.step:
        return "wrong_step", "no-" + state.step
    if state.step != "turn":
        return "wrong_amount", "no-" + state.step
    if isinstance(command, Exchange | SwapTwo) and is_idle(state, command.goods):
        return "idle_exchange", "idle-barred"
    code = _REFUSALS[type(command)]
    return code.replace("-", "_"), "no-" + code


_STEPS: dict[type, str] = {
    Settle: "start",
    Discard: "discard",
    Share: "income",
    KeepOrder: "minor",
}
"""Steps of the commands that do not belong to the step "turn"."""
_REFUSALS: dict[type, str] = {
    Roll: "roll",
    Reroll: "roll",
    Move: "reach",
    EndTurn: "end",
    Borrow: "loan",
    Buy: "purchase",
    Trade: "trade",
    Sell: "sale",
    Exchange: "exchange",
    VisitGate: "gate",
    FillOrder: "order",
    DrawOrders: "draw",
    FillKept: "order",
    Repay: "repayment",
    ExpandPurse: "room",
    FillPurse: "room",
    WidenCredit: "room",
    SwapTwo: "ability",
    SellTwo: "ability",
}
