"""How far camels go in a round. Ships to the browser."""


def advances(bids: list[int | None]) -> tuple[int, ...]:
    """Steps of each camel: as many as camels race, less one for each higher bid.

    So equal bids share the better rank and the ranks below them stay empty (rulebook,
    "Avancée des chameaux"; rulings 7 and 8). None is a camel at rest: 0 steps.
    """
    racing = [bid for bid in bids if bid is not None]
    return tuple(
        0 if mine is None else len(racing) - len([bid for bid in racing if bid > mine])
        for mine in bids
    )
