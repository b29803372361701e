"""Choosing among laying moves by cells and kinds: what is still possible after some taps.

A candidate is ``(kind, path, declined, command)``: a colour and the path of a block, or "camel"
or "lying" with a path of one cell.
"""

CAMEL_COMMANDS = {"PlaceCamel": "camel", "LayCamelDown": "lying"}


def candidates(commands):
    """The laying moves among commands."""
    found = []
    for command in commands:
        name = type(command).__name__
        if name == "LayBlock":
            found.append((command.colour, command.path, command.declined, command))
        elif name in CAMEL_COMMANDS:
            found.append((CAMEL_COMMANDS[name], (command.cell,), (), command))
    return found


def narrowed(found, kind, path):
    """Those of a kind (None: any) whose path begins with ``path``."""
    count = len(path)
    return [each for each in found if kind in (None, each[0]) and each[1][:count] == path]


def kinds(found):
    """The kinds that are still possible."""
    return {each[0] for each in found}


def next_cells(found, path):
    """Cells that one more tap can add right after ``path``."""
    count = len(path)
    return {each[1][count] for each in found if len(each[1]) > count}


def far_cells(found, path):
    """Cells further along some path."""
    count = len(path)
    return {cell for each in found for cell in each[1][count:]}


def tapped(found, path, cell):
    """The path after a tap on a cell: cut back, or led on to the cell the shortest way.

    None when the cell is not on any way.
    """
    if cell in path:
        return path[: path.index(cell)]
    ways = {each[1][: each[1].index(cell) + 1] for each in found if cell in each[1]}
    return min(ways, key=len) if ways else None


def complete(found, kind, path):
    """The moves that are exactly this kind and path: several when a standing good may be used
    or not."""
    return [each for each in found if each[0] == kind and each[1] == path]


def settled(found, kind, path):
    """The one move that is left, when nothing more can be chosen."""
    if kind is None or not path:
        return None
    exact = complete(found, kind, path)
    longer = narrowed(found, kind, path)
    return exact[0] if len(exact) == 1 and len(longer) == 1 else None
