"""Code shipped to the browser can run there; the build checks its imports."""

import ast

import pytest

from frontend.bundles import modules

SHIPPED = {name: each.source for name, each in modules().items() if name.startswith("domain.")}


@pytest.mark.parametrize("name", SHIPPED)
def test_integers_fit_javascript(name: str) -> None:
    """Integers stay below 2**53."""
    for node in ast.walk(ast.parse(SHIPPED[name])):
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            assert abs(node.value) < 2**53
