"""Small faults of the product: one changed expression or statement in a function."""

import ast
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
SHARES = {"domain": 45, "service": 45, "projections": 10}
"""Percent of the mutants in each package."""
_OPPOSITES = (
    (ast.Lt, ast.LtE),
    (ast.Gt, ast.GtE),
    (ast.Eq, ast.NotEq),
    (ast.In, ast.NotIn),
    (ast.Is, ast.IsNot),
)
_FLIPPED = {a: b for pair in _OPPOSITES for a, b in (pair, pair[::-1])}
_NOT_CODE = ("annotation", "returns", "decorator_list", "args")


@dataclass(frozen=True)
class Mutant:
    """One change of one file; ``start`` and ``end`` are offsets in bytes."""

    file: str
    line: int
    function: str
    kind: str
    before: str
    after: str
    start: int
    end: int
    result: str = ""
    found_by: str = ""
    seconds: float = 0


def _mutations(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the kind and the new text of each change of a node."""
    match node:
        case ast.Compare(left, [op, *more], right) if type(op) in _FLIPPED:
            flipped = ast.Compare(left, [_FLIPPED[type(op)](), *more], right)
            yield "comparison", f"({ast.unparse(flipped)})"
        case ast.BoolOp(op, values):
            other = ast.And() if isinstance(op, ast.Or) else ast.Or()
            yield "boolean", f"({ast.unparse(ast.BoolOp(other, values))})"
        case ast.UnaryOp(ast.Not(), operand):
            yield "boolean", f"({ast.unparse(operand)})"
        case ast.Constant(bool(value)):
            yield "boolean", str(not value)
        case ast.Constant(int(value)):
            yield "number", str(value + 1)
        case ast.Return(value) if value and ast.unparse(value) != "None":
            yield "returned None", "return None"
        case ast.Expr(ast.Call() | ast.Await()) | ast.AugAssign() | ast.Raise():
            yield "dropped statement", "pass"
        case ast.Assign([ast.Attribute() | ast.Subscript()]):
            yield "dropped statement", "pass"


def find_mutants(file: str, text: str) -> list[Mutant]:
    """Return the mutants of a module: code in functions, without strings and annotations."""
    code, lines = text.encode(), [0]
    for line in code.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))

    def walk(node: ast.AST, function: str) -> Iterator[Mutant]:
        if isinstance(node, ast.JoinedStr):  # Python 3.11 gives wrong positions inside
            return
        if function and isinstance(node, ast.expr | ast.stmt):
            start = lines[node.lineno - 1] + node.col_offset
            end = lines[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
            before = code[start:end].decode()
            for kind, after in _mutations(node):
                yield Mutant(file, node.lineno, function, kind, before, after, start, end)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            function = node.name
        for field, value in ast.iter_fields(node):
            if field not in _NOT_CODE or isinstance(node, ast.Call):
                for each in value if isinstance(value, list) else [value]:
                    if isinstance(each, ast.AST):
                        yield from walk(each, function)

    return list(walk(ast.parse(text), ""))


def choose_mutants(count: int, seed: int) -> list[Mutant]:
    """Return mutants of all packages, by their shares."""
    chance = random.Random(seed)
    chosen: list[tuple[float, Mutant]] = []
    for package, share in SHARES.items():
        found: list[Mutant] = []
        for path in sorted((ROOT / package).rglob("*.py")):
            found += find_mutants(str(path.relative_to(ROOT)), path.read_text())
        chance.shuffle(found)
        chosen += [((n + 0.5) / share, mutant) for n, mutant in enumerate(found)]
    return [mutant for _when, mutant in sorted(chosen, key=lambda pair: pair[0])[:count]]
