"""Movement of camels in a round. Ships to the browser."""


def advances(bids: list[int | None]) -> tuple[int, ...]:
    """Return the steps of each camel: the number of racing camels minus the number of higher bids.

    Equal bids share the better rank, and the ranks below them stay empty (rulebook, "Avancée des
    chameaux"; rulings 7 and 8). A bid of None is a camel at rest: 0 steps.
    """
    racing = [bid for bid in bids if bid is not None]
    return tuple(
        0 if mine is None else len(racing) - len([bid for bid in racing if bid > mine])
        for mine in bids
    )
