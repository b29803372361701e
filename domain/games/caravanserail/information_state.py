"""Information states of Caravansérail and their determinisation."""

from msgspec import Struct
from msgspec.structs import replace

from domain.contract.game import Draw, Seat
from domain.games.caravanserail.board import (
    BOARDS,
    CARAVAN_CAPACITY,
    CARAVANS_PER_SEAT,
    TREASURE,
    continuations,
)
from domain.games.caravanserail.planning import steps_taken
from domain.games.caravanserail.state import (
    HOMES,
    NO_WARES,
    Offer,
    Sheikh,
    State,
    add_wares,
    holds,
    in_order,
    minus,
    plus,
    size,
    with_sheikh,
)
from domain.games.caravanserail.trading import incoming_offers

MAX_TOKENS_MOVED = 200
"""Maximum number of tokens moved in a determinisation to avoid hidden wins."""


class Rival(Struct, frozen=True):
    """The public information about another seat.

    ``raided``: the turn in which its looters were last used; ``steps``: number of programme steps
    taken.
    """

    home: str
    positions: tuple[str, ...]
    raided: int
    done: bool
    listening: bool
    steps: int


class Observation(Struct, frozen=True):
    """The information state of a seat.

    ``mine``: everything about the seat; ``rivals``: public information about the other seats, in
    seat order; ``public``: the state without its sheikhs; ``found``: ``(ware, tokens)`` of the
    caravan that its looters have searched, or None; ``offers``: ``(offerer, offer)`` of the offers
    to it; ``talked``: whether any offer was made in this phase.
    """

    mine: Sheikh
    rivals: tuple[Rival, ...]
    public: State
    found: tuple[tuple[str, int], ...] | None
    offers: tuple[tuple[Seat, Offer], ...]
    talked: bool


def observe(state: State, seat: Seat) -> Observation:
    """Return the seat's information state."""
    return Observation(
        state.sheikhs[seat],
        tuple([_rival(sheikh) for at, sheikh in enumerate(state.sheikhs) if at != seat]),
        replace(state, sheikhs=()),
        _found_wares(state, seat),
        tuple(incoming_offers(state, seat)),
        any(sheikh.offers for sheikh in state.sheikhs),
    )


def _rival(sheikh: Sheikh) -> Rival:
    return Rival(
        sheikh.home,
        sheikh.positions,
        sheikh.raided,
        sheikh.done,
        sheikh.listening,
        steps_taken(sheikh),
    )


def _found_wares(state: State, seat: Seat) -> tuple[tuple[str, int], ...] | None:
    for victim, caravan in _list_searched_caravans(state, seat):
        return tuple(state.sheikhs[victim].loads[caravan].items())
    return None


# --- determinisation --------------------------------------------------------------------------


def determinise(seen: Observation, seat: Seat, draw: Draw) -> State:
    """Return a state consistent with an information state; hidden information is drawn at random.

    In the result the only offers of other seats are those to the seat. Tokens are moved so that
    only known winners have won.
    """
    state = replace(seen.public, sheikhs=_sheikhs(seen, seat))
    if seen.public.phase == HOMES:
        return state
    state = _with_wares(_with_cards(state, seat, draw), seen, seat, draw)
    for other, rival in _rivals(seen, seat):
        state = with_sheikh(state, other, _with_random_programme(state, other, rival, draw))
    return state


def _rivals(seen: Observation, seat: Seat) -> list[tuple[int, Rival]]:
    others = [other for other in range(len(seen.rivals) + 1) if other != seat]
    return list(zip(others, seen.rivals, strict=True))


def _sheikhs(seen: Observation, seat: Seat) -> tuple[Sheikh, ...]:
    sheikhs = [
        Sheikh(
            home=rival.home,
            positions=rival.positions,
            raided=rival.raided,
            done=rival.done,
            listening=rival.listening,
        )
        for rival in seen.rivals
    ]
    sheikhs.insert(seat, seen.mine)
    offers = dict(seen.offers)
    for other, offer in offers.items():
        sheikhs[other] = replace(sheikhs[other], offer=offer, offers=1)
    if seen.talked and not any(sheikh.offers for sheikh in sheikhs):
        # An offer has already been answered, but it is unknown whose.
        other = (seat + 1) % len(sheikhs)
        sheikhs[other] = replace(sheikhs[other], offers=1)
    return tuple(sheikhs)


