"""Bots of Caravansérail, which use only their seat's information state and collect their card.

Caravans carry wares that the bot can spare to other places, trade them for wares it still needs,
and bring those home. In the business phase a bot answers every offer, makes at most a few offers,
and then listens (or is done if it cannot trade with anyone), so that the phase always ends. The
longer a game lasts, the more often a bot is restless: it then also gives away wares of its card, so
that deadlocks resolve and games between bots end. "easy" bots send caravans to random places and
ask for up to as much as they give; "good" bots gather at common meeting places and ask for one
token.
"""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from domain.contract.bots import Thinking
from domain.contract.choice_groups import expand_range
from domain.contract.game import AmountRange, Draw, Group, Seat, pick_any
from domain.games.caravanserail import commands
from domain.games.caravanserail.board import BOARDS, Board, trail_of
from domain.games.caravanserail.information_state import Observation, Rival, determinise, observe
from domain.games.caravanserail.state import Offer, Sheikh, minus, plus, size, wares_in

MAX_OFFERS = 2
"""Maximum number of offers that a bot makes in a business phase."""
MAX_LOADED = 4
"""Maximum number of tokens that a bot loads onto a caravan."""
MARKET_TURNS = 5
"""Number of turns after which good bots change their meeting place."""
RESERVED_TOKENS = 2
"""A bot with at most this many tokens more than its card requires avoids paying for lodging."""
FIRST_IDLE_TURN = 2
"""First turn in which a seat that has done nothing so far is regarded as inactive."""
RESTLESS_AFTER_TURNS = 8
"""Number of turns after which bots are sometimes restless."""


