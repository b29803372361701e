"""Characters allowed in names and messages.

Joiners stay only where they shape text; the committed sets of characters; truncation of texts.
"""

import unicodedata

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from domain.drawing.scene import seat_letters
from domain.games.conquest.maps import name_flaws
from domain.text.joiners import first_characters, is_mark, truncate
from domain.text.printable import is_printable
from domain.text.text_rules import MAX_MESSAGE_CHARS, is_message, is_name, sanitize
from frontend import characters as generator
from service.matches.confusable_names import disambiguated, skeleton

ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
SHRUG = "\U0001f937\U0001f3fd\u200d\u2642\ufe0f"
NEEDED = {
    "shrug": "\U0001f937\u200d\u2642\ufe0f",
    "shrug with a skin": SHRUG,
    "family": FAMILY,
    "rainbow flag": "\U0001f3f3\ufe0f\u200d\U0001f308",
    "eye": "\U0001f441\ufe0f\u200d\U0001f5e8\ufe0f",
    "burning heart": "Bob \u2764\ufe0f\u200d\U0001f525",
    "England": ENGLAND,
    "Sinhala": "\u0dc1\u0dca\u200d\u0dbb\u0dd3 \u0dbd\u0d82\u0d9a\u0dcf",
    "Persian": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "Persian plural": "\u06a9\u062a\u0627\u0628\u200c\u0647\u0627",
    "Bengali ra and ya": "\u09b0\u200d\u09cd\u09af\u09be\u09ac",
    "Nepali": "\u0936\u094d\u0930\u0940\u092e\u093e\u0928\u094d\u200c\u0915\u094b",
    "Malayalam": "\u0d05\u0d35\u0d28\u0d4d\u200d",
    "Unicode 17": "\U0001fac8",
}
SHAPES_NOTHING = {
    "A\u200dnn": "Ann",
    "Ann\u200c": "Ann",
    "\u200dAnn": "Ann",
    "\U0001f42a\u200d": "\U0001f42a",
    "\U0001f937\u200d\u200d\u2642": "\U0001f937\u2642",
    "Ann\U000e0067\U000e007f": "Ann",
    "\U0001f3f4\U000e0067\U000e0062": "\U0001f3f4",
    ENGLAND[:-1]: "\U0001f3f4",
    "\U0001f42a\U000e0061\U000e007f": "\U0001f42a",
    "\u0646\u200c": "\u0646",
    "\u062f\u200c\u0631": "\u062f\u0631",
    "e\u200d\u0301": "\xe9",
    "\u0915\u094d\u200c": "\u0915\u094d",
    "A\u094d\u200d": "A\u094d",
    "\u202eAnn\u2066\u200f": "Ann",
}


@pytest.mark.parametrize("text", NEEDED.values(), ids=NEEDED)
def test_joiners_that_shape_something_stay(text: str) -> None:
    assert sanitize(text) == unicodedata.normalize("NFC", text)
    assert is_name(sanitize(text))
    assert is_printable(text)
    assert name_flaws(text) == []


@pytest.mark.parametrize(("text", "kept"), SHAPES_NOTHING.items(), ids=ascii)
def test_joiners_that_shape_nothing_go(text: str, kept: str) -> None:
    assert sanitize(text) == kept
    assert not is_name(text)
    assert not is_printable(text) or text == "e\u0301"
    assert name_flaws(text)


def test_joiners_do_not_allow_stacked_marks() -> None:
    tower = "\u0dc1" + "\u0dca\u200d" * 30
    assert len(sanitize(tower)) < 10


def was_clean(text: str) -> bool:
    """The rule before joiners were allowed."""
    hidden = {*"\u034f\u115f\u1160\u2800\u3164\uffa0", *map(chr, range(0xFE00, 0xFE0E))}
    seen = [c for c in text if c not in hidden and unicodedata.category(c)[0] != "C"]
    stack, towers = 4, False
    for c in text:
        stack = stack + 1 if unicodedata.category(c) in ("Mn", "Me") else 4 if c == " " else 0
        towers = towers or (stack > 4 and c != " ")
    spaces = any(c.isspace() and c != " " for c in text)
    normal = unicodedata.normalize("NFC", text) == text == text.strip()
    return normal and "".join(seen) == text and not towers and not spaces


@pytest.mark.slow
@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=12))
def test_what_was_accepted_stays_accepted(text: str) -> None:
    if was_clean(text) and not set(text) & {"\u17b4", "\u17b5", "\U00016fe4", "\U0001d159"}:
        mongolian = any("\u180b" <= c <= "\u180f" for c in text)
        ideographic = any("\U000e0100" <= c <= "\U000e01ef" for c in text)
        assert mongolian or ideographic or is_message(text), ascii(text)
    if text.isprintable():
        assert is_printable(text)


def test_no_character_of_older_unicode_becomes_hidden_or_a_mark() -> None:
    """So the committed sets accept everything an older Python accepted."""
    for code in range(0x110000):
        kind = unicodedata.category(chr(code))
        if kind[0] != "C":
            assert is_printable(chr(code)) or chr(code).isspace(), hex(code)
            if kind not in ("Mn", "Me"):
                assert not is_mark(chr(code)), hex(code)


def test_committed_sets_are_those_of_the_generator() -> None:
    if regex.__version__ != generator.REGEX_VERSION:
        pytest.skip(
            f"Unicode {generator.UNICODE_VERSION} is known of regex {generator.REGEX_VERSION}"
        )
    for name, source in generator.modules().items():
        assert (generator.TEXT / name).read_text() == source
    assert sum(map(len, generator.modules().values())) < 12_000


def test_text_is_cut_between_characters() -> None:
    assert truncate("Ann", 3) == "Ann"
    assert truncate(f"ab{FAMILY}", 5) == "ab"
    assert truncate(f"ab{SHRUG}c", 7) == f"ab{SHRUG}"
    assert truncate("x\u0301" * 5, 5) == "x\u0301" * 2
    assert truncate("\U0001f1eb\U0001f1f7\U0001f1e9\U0001f1ea", 3) == "\U0001f1eb\U0001f1f7"
    assert truncate("x" + "\u0301" * 20, 5) == "x" + "\u0301" * 4  # it alone is too long
    assert first_characters(f"{ENGLAND}{SHRUG}", 1) == ENGLAND
    assert seat_letters([SHRUG, "Ann"]) == (SHRUG, "A")


PARTS = f"a {FAMILY}{SHRUG}{ENGLAND}\u0301\u0dc1\u0dca\U0001f1eb"


@given(st.text(st.sampled_from(PARTS), max_size=20))
def test_truncated_text_stays_visible(text: str) -> None:
    seen = sanitize(text)
    for most in range(1, 20):
        short = truncate(seen, most).rstrip()
        assert len(short) <= most
        assert seen.startswith(short)
    assert is_message(seen) or not seen
    assert len(seen) <= MAX_MESSAGE_CHARS


def test_names_that_differ_by_joiners_only_are_told_apart() -> None:
    assert skeleton(FAMILY) == skeleton(FAMILY.replace("\u200d", ""))
    assert disambiguated(FAMILY.replace("\u200d", ""), [FAMILY]).endswith(" 2")
    persian = NEEDED["Persian"]
    assert disambiguated(persian.replace("\u200c", ""), [persian]).endswith(" 2")
    long = disambiguated(SHRUG * 8, [SHRUG * 8])
    assert is_name(long)
    assert long == f"{SHRUG * 7} 2"
