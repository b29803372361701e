"""Localised sentences of games: placeholders, plurals, lists, numbers, forms of words."""

import pytest

from domain.text.i18n import ENGLISH, Language, Plural, Sentence, format_message

TEXT: dict[str, Sentence] = {
    "gave": "{giver:seat} gave {who} to {whom:seat}",
    "took": Plural("{who:seat} took {n} good", "{who:seat} took {n} goods"),
    "sold": "sold {goods:goods}",
    "goods-silk": Plural("{n} bale of silk", "{n} bales of silk"),
    "goods-salt": "{n} salt",
    "goods-none": "nothing",
    "piece": "a {colour:colour} piece",
    "colour-white": "white",
    "either": "{sizes:or}",
    "offer": "from {place}",
    "home": "home {number}",
}
NAMES = ("Ada", "Ben")
# Three forms, as in Polish: 1; 2-4 but not 12-14; all others.
FORMS = "".join(
    "0" if n == 1 else "1" if n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14) else "2"
    for n in range(200)
)
OTHER = Language(
    "xx",
    {
        "forms": FORMS,
        "joins": {"unit": (", ", ", ", ", "), "and": (" i ", ", ", " i "), "or": ("/", "/", "/")},
        "marks": (" ", ","),
        "rooms": {
            "game": {
                "{who:seat} took {n} good": ["{n} towar: {who:seat}", "{n} towary", "{n} towarów"],
                "{n} bale of silk": ["{n} bela", "{n} bele", "{n} bel"],
                "a {colour:colour} piece": "une pièce {colour:colour/f}",
                "white": "blanc|f=blanche",
            }
        },
    },
)


def test_a_seat_is_shown_by_its_name() -> None:
    """Whatever the name; text that looks like a player's name elsewhere is a number here."""
    args = {"giver": 1, "who": 1, "whom": 0}
    assert format_message(TEXT, "gave", args, NAMES) == "Ben gave 1 to Ada"


def test_name_is_never_treated_as_a_message() -> None:
    args = {"giver": 0, "who": 7, "whom": 1}
    assert (
        format_message(TEXT, "gave", args, ("{who}", "{whom:seat}"))
        == "{who} gave 7 to {whom:seat}"
    )


@pytest.mark.parametrize(
    ("n", "english", "other"),
    [
        (0, "Ada took 0 goods", "0 towarów"),
        (1, "Ada took 1 good", "1 towar: Ada"),
        (3, "Ada took 3 goods", "3 towary"),
        (13, "Ada took 13 goods", "13 towarów"),
        (22, "Ada took 22 goods", "22 towary"),
        (1_013, "Ada took 1013 goods", "1013 towarów"),
        (1_104, "Ada took 1104 goods", "1104 towary"),
    ],
)
def test_sentence_uses_the_plural_form_of_its_number(n: int, english: str, other: str) -> None:
    args = {"who": 0, "n": n}
    assert format_message(TEXT, "took", args, NAMES) == english
    assert format_message(TEXT, "took", args, NAMES, OTHER, "game") == other


def test_amounts_are_a_list_of_separate_sentences() -> None:
    assert (
        format_message(TEXT, "sold", {"goods": {"silk": 1, "salt": 2}})
        == "sold 1 bale of silk, 2 salt"
    )
    assert format_message(TEXT, "sold", {"goods": {"silk": 4}}, (), OTHER, "game") == "sold 4 bele"
    assert format_message(TEXT, "sold", {"goods": {}}) == "sold nothing"


def test_sentence_selects_a_form_of_a_word() -> None:
    assert format_message(TEXT, "piece", {"colour": "white"}) == "a white piece"
    assert (
        format_message(TEXT, "piece", {"colour": "white"}, (), OTHER, "game") == "une pièce blanche"
    )
    assert (
        format_message({"x": "{c:colour}", **TEXT}, "x", {"c": "white"}, (), OTHER, "game")
        == "blanc"
    )


def test_lists_are_joined_as_the_language_joins() -> None:
    assert format_message(TEXT, "either", {"sizes": (2, 3)}) == "2 or 3"
    assert format_message(TEXT, "either", {"sizes": (2, 3, 4)}) == "2, 3 or 4"
    assert format_message(TEXT, "either", {"sizes": (2, 3)}, (), OTHER) == "2/3"
    assert ENGLISH.join_list(["a", "b", "c"], "and") == "a, b and c"
    assert OTHER.join_list(["a", "b", "c"], "and") == "a, b i c"


def test_a_sentence_may_hold_another() -> None:
    args = {"place": {"key": "home", "args": {"number": 2}}}
    assert format_message(TEXT, "offer", args) == "from home 2"


def test_numbers_have_the_marks_of_the_language() -> None:
    assert ENGLISH.format_number(1_234_567) == "1,234,567"
    assert OTHER.format_number(-1234.5) == "-1 234,5"
    assert ENGLISH.format_number(999) == "999"
