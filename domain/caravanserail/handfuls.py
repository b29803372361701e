"""Ways to take some wares out of a store. Ships to the browser."""

from domain.caravanserail.state import in_order, size


def handfuls(stock: dict[str, int], most: int) -> list[dict[str, int]]:
    """Every way to take at most so many tokens, nothing included, always in the same order."""
    found: list[tuple[dict[str, int], int]] = [({}, most)]
    for ware, tokens in in_order(stock).items():
        found = [
            ({**some, ware: n} if n else some, room - n)
            for some, room in found
            for n in range(min(tokens, room) + 1)
        ]
    return [some for some, _ in found]


def is_handful(wares: dict[str, int], stock: dict[str, int], most: int) -> bool:
    """Whether `handfuls` has it."""
    amounts = [0 < n <= stock.get(ware, 0) for ware, n in wares.items()]
    return all(amounts) and size(wares) <= most
