"""What ships to the browser can run there. That it imports nothing else, the build sees to."""

import ast

import pytest

from frontend.bundles import modules

SHIPPED = {name: each.source for name, each in modules().items() if name.startswith("domain.")}


@pytest.mark.parametrize("name", SHIPPED)
def test_no_numbers_beyond_what_javascript_counts(name: str) -> None:
    """Whole numbers stay below 2**53."""
    for node in ast.walk(ast.parse(SHIPPED[name])):
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            assert abs(node.value) < 2**53