def _with_cards(state: State, seat: Seat, draw: Draw) -> State:
    """Return the state with the other cards dealt to the other seats at random."""
    cards = BOARDS[len(state.sheikhs)].cards
    left = [card for card in range(len(cards)) if card + 1 != state.sheikhs[seat].card]
    for other, sheikh in enumerate(state.sheikhs):
        if other != seat:
            card = left.pop(draw(len(left)))
            goal = in_order(cards[card].goal)
            state = with_sheikh(state, other, replace(sheikh, card=card + 1, goal=goal))
    return state


def _with_wares(state: State, seen: Observation, seat: Seat, draw: Draw) -> State:
    """Return the state with all tokens distributed: known ones where they are, others at random."""
    left: dict[str, int] = {}
    for card in BOARDS[len(state.sheikhs)].cards:
        left = plus(left, card.start)
    for wares in (seen.mine.treasure, *seen.mine.loads):
        left = minus(left, wares)
    searched = _list_searched_caravans(seen.public, seat)
    known = [(other, offer.mine, offer.gives or {}) for other, offer in seen.offers]
    known += [(victim, caravan, dict(seen.found or ())) for victim, caravan in searched]
    for other, which, wares in known:
        state = add_wares(state, other, which, wares)
        left = minus(left, wares)
    tokens = _shuffle([ware for ware, count in left.items() for _ in range(count)], draw)
    for debt in seen.public.debts:  # a caravan that owes a tax carries something
        if debt.seat != seat and not state.sheikhs[debt.seat].loads[debt.caravan]:
            state = add_wares(state, debt.seat, debt.caravan, {tokens.pop(): 1})
    others = [other for other in range(len(state.sheikhs)) if other != seat]
    for token in tokens:
        other = others[draw(len(others))]
        which = _random_store(state, other, searched, draw)
        state = add_wares(state, other, which, {token: 1})
    return _without_hidden_wins(state, others, seen.public.winners)


def _list_searched_caravans(state: State, seat: Seat) -> list[tuple[int, int]]:
    """Return the ``(seat, caravan)`` that the seat's looters have searched, if any, as a list."""
    return [
        (raid.victim, raid.caravan)
        for raid in state.raids
        if raid.seat == seat and raid.victim is not None and raid.caravan is not None
    ]


def _shuffle(tokens: list[str], draw: Draw) -> list[str]:
    return [tokens.pop(draw(len(tokens))) for _ in range(len(tokens))]


def _random_store(state: State, seat: Seat, searched: list[tuple[int, int]], draw: Draw) -> int:
    """Return a random store of a seat that can hold one more token, mostly the treasure.

    Caravans at home are empty, and a searched caravan holds exactly what was found.
    """
    sheikh = state.sheikhs[seat]
    which = draw(3 * CARAVANS_PER_SEAT)
    if which >= CARAVANS_PER_SEAT or (seat, which) in searched:
        return TREASURE
    away = sheikh.positions[which] != sheikh.home
    return which if away and size(sheikh.loads[which]) < CARAVAN_CAPACITY else TREASURE


def _without_hidden_wins(state: State, others: list[int], winners: tuple[int, ...]) -> State:
    """Return the state with tokens moved away from seats that would otherwise have won unnoticed.

    At most `MAX_TOKENS_MOVED` tokens are moved.
    """
    for number in range(MAX_TOKENS_MOVED):
        for place, other in enumerate(others):
            sheikh = state.sheikhs[other]
            if other not in winners and holds(sheikh.treasure, sheikh.goal):
                ware = list(sheikh.goal)[number % len(sheikh.goal)]
                state = with_sheikh(
                    state, other, replace(sheikh, treasure=minus(sheikh.treasure, {ware: 1}))
                )
                state = add_wares(state, others[place - 1], TREASURE, {ware: 1})
                break
        else:
            return state
    return state


def _with_random_programme(state: State, seat: Seat, rival: Rival, draw: Draw) -> Sheikh:
    """Return the seat with a random programme of as many steps as it has taken.

    Orders are random; there is no raid and there are no loads.
    """
    sheikh = state.sheikhs[seat]
    board = BOARDS[len(state.sheikhs)]
    if not rival.steps:
        return sheikh
    ways = [continuations(board, position) for position in sheikh.positions]
    orders = [way[draw(len(way))] for way in ways]
    return replace(
        sheikh,
        orders=tuple(orders[: rival.steps]),
        looters="" if rival.steps > CARAVANS_PER_SEAT else None,
        packed=NO_WARES[: max(0, rival.steps - CARAVANS_PER_SEAT - 1)],
    )
