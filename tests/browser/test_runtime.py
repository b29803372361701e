"""The part of the Brython runtime that ships, and the build failing for any other Brython."""

import brotli
import pytest

from frontend import brython_runtime, translator
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


@pytest.mark.parametrize("known", [known for known, _ in translator.TRANSLATOR_EDITS])
def test_another_translator_stops_the_build(known: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The build fails if a text of Brython's translator that it replaces is missing."""
    changed = brython_runtime.full_runtime().replace(known, "changed")
    monkeypatch.setattr(translator, "full_runtime", lambda: changed)
    with pytest.raises(CannotShip, match="Brython has changed"), translator.Translator():
        pass


def test_translation_does_not_depend_on_other_modules() -> None:
    """A change in one module leaves the scripts of the others as they are, so they stay cached."""
    source = "def count(things):\n    for one, other in things:\n        yield other\n"
    with translator.Translator() as translate:
        first = translate("one", source)
        translate("two", source * 2)
        assert translate("one", source) == first


def test_translated_code_has_no_positions() -> None:
    """Lines and columns within a function are not in the code: nothing in the page reads them."""
    source = "def add(things):\n    for each in things:\n        each.add(things[0] + 1)\n"
    with translator.Translator() as translate:
        code = translate("one", source)
        assert translate("one", source.replace("    for", "\n    for")) == code
        assert translate("one", source.replace(" + ", "  +  ")) == code
