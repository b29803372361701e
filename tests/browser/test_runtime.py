"""The part of the Brython runtime that ships, and the build failing for any other Brython."""

import brotli
import pytest

from frontend import brython_runtime
from frontend.strip_module import CannotShip


def test_what_only_translates_does_not_ship() -> None:
    """The compiler parts of Brython are left out; the rest is below 200 kB compressed."""
    shipped = "\n".join(brython_runtime.runtime_pieces())
    assert len(brotli.compress(shipped.encode(), quality=5)) < 200_000
    for gone in ("_PyPegen.run_parser=", "$B.js_from_root=", "Intl.DateTimeFormat", "'ACRONYM'"):
        assert gone in brython_runtime.full_runtime()
        assert gone not in shipped


@pytest.mark.parametrize(
    "mark", [*brython_runtime.UNUSED, *(cut.begin for cut in brython_runtime.EXCISIONS)]
)
def test_another_brython_stops_the_build(mark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The build fails if a marker of a removed part is missing or occurs twice."""
    known = brython_runtime.full_runtime()
    for changed in (known.replace(mark, "changed"), known + brython_runtime.FILE_SEPARATOR + mark):
        monkeypatch.setattr(brython_runtime, "full_runtime", lambda text=changed: text)
        with pytest.raises(CannotShip, match="Brython has changed"):
            brython_runtime.runtime_pieces()


def test_a_cut_that_ends_elsewhere_stops_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    """The build fails if the end marker of a removed part is missing."""
    known = brython_runtime.full_runtime()
    for cut in brython_runtime.EXCISIONS:
        if cut.end:
            changed = known.replace(cut.end, "changed")
            monkeypatch.setattr(brython_runtime, "full_runtime", lambda text=changed: text)
            with pytest.raises(CannotShip, match="Brython has changed"):
                brython_runtime.runtime_pieces()
