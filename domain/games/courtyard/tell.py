"""Labels of commands, descriptions of events, and reasons for refusals of the courtyard game.

Ships to the browser.
"""

from collections.abc import Callable
from typing import Any

from domain.contract.game import Label, Seat, event_message
from domain.games.courtyard import commands, events, legal_commands
from domain.games.courtyard.board import TOWERS, parse_wares, wares, worth
from domain.games.courtyard.cards import ABILITIES, MAJORS, MINORS
from domain.games.courtyard.state import State

# --- choices ----------------------------------------------------------------------------------


def label(state: State, seat: Seat, command: commands.Command) -> Label:
    """Return the label of a legal command."""
    key, args = _LABELS[type(command)](state, command)
    return Label(key, args)


Description = tuple[str, dict[str, Any]]


def _trade(state: State, command: commands.Trade) -> Description:
    swap = legal_commands.offered_trade(state, legal_commands.active_player(state).at)
    gives = wares(tuple([n * command.times for n in swap.gives]))
    gets = wares(tuple([n * command.times for n in swap.gets]))
    return ("trade-bronze" if command.bronze else "trade"), {"gives": gives, "gets": gets}


def _sale(key: str) -> Callable[[State, Any], Description]:
    """Return a label function for sales that also names lost coins (rulings 9 and 33)."""

    def told(state: State, command: Any) -> Description:
        me, value = legal_commands.active_player(state), worth(parse_wares(command.goods))
        earned = min(value, me.purse - me.coins)
        args = {"goods": command.goods, "coins": earned, "lost": value - earned}
        return (key + "-lost" if value > earned else key), args

    return told


def _buy(state: State, command: commands.Buy) -> Description:
    coins = legal_commands.price(legal_commands.active_player(state), command.good, command.units)
    return "buy", {"goods": {command.good: command.units}, "coins": coins}


def _visit(state: State, command: commands.VisitGate) -> Description:
    if command.ability is None:
        return "turn-fountain", {}
    cost = wares(ABILITIES[command.ability].cost)
    key = "buy-ability-turn" if command.turn else "buy-ability"
    return key, {"ability": command.ability, "cost": cost}


def _order(card: int) -> dict[str, Any]:
    return {"value": MAJORS[card].value, "goods": wares(MAJORS[card].goods)}


def _small_order(card: int) -> dict[str, Any]:
    return {"value": MINORS[card].value, "goods": wares(MINORS[card].goods)}


def _fill_order(state: State, command: commands.FillOrder) -> Description:
    card = state.towers[TOWERS.index(legal_commands.active_player(state).at)]
    assert card is not None
    return ("fill-major-turn" if command.turn else "fill-major"), _order(card)


def _keep(state: State, command: commands.KeepOrder) -> Description:
    return ("keep-now" if command.now else "keep"), _small_order(state.drawn[command.which])


def _fill_kept(state: State, command: commands.FillKept) -> Description:
    minor = legal_commands.active_player(state).minor
    assert minor is not None
    return "fill-minor", _small_order(minor)


def _share(state: State, command: commands.Share) -> Description:
    rest = state.income - command.repay - command.save
    return "share", {"repay": command.repay, "save": command.save, "rest": rest}


_LABELS: dict[type, Callable[[State, Any], Description]] = {
    commands.Settle: lambda s, c: ("settle", {"place": c.gate, "good": c.good}),
    commands.Roll: lambda s, c: ("roll", {}),
    commands.Reroll: lambda s, c: ("reroll", {}),
    commands.Move: lambda s, c: (
        "move",
        {"place": c.to, "steps": legal_commands.reachable_spaces(s).get(c.to, 0)},
    ),
    commands.EndTurn: lambda s, c: ("end-turn", {}),
    commands.Borrow: lambda s, c: ("borrow", {"coins": c.coins}),
    commands.Buy: _buy,
    commands.Trade: _trade,
    commands.Sell: _sale("sell"),
    commands.Exchange: lambda s, c: ("exchange", {"goods": c.goods}),
    commands.VisitGate: _visit,
    commands.FillOrder: _fill_order,
    commands.DrawOrders: lambda s, c: ("draw-minors", {}),
    commands.KeepOrder: _keep,
    commands.Share: _share,
    commands.Discard: lambda s, c: ("discard", {"goods": c.goods}),
    commands.FillKept: _fill_kept,
    commands.Repay: lambda s, c: ("repay", {"coins": c.coins}),
    commands.ExpandPurse: lambda s, c: ("expand", {"good": c.good}),
    commands.FillPurse: lambda s, c: ("fill-purse", {"good": c.good}),
    commands.WidenCredit: lambda s, c: ("widen", {"good": c.good}),
    commands.SwapTwo: lambda s, c: ("swap-two", {"goods": c.goods}),
    commands.SellTwo: _sale("sell-two"),
}


# --- events -----------------------------------------------------------------------------------


def tell(event: Any) -> Description:
    """Return the description of an event, redacted or not: a message id and its arguments."""
    return _TELLERS[type(event)](event)


def _minors(key: str) -> Callable[[Any], Description]:
    """Return a description function for drawn or returned minor orders, which may be redacted."""

    def told(event: Any) -> Description:
        if event.cards is None:
            return key + "-hidden", {"who": event.seat}
        orders = [{"key": "order", "args": _small_order(card)} for card in event.cards]
        return (key if orders else key + "-none"), {"who": event.seat, "orders": orders}

    return told


