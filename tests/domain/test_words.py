"""Messages of a language: placeholders, plurals, lists, numbers, forms of words, English."""

from pathlib import Path
from typing import Any

import pytest

from domain.text import english
from domain.text.english import english_messages, register_catalogue
from domain.text.i18n import ENGLISH, N_, Language, TranslatableError

ENGLISH_FORMS = "10" + "1" * 198
TEXT: dict[str, Any] = {
    "gave": "{giver:seat} gave {who} to {whom:seat}",
    "took": ["n", "{who:seat} took {n} good", "{who:seat} took {n} goods"],
    "took.you": ["n", "You took {n} good", "You took {n} goods"],
    "beaten": "{about:seat} lost {what:ware} to {who:seat}",
    "beaten.you": "You won {what:ware} from {about:seat}",
    "torn": "A bale of {owner:seat} is lost",
    "torn.you": "You lost a bale",
    "left": ["rest", "{n} of {rest} good", "{n} of {rest} goods"],
    "sold": "sold {goods:goods}",
    "goods-silk": ["n", "{n} bale of silk", "{n} bales of silk"],
    "goods-salt": "{n} salt",
    "goods-none": "nothing",
    "carries": "carries {what:ware}",
    "ware-silk": "fine silk",
    "ware-salt": "salt",
    "ware-2": "pair",
    "piece": "a {colour:colour} piece",
    "hue": "{colour:colour}",
    "colour-white": "white",
    "colour-black": "black",
    "either": "{sizes:or}",
    "both": "{sizes:and}",
    "sizes": "{sizes}",
    "players": "{seats:seat}",
    "sum": "{n:number} in all",
    "offer": "from {place}",
    "home": "home {number}",
    "plain": "Not a placeholder at all.",
}
NAMES = ("Ada", "Ben")
HERE = Language("aa", {"rooms": {"game": TEXT}, "forms": ENGLISH_FORMS})
"""A language whose messages are in English, with English grammar."""
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
        "dir": "rtl",
        "rooms": {
            "game": {
                "took": ["n", "{n} towar: {who:seat}", "{n} towary", "{n} towarów"],
                "torn": "Bela {owner:seat} stracona",
                "torn.you": "Tracisz belę",
                "sold": "sprzedaje {goods:goods}",
                "goods-silk": ["n", "{n} bela", "{n} bele", "{n} bel"],
                "goods-none": "nic",
                "piece": "une pièce {colour:colour/f}",
                "pieces": "des pièces {colour:colour/fp}",
                "hue": "{colour:colour}",
                "colour-white": "blanc|f=blanche",
                "colour-black": "noir|f=noire|fp=noires",
                "either": "{sizes:or}",
                "sum": "{n:number} razem",
                "offer": "z {place}",
                "home": "dom {number}",
            },
            "kernel": {"home": "jądro {number}"},
        },
    },
)


def said(message_id: str, language: Language = HERE, **args: Any) -> str:
    return language.format_message("game", message_id, args, NAMES)


def test_a_seat_is_shown_by_its_name() -> None:
    """Whatever the name; text that looks like a player's name elsewhere is a number here."""
    assert said("gave", giver=1, who=1, whom=0) == "Ben gave 1 to Ada"
    assert said("players", seats=(1, 0)) == "Ben, Ada"


def test_name_is_never_treated_as_a_message() -> None:
    args = {"giver": 0, "who": 7, "whom": 1}
    names = ("{who}", "{whom:seat}")
    assert HERE.format_message("game", "gave", args, names) == "{who} gave 7 to {whom:seat}"


def test_message_without_placeholders_ignores_arguments() -> None:
    assert said("plain", n=3) == "Not a placeholder at all."


def test_missing_value_is_left_out() -> None:
    assert said("offer", place=None) == "from "


@pytest.mark.parametrize(
    ("n", "english", "other"),
    [
        (0, "Ada took 0 goods", "0 towarów"),
        (1, "Ada took 1 good", "1 towar: Ada"),
        (-1, "Ada took -1 good", "-1 towar: Ada"),
        (3, "Ada took 3 goods", "3 towary"),
        (13, "Ada took 13 goods", "13 towarów"),
        (22, "Ada took 22 goods", "22 towary"),
        (1_013, "Ada took 1013 goods", "1013 towarów"),
        (1_101, "Ada took 1101 goods", "1101 towarów"),
        (1_104, "Ada took 1104 goods", "1104 towary"),
    ],
)
def test_message_uses_the_plural_form_of_its_number(n: int, english: str, other: str) -> None:
    assert said("took", who=0, n=n) == english
    assert said("took", OTHER, who=0, n=n) == other


