"""The modules that ship to the browser import nothing that is not there."""

import ast
from pathlib import Path

import pytest

import domain.caravanserai

FOLDER = Path(domain.caravanserai.__file__).parent
STAY = {"perft", "position", "review"}
SHIPPED = [path for path in FOLDER.glob("*.py") if path.stem not in STAY] + [
    FOLDER.parent / "hexgrid.py"
]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_imports(path: Path) -> None:
    """msgspec, shipped rooms of the domain, and names for annotations; nothing that stays."""
    for node in ast.walk(ast.parse(path.read_text())):
        assert not isinstance(node, ast.Import)
        if isinstance(node, ast.ImportFrom):
            module = str(node.module)
            assert module in ("msgspec", "msgspec.structs", "typing", "collections.abc") or (
                module in ("domain.game", "domain.hexgrid")
                or module.startswith("domain.caravanserai")
            )
            assert module.rsplit(".", 1)[-1] not in STAY


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_no_numbers_beyond_what_javascript_counts(path: Path) -> None:
    """Whole numbers stay below 2**53."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            assert abs(node.value) < 2**53
