"""Outside the games' folders nothing names a game: no slug, event, command or option of one.

The names are collected from the games, so that new games are covered too. Single-word names
("Accept", "food") are too common to check; the product's own name is allowed.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

from domain.contract.registry import TITLES
from domain.match import commands, events

ROOT = Path(__file__).parent.parent
PRODUCT = "caravanserai"
GAMES = {path.parent.name for path in (ROOT / "domain" / "games").glob("*/rules.py")}
"""The games' folders, of games that are not offered yet too."""
PLACES = ("domain", "service", "projections", "frontend", "tests/game_contract")
TEXTS = (".js", ".css", ".html", ".svg")
COMPOUND = re.compile(r"[A-Z][a-z]+[A-Z]\w*|\w+_\w+")
WORD = re.compile(r"\w+")


@cache
def _theirs() -> dict[str, str]:
    """Return the names that belong to a game, with its slug."""
    found: dict[str, str] = {}
    shared = {each.__name__ for each in (*commands.COMMANDS, *events.EVENTS)}
    for slug, title in TITLES.items():
        rules = import_module(f"domain.games.{slug}.rules")
        names = {each.__name__ for each in (*rules.COMMANDS, *rules.EVENTS)} - shared
        names |= set(title.options.__struct_fields__)
        found |= {name: slug for name in names if COMPOUND.fullmatch(name)}
        if slug != PRODUCT:
            found[slug] = slug
    return found


def _files() -> Iterator[Path]:
    """Yield every shared file."""
    for place in PLACES:
        for path in sorted((ROOT / place).rglob("*")):
            inside = path.relative_to(ROOT).parts
            if "build" in inside or "__pycache__" in inside or set(inside[:-1]) & GAMES:
                continue
            if path.suffix in (".py", *TEXTS):
                yield path


def words(path: Path) -> set[str]:
    """Return the words of strings and identifiers in a file, without comments and docstrings."""
    text = path.read_text()
    if path.suffix != ".py":
        plain = re.sub(r"/\*.*?\*/|<!--.*?-->|(?m:^\s*//.*$)", "", text, flags=re.S)
        return set(WORD.findall(plain))
    tree = ast.parse(text)
    said = [node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)]  # docstrings
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found |= set() if node in said else set(WORD.findall(node.value))
        for field in ("id", "attr", "name", "arg", "module", "asname"):
            value = getattr(node, field, None)
            found |= set(WORD.findall(value)) if isinstance(value, str) else set()
    return found


def named(path: Path) -> set[str]:
    """Return the names of games that a file contains."""
    return words(path) & set(_theirs())


def test_no_shared_file_names_a_game() -> None:
    found = {str(path.relative_to(ROOT)): named(path) for path in _files()}
    assert len(found) > 400
    assert {path: names for path, names in found.items() if names} == {}


SAMPLE = '''
"""A docstring may say caravanserail."""
from domain.games.caravane import rules
def went(event): return event.keep_secrets or type(event) is BlockLaid or f"m/{1}/CamelAdvanced"
'''


def test_names_of_all_kinds_are_found(tmp_path: Path) -> None:
    python, style = tmp_path / "x.py", tmp_path / "x.css"
    python.write_text(SAMPLE)
    style.write_text(".caravane.open { } /* caravanserail */")
    assert named(python) == {"caravane", "keep_secrets", "BlockLaid", "CamelAdvanced"}
    assert named(style) == {"caravane"}