def test_plural_form_is_selected_by_the_named_argument() -> None:
    """Not by an argument that happens to be called ``n``."""
    assert said("left", n=1, rest=2) == "1 of 2 goods"
    assert said("left", n=2, rest=1) == "2 of 1 good"
    assert HERE.translate("game", "left", {"n": 5, "rest": 1}) == "{n} of {rest} good"


def test_amounts_are_a_list_of_separate_messages() -> None:
    assert said("sold", goods={"silk": 1, "salt": 2}) == "sold 1 bale of silk, 2 salt"
    assert said("sold", OTHER, goods={"silk": 4}) == "sprzedaje 4 bele"
    assert said("sold", goods={}) == "sold nothing"
    assert said("sold", OTHER, goods={}) == "sprzedaje nic"


def test_kind_names_a_message_of_its_value() -> None:
    assert said("carries", what="silk") == "carries fine silk"
    assert said("carries", what=["silk", "salt"]) == "carries fine silk, salt"
    assert said("carries", what=2) == "carries pair"


def test_value_without_a_message_of_its_kind_is_shown_unchanged() -> None:
    assert said("carries", what="ivory") == "carries ivory"


def test_message_selects_a_form_of_a_word() -> None:
    assert said("piece", colour="white") == "a white piece"
    assert said("piece", OTHER, colour="white") == "une pièce blanche"
    assert said("piece", OTHER, colour="black") == "une pièce noire"
    assert said("pieces", OTHER, colour="black") == "des pièces noires"
    assert said("pieces", OTHER, colour=["black", "white"]) == "des pièces noires, blanc"
    assert said("hue", OTHER, colour="white") == "blanc"


def test_lists_are_joined_as_the_language_joins() -> None:
    assert said("either", sizes=(2, 3)) == "2 or 3"
    assert said("either", sizes=(2, 3, 4)) == "2, 3 or 4"
    assert said("either", sizes=[2]) == "2"
    assert said("either", OTHER, sizes=(2, 3)) == "2/3"
    assert said("both", sizes=(2, 3, 4)) == "2, 3 and 4"
    assert said("sizes", sizes=(2, 3, 4)) == "2, 3, 4"
    assert ENGLISH.join_list([]) == ""
    assert ENGLISH.join_list(["a", "b", "c"], "and") == "a, b and c"
    assert OTHER.join_list(["a", "b", "c"], "and") == "a, b i c"


def test_a_message_may_hold_another() -> None:
    assert said("offer", place={"key": "home", "args": {"number": 2}}) == "from home 2"
    deep = {"key": "offer", "args": {"place": {"key": "home", "args": {"number": 3}}}}
    assert said("offer", place=deep) == "from from home 3"


def test_nested_message_may_be_of_another_text_domain() -> None:
    home = {"key": "home", "args": {"number": 2}}
    assert said("offer", OTHER, place=home) == "z dom 2"
    assert said("offer", OTHER, place={**home, "room": "kernel"}) == "z jądro 2"


def test_numbers_have_the_marks_of_the_language() -> None:
    assert ENGLISH.format_number(1_234_567) == "1,234,567"
    assert OTHER.format_number(-1234.5) == "-1 234,5"
    assert ENGLISH.format_number(999) == "999"
    assert said("sum", n=1_234) == "1,234 in all"
    assert said("sum", OTHER, n=1_234) == "1 234 razem"


def test_direction_of_the_script() -> None:
    assert (ENGLISH.dir, OTHER.dir) == ("ltr", "rtl")


def test_marked_id_is_unchanged() -> None:
    assert N_("undo.ask_turn") == "undo.ask_turn"


# --- messages addressed to the player they are about ----------------------------------------------


def addressed(message_id: str, reader: int, language: Language = HERE, **args: Any) -> str | None:
    return language.address_message("game", message_id, args, NAMES, reader)


def test_message_is_addressed_to_the_only_seat_in_it() -> None:
    """Whatever its name in the message."""
    assert addressed("torn", 1, owner=1) == "You lost a bale"
    assert addressed("torn", 0, owner=1) is None
    assert addressed("torn", 0, owner=0) == "You lost a bale"
    assert said("torn", owner=1) == "A bale of Ben is lost"


def test_message_with_several_seats_is_addressed_to_who_does_it() -> None:
    """Even if another seat comes first; that one is shown by its name."""
    args = {"who": 1, "about": 0, "what": "silk"}
    assert addressed("beaten", 1, **args) == "You won fine silk from Ada"
    assert addressed("beaten", 0, **args) is None
    assert said("beaten", **args) == "Ada lost fine silk to Ben"


def test_addressed_message_has_plural_forms() -> None:
    assert addressed("took", 0, who=0, n=1) == "You took 1 good"
    assert addressed("took", 0, who=0, n=3) == "You took 3 goods"
    assert addressed("took", 1, who=0, n=3) is None