def _sold(event: events.GoodsSold) -> Description:
    args = {"who": event.seat, "goods": event.goods, "coins": event.earned, "lost": event.lost}
    return ("sold-lost" if event.lost else "sold"), args


def _rolled(event: events.MoveDieRolled) -> Description:
    return ("rolled-again" if event.again else "rolled"), {"who": event.seat, "n": event.result}


_TELLERS: dict[type, Callable[[Any], Description]] = {
    events.CourtyardLaidOut: event_message("laid-out", starter="starter"),
    events.IdleExchangesBarred: event_message("idle-barred"),
    events.RoundLimitSet: event_message("round-limit", rounds="rounds"),
    events.PlayerSettled: event_message("settled", who="seat", place="gate", good="good"),
    events.TurnBegan: event_message("turn-began", who="seat"),
    events.TurnPassed: event_message("turn-passed", who="seat"),
    events.MoveDieRolled: _rolled,
    events.PlayerMoved: event_message("moved", who="seat", place="to"),
    events.MoneyBorrowed: event_message("borrowed", who="seat", coins="coins"),
    events.DebtRepaid: event_message("repaid", who="seat", coins="coins"),
    events.GoodsBought: lambda e: (
        "bought",
        {"who": e.seat, "goods": {e.good: e.units}, "coins": e.paid},
    ),
    events.StallRestocked: event_message("restocked", good="good"),
    events.GoodsTraded: event_message("traded", who="seat", gave="gave", got="got"),
    events.TileTurned: event_message("tile-turned", place="area"),
    events.TileReplaced: event_message("tile-replaced", place="area"),
    events.GoodsSold: _sold,
    events.GoodsExchanged: event_message("exchanged", who="seat", gave="gave", got="got"),
    events.StorageOverfilled: event_message("overfilled", who="seat", n="excess"),
    events.GoodsDiscarded: event_message("discarded", who="seat", goods="goods"),
    events.PurseExpanded: event_message("expanded", who="seat", good="good"),
    events.PurseFilled: event_message("filled", who="seat", good="good"),
    events.CreditWidened: event_message("widened", who="seat", good="good"),
    events.AbilityBought: event_message("ability-bought", who="seat", ability="ability"),
    events.AbilityTurnedUp: event_message("ability-up", ability="ability"),
    events.FountainTurned: lambda e: ("fountain-" + e.why, {"who": e.seat}),
    events.MajorCompleted: lambda e: (
        "major-completed",
        {"who": e.seat, "income": e.income, **_order(e.card)},
    ),
    events.OrderTurnedUp: lambda e: ("order-up", {"place": e.tower, **_order(e.card)}),
    events.MinorsDrawn: _minors("minors-drawn"),
    events.MinorKept: lambda e: ("minor-kept", {"who": e.seat, **_small_order(e.card)}),
    events.MinorsReturned: _minors("minors-returned"),
    events.MinorCompleted: lambda e: (
        "minor-completed",
        {"who": e.seat, "income": e.income, **_small_order(e.card)},
    ),
    events.IncomeShared: event_message(
        "shared", who="seat", repaid="repaid", saved="saved", gained="gained"
    ),
    events.CreditGrown: event_message("credit-grown", who="seat"),
    events.LastTurnsBegan: event_message("final-round", who="seat"),
    events.EndAnnounced: event_message("end-announced", rounds="rounds"),
    events.RoundLimitReached: event_message("limit-reached", rounds="rounds"),
    events.ScoringDieRolled: event_message("scoring-die", who="seat", n="result"),
    events.ScoringMinorDrawn: lambda e: ("scoring-minor", {"who": e.seat, **_small_order(e.card)}),
    events.GameScored: event_message("scored"),
}


# --- refusals ---------------------------------------------------------------------------------


def refusal(state: State, command: Any) -> tuple[str, str]:
    """Return why a command is illegal: a code and a message."""
    if _STEPS.get(type(command), "turn") != state.step:
        return "wrong_step", "no-" + state.step
    if state.step != "turn":
        return "wrong_amount", "no-" + state.step
    if isinstance(command, commands.Exchange | commands.SwapTwo) and legal_commands.is_idle(
        state, command.goods
    ):
        return "idle_exchange", "idle-barred"
    code = _REFUSALS[type(command)]
    return code.replace("-", "_"), "no-" + code


_STEPS: dict[type, str] = {
    commands.Settle: "start",
    commands.Discard: "discard",
    commands.Share: "income",
    commands.KeepOrder: "minor",
}
"""Steps of the commands that do not belong to the step "turn"."""
_REFUSALS: dict[type, str] = {
    commands.Roll: "roll",
    commands.Reroll: "roll",
    commands.Move: "reach",
    commands.EndTurn: "end",
    commands.Borrow: "loan",
    commands.Buy: "purchase",
    commands.Trade: "trade",
    commands.Sell: "sale",
    commands.Exchange: "exchange",
    commands.VisitGate: "gate",
    commands.FillOrder: "order",
    commands.DrawOrders: "draw",
    commands.FillKept: "order",
    commands.Repay: "repayment",
    commands.ExpandPurse: "room",
    commands.FillPurse: "room",
    commands.WidenCredit: "room",
    commands.SwapTwo: "ability",
    commands.SellTwo: "ability",
}