class Bot(Struct, frozen=True):
    """A bot that is to choose a command.

    ``seen``: its information state; ``options``: its legal commands and ranges by type; ``good``:
    whether its level is not "easy".
    """

    seen: Observation
    seat: Seat
    options: dict[str, tuple[Any, ...]]
    draw: Draw
    good: bool

    @property
    def mine(self) -> Sheikh:
        return self.seen.mine

    @property
    def board(self) -> Board:
        return BOARDS[len(self.seen.rivals) + 1]

    def restless(self) -> bool:
        """Return at random whether to be restless now, more often the longer the game lasts."""
        late = self.seen.public.turn - RESTLESS_AFTER_TURNS
        return late > 0 and self.draw(8) < min(4, 1 + late // RESTLESS_AFTER_TURNS)


def suggest(
    seen: Observation, seat: Seat, groups: tuple[Group, ...], thinking: Thinking
) -> commands.Command:
    """Return the command that the bot chooses."""
    options = {group.type: group.options for group in groups}
    bot = Bot(seen, seat, options, thinking.draw, thinking.level != "easy")
    for kind, choose in _CHOOSERS.items():
        if kind in options:
            command: commands.Command = choose(bot, options[kind])
            return command
    deal: commands.Command = _choose_trade(bot)
    return deal


# --- values of wares --------------------------------------------------------------------------


def _tokens_held(mine: Sheikh) -> dict[str, int]:
    """Return all wares of the seat, in its treasure and on its caravans."""
    held = mine.treasure
    for load in mine.loads:
        held = plus(held, load)
    return held


def _spare_wares(mine: Sheikh, wares: commands.Wares) -> dict[str, int]:
    """Return those of the wares that the seat can spare, as it has more than its card requires."""
    held = _tokens_held(mine)
    over = {ware: held.get(ware, 0) - mine.goal.get(ware, 0) for ware in wares}
    return {ware: min(wares[ware], n) for ware, n in over.items() if n > 0}


def _missing_tokens(mine: Sheikh) -> dict[str, int]:
    """Return the wares that the seat's card still requires."""
    held = _tokens_held(mine)
    missing = {ware: n - held.get(ware, 0) for ware, n in mine.goal.items()}
    return {ware: n for ware, n in missing.items() if n > 0}


def _load_gain(mine: Sheikh, load: commands.Wares) -> int:
    """Return the number of tokens in a load that the treasure still needs for the card."""
    return sum([min(n, mine.goal[w]) for w, n in load.items() if w in mine.goal]) - sum(
        [
            max(0, min(n, mine.goal[w]) + mine.treasure.get(w, 0) - mine.goal[w])
            for w, n in load.items()
            if w in mine.goal
        ]
    )


def _value(mine: Sheikh, held: commands.Wares) -> int:
    """Return the value of wares: one per token, and four more per token that the card requires."""
    return size(held) + 4 * sum([min(n, held.get(ware, 0)) for ware, n in mine.goal.items()])


def _gain(mine: Sheikh, gets: commands.Wares, pays: commands.Wares) -> int:
    held = _tokens_held(mine)
    return _value(mine, minus(plus(held, gets), pays)) - _value(mine, held)


def _random_wares(draw: Draw, wares: commands.Wares, most: int) -> dict[str, int]:
    """Return up to ``most`` random tokens of the wares; all if there are fewer."""
    tokens = [ware for ware, n in wares.items() for _ in range(n)]
    taken: dict[str, int] = {}
    for _ in range(min(most, len(tokens))):
        taken = plus(taken, {tokens.pop(draw(len(tokens))): 1})
    return taken


# --- programme --------------------------------------------------------------------------------


def _choose_order(bot: Bot, orders: tuple[Any, ...]) -> Any:
    """Choose an order for a caravan.

    It leaves home with spare wares. It returns if it carries several wares that the card needs, has
    none to spare, or no ware is missing.
    """
    mine, draw = bot.mine, bot.draw
    caravan = orders[0].caravan
    position, load = mine.positions[caravan], mine.loads[caravan]
    if position == mine.home:
        if bot.good and not _spare_wares(mine, mine.treasure) and not bot.restless():
            return orders[0]
        return pick_any([*orders[1:]], draw) if draw(4) else orders[0]
    if _load_gain(mine, load) > 1 or not _missing_tokens(mine) or not _spare_wares(mine, load):
        return _choose_towards(bot, orders, mine.home)
    if bot.good and not bot.restless():
        return _choose_towards(bot, orders, _meeting_place(bot, caravan))
    orders = _tax_free_orders(bot, orders)
    if len(position) == 2:
        return orders[0] if draw(4) else pick_any([*orders], draw)
    return pick_any([*orders[1:]] or [*orders], draw) if draw(3) else orders[0]


def _meeting_place(bot: Bot, caravan: int) -> str:
    """Return the place at which good bots currently meet.

    It is an oasis, where no tax is due; late in the game it alternates with the home of another
    seat, whose treasure may hold what is missing.
    """
    time, late = bot.seen.public.turn // MARKET_TURNS, bot.seen.public.turn > RESTLESS_AFTER_TURNS
    homes = [rival.home for rival in bot.seen.rivals if not _is_idle(bot, rival)]
    if late and time % 2 and homes:
        return homes[(time // 2 + caravan + bot.seat) % len(homes)]
    oases = [place.letter for place in bot.board.places if place.oasis]
    return oases[time % len(oases)]


def _tax_free_orders(bot: Bot, orders: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the orders without those to a home at which the bot does not want to pay the tax.

    The homes of inactive seats are avoided, and all other homes if the bot has few tokens to spare.
    If no order is left, return all.
    """
    poor = size(_tokens_held(bot.mine)) <= size(bot.mine.goal) + RESERVED_TOKENS
    homes = [rival.home for rival in bot.seen.rivals if poor or _is_idle(bot, rival)]
    return tuple([order for order in orders if order.to not in homes]) or orders


def _is_idle(bot: Bot, rival: Rival) -> bool:
    """Return whether a seat seems inactive, so that wares given to it are lost.

    Its caravans are all at home and it has never raided.
    """
    at_home = all(position == rival.home for position in rival.positions)
    return at_home and rival.raided < 0 and bot.seen.public.turn >= FIRST_IDLE_TURN


def _choose_towards(bot: Bot, orders: tuple[Any, ...], place: str) -> Any:
    far = bot.board.distance[place]
    return min(
        _tax_free_orders(bot, orders), key=lambda order: 2 * far[order.to[-1]] - len(order.to)
    )


def _choose_raid(bot: Bot, choices: tuple[Any, ...]) -> Any:
    """Send looters to a random trail, preferably one with another seat's caravan.

    Good bots do so whenever possible, others every other time.
    """
    if len(choices) == 1 or (not bot.good and bot.draw(2)):
        return choices[0]
    busy = [trail_of(position) for rival in bot.seen.rivals for position in rival.positions]
    likely = [choice for choice in choices[1:] if choice.trail in busy]
    return pick_any(likely or [*choices[1:]], bot.draw)


def _choose_load(bot: Bot, options: tuple[Any, ...]) -> Any:
    """Load some of the wares that can be spared; the rest stays at home to trade with visitors."""
    mine, load = bot.mine, options[0]
    left = mine.treasure
    for packed in mine.packed:
        left = minus(left, packed)
    spare = _spare_wares(mine, left)
    for packed in mine.packed:
        spare = minus(spare, {w: min(n, spare.get(w, 0)) for w, n in packed.items() if w in spare})
    pool = spare or (left if bot.restless() else {})
    caravan = load.command.caravan
    return commands.Load(caravan, _random_wares(bot.draw, pool, min(MAX_LOADED, load.maximum)))


def _choose_best(bot: Bot, options: Iterable[Any]) -> Any:
    """Return the tax or the loot that is best for the seat's wares."""

    def merit(choice: commands.Command) -> int:
        match choice:
            case commands.PayTax(ware=ware):
                return _gain(bot.mine, {}, {ware: 1})
            case commands.Loot(wares=wares):
                return _gain(bot.mine, wares, {})
            case _:
                return 0

    return max([each for option in options for each in _numbers_of(option)], key=merit)


def _numbers_of(option: Any) -> list[Any]:
    return expand_range(option) if isinstance(option, AmountRange) else [option]


def _choose_any(bot: Bot, options: tuple[Any, ...]) -> Any:
    return pick_any([*options], bot.draw)


# --- business ---------------------------------------------------------------------------------


def _choose_trade(bot: Bot) -> Any:
    mine, options = bot.mine, bot.options
    if not mine.offer:
        for offerer, offer in bot.seen.offers:
            return _answer_offer(bot, offerer, offer)
        drafts = _useful_drafts(bot)
        if drafts and mine.offers < MAX_OFFERS:
            return pick_any(drafts, bot.draw)
    if "Listen" in options and (mine.offer or "Draft" in options):
        return commands.Listen()
    return commands.Done()


def _answer_offer(bot: Bot, offerer: Seat, offer: Offer) -> Any:
    accepts = commands.Accept(offerer) in bot.options.get("Accept", ())
    gain = _gain(bot.mine, offer.gives or {}, offer.asks or {}) if accepts else -1
    if accepts and (gain >= 0 or bot.restless()):
        return commands.Accept(offerer)
    return commands.Decline(offerer)


def _useful_drafts(bot: Bot) -> list[commands.Draft]:
    """Return drafts from stores with wares to spare, if any ware is missing.

    If there are none, a restless bot uses any store that holds wares.
    """
    mine = bot.mine
    if not _missing_tokens(mine):
        return []
    drafts: tuple[commands.Draft, ...] = bot.options.get("Draft", ())
    useful = [draft for draft in drafts if _spare_wares(mine, wares_in(mine, draft.mine))]
    if useful or not bot.restless():
        return useful
    return [draft for draft in drafts if wares_in(mine, draft.mine)]


def _choose_gift(bot: Bot, options: tuple[Any, ...]) -> Any:
    """Give one or two tokens that can be spared or, if there are none, any; drop an empty draft."""
    assert bot.mine.draft is not None
    there = wares_in(bot.mine, bot.mine.draft.mine)
    pool = _spare_wares(bot.mine, there) or there
    wares = _random_wares(bot.draw, pool, 1 + bot.draw(2))
    return commands.Give(wares) if wares else commands.DropDraft()


def _choose_request(bot: Bot, options: tuple[Any, ...]) -> Any:
    """Ask for missing tokens: a good bot for one, others for up to as many as the draft gives.

    Drop the draft if there is nothing to ask for.
    """
    draft = bot.mine.draft
    assert draft is not None
    wanted, given = _missing_tokens(bot.mine), draft.gives or {}
    wanted = {ware: n for ware, n in wanted.items() if ware not in given}
    most = 1 if bot.good else max(1, size(given))
    wares = _random_wares(bot.draw, wanted, min(most, options[0].maximum))
    return commands.Ask(wares) if wares else commands.DropDraft()


_CHOOSERS: dict[str, Any] = {
    "ChooseHome": _choose_any,
    "ChooseCaravan": _choose_any,
    "Order": _choose_order,
    "SendLooters": _choose_raid,
    "Load": _choose_load,
    "PayTax": _choose_best,
    "Loot": _choose_best,
    "Give": _choose_gift,
    "Ask": _choose_request,
}
"""The functions that choose a command, by command type; `_choose_trade` handles all others."""