def test_message_about_nobody_is_not_addressed() -> None:
    assert addressed("plain", 0) is None
    assert addressed("gave", 1, giver=1, who=1, whom=0) is None, "it has no addressed sentence"
    assert addressed("no.such_message", 0, who=0) is None


def test_message_about_several_players_is_not_addressed() -> None:
    assert addressed("torn", 0, owner=[0, 1]) is None
    assert addressed("torn", 0, owner=None) is None


def test_message_is_addressed_in_the_language_of_the_reader() -> None:
    assert addressed("torn", 1, OTHER, owner=1) == "Tracisz belę"
    assert addressed("torn", 0, OTHER, owner=1) is None


def test_addressed_message_that_a_language_lacks_is_english() -> None:
    args = {"who": 1, "about": 0}
    for language in (ENGLISH, OTHER):
        assert language.address_message("kernel", "taken", args, NAMES, 1) == "You joined."
        assert language.address_message("kernel", "taken", args, NAMES, 0) is None
        asked = language.address_message("kernel", "recovery-asked", args, NAMES, 1)
        assert asked == "You asked the others to let Ada back in on another device."


# --- messages that a language lacks --------------------------------------------------------------


def test_unknown_id_is_returned_unchanged() -> None:
    for language in (ENGLISH, OTHER):
        assert language.find_message("game", "no.such_message") is None
        assert language.find_message("no-such-domain", "home") is None
        assert language.translate("game", "no.such_message", {}) == "no.such_message"
        assert language.format_message("kernel", "no.such_message", {"n": 1}) == "no.such_message"
    assert said("offer", place={"key": "no.such_message", "args": {}}) == "from no.such_message"


def test_message_that_a_language_lacks_is_english() -> None:
    args = {"who": 1}
    assert OTHER.find_message("kernel", "taken") == english_messages("kernel")["taken"]
    assert OTHER.format_message("kernel", "taken", args, NAMES) == "Ben joined."
    assert OTHER.format_message("kernel", "home", {"number": 1}) == "jądro 1"
    assert OTHER.find_message("conquest", "ware-silk") == "silk"


@pytest.mark.parametrize(("n", "shown"), [(1, "1 step"), (3, "3 steps"), (5, "5 steps")])
def test_message_that_a_language_lacks_has_the_plural_forms_of_english(n: int, shown: str) -> None:
    """The language may have more or other forms: here three, French with the singular for 0."""
    args = {"who": 0, "steps": n}
    assert ENGLISH.format_message("conquest", "turn", args, NAMES) == f"Ada has {shown}."
    assert OTHER.format_message("conquest", "turn", args, NAMES) == f"Ada has {shown}."
    french = Language("fr", {"forms": "00" + "1" * 198})
    assert french.format_message("conquest", "turn", args, NAMES) == f"Ada has {shown}."
    none = {"who": 0, "steps": 0}
    assert french.format_message("conquest", "turn", none, NAMES) == "Ada has 0 steps."


def test_catalogues_can_be_added_later() -> None:
    language = Language("xx", {"forms": FORMS, "rooms": {"kernel": {"taken": "zajęte"}}})
    assert language.format_message("conquest", "ware-silk", {}) == "silk"
    language.add_catalogues({"conquest": {"ware-silk": "jedwab"}})
    assert language.format_message("conquest", "ware-silk", {}) == "jedwab"
    assert language.format_message("kernel", "taken", {}) == "zajęte"


def test_registered_folder_is_read_even_if_its_domain_was_asked_for_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(english, "_folders", {**english._folders})
    assert ENGLISH.find_message("newcomer", "home") is None
    (tmp_path / "en.po").write_text('msgid "home"\nmsgstr "home {number}"\n', encoding="utf-8")
    register_catalogue("newcomer", tmp_path)
    assert ENGLISH.format_message("newcomer", "home", {"number": 4}) == "home 4"
    english_messages.cache_clear()


# --- errors --------------------------------------------------------------------------------------


class Fault(TranslatableError):
    text_domain = "kernel"


def test_error_has_its_reason_in_every_language() -> None:
    fault = Fault("error.no_such_version", last=7)
    assert (fault.message_id, fault.message_args) == ("error.no_such_version", {"last": 7})
    assert fault.detail == str(fault) == "Valid versions: 1 to 7."
    french = Language("fr", {"rooms": {"kernel": {"error.no_such_version": "de 1 à {last}"}}})
    assert fault.translate(french) == "de 1 à 7"


def test_error_gets_its_text_domain_from_who_knows_it() -> None:
    """The rules of a game do not name theirs."""
    fault = TranslatableError("ware-silk")
    assert (fault.detail, fault.message_args) == ("ware-silk", {})
    fault.text_domain = "conquest"
    assert fault.detail == "silk"
