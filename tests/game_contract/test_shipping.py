"""Code shipped to the browser can run there; the build checks its imports."""

import ast

import pytest

from frontend.bundles import modules


@pytest.mark.slow
def test_integers_fit_javascript() -> None:
    """Integers stay below 2**53."""
    domain = {name: each for name, each in modules().items() if name.startswith("domain.")}
    assert len(domain) > 100
    too_large = [
        (name, node.lineno, node.value)
        for name, module in domain.items()
        for node in ast.walk(ast.parse(module.source))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, int)
        and abs(node.value) >= 2**53
    ]
    assert too_large == []
