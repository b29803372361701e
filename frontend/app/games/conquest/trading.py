"""The kinds offered by the amount form: trades at a camp, and load to throw away.

Sentences with an amount have two plural forms that are the same in English: see
`domain.games.conquest.tell`.
"""

from domain.games.conquest.caravan_stats import price, speed
from domain.games.conquest.commands import Buy, Jettison, Sell
from domain.games.conquest.equipment import RESOURCES
from domain.games.conquest.market import amount_held, camp_good
from domain.games.conquest.state import State, with_more
from frontend.app.games.conquest.amounts import AmountKind
from frontend.app.games.conquest.i18n import t


def trade_kinds(state: State) -> list[AmountKind]:
    """Return the possible trades (selling, buying) at the camp of the acting seat."""
    good = camp_good(state) or ""
    player, each = state.players[state.seat], price(state, good)
    held, gold = amount_held(player, good), player.gold

    def sell_text(n: int) -> str:
        return t("amount.sell", n=n, good=good, gold=n * each)

    def buy_text(n: int) -> str:
        return t("amount.buy", n=n, good=good, gold=n * each)

    def after_sale(n: int) -> str:
        return t("amount.after_trade", gold=gold + n * each, n=held - n, good=good)

    def after_purchase(n: int) -> str:
        return after_sale(-n)

    sign = "cq-" + good
    selling = AmountKind("sell", t("group-Sell"), sign, held, sell_text, after_sale, Sell)
    most = gold // each
    buying = AmountKind("buy", t("group-Buy"), sign, most, buy_text, after_purchase, Buy)
    return [kind for kind in (selling, buying) if kind.most]


def jettison_kinds(state: State) -> list[AmountKind]:
    """Return a kind for each resource that the acting seat can throw away."""
    player = state.players[state.seat]
    return [_jettison(state, what) for what in RESOURCES if amount_held(player, what)]


def _jettison(state: State, what: str) -> AmountKind:
    player = state.players[state.seat]

    def label(n: int) -> str:
        return t("amount.drop", n=n, what=what)

    def after(n: int) -> str:
        faster = speed(with_more(player, what, -n), state.tiles[player.at], state.bonus)
        if faster == state.speed:
            return t("amount.speed_same", speed=faster)
        return t("amount.speed_change", before=state.speed, after=faster)

    def command(n: int) -> Jettison:
        return Jettison(what, n)

    most = amount_held(player, what)
    return AmountKind(what, t("effect.ware", what=what), "cq-" + what, most, label, after, command)
