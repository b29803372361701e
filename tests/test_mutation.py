"""Mutants change code in functions, are valid Python and do not depend on the tests."""

import ast

import pytest

from tests import mutants
from tests.mutants import ROOT, choose_mutants, find_mutants

SAMPLE = '''
LIMIT = 3
def begin(count: "Literal[3]" = 3) -> None:
    """Say 3 < 4."""
    if count < 3 and not LIMIT:
        raise ValueError(f"ä {count == 4}")
    begin.count = "ä" in "SELECT 3 WHERE 4 < 5"
    return count
'''


def test_mutants_change_code_in_functions() -> None:
    found = find_mutants("sample.py", SAMPLE)
    assert [(mutant.line, mutant.before, mutant.after) for mutant in found] == [
        (5, "count < 3 and not LIMIT", "(count < 3 or not LIMIT)"),
        (5, "count < 3", "(count <= 3)"),
        (5, "3", "4"),
        (5, "not LIMIT", "(LIMIT)"),
        (6, 'raise ValueError(f"ä {count == 4}")', "pass"),
        (7, 'begin.count = "ä" in "SELECT 3 WHERE 4 < 5"', "pass"),
        (7, '"ä" in "SELECT 3 WHERE 4 < 5"', "('ä' not in 'SELECT 3 WHERE 4 < 5')"),
        (8, "return count", "return None"),
    ]


def test_chosen_mutants_are_valid_and_the_same_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutants, "SHARES", {"domain/text": 60, "projections": 40})
    chosen = choose_mutants(50, seed=1)
    assert choose_mutants(100, seed=1)[:50] == chosen
    assert sum(mutant.file.startswith("projections/") for mutant in chosen) == 20
    for mutant in chosen:
        code = (ROOT / mutant.file).read_bytes()
        ast.parse(code[: mutant.start] + mutant.after.encode() + code[mutant.end :])
