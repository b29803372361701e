"""Internationalisation: sentences with typed placeholders, translated when they are displayed.

Inside the program a message is a key with arguments. A *text domain* names a message catalogue: a
game's slug, "kernel", "service" or "page". It has a table ``TEXT`` from keys to English sentences,
or the English sentence is written where it is used; the sentence itself is the msgid that
translators see, with the text domain as its context. The type of a placeholder determines how its
value is formatted:

- ``{name}``: a number or string, unchanged;
- ``{name:seat}``: a seat number, shown as the seat's name;
- ``{name:number}``: a number with the language's separators for thousands and decimals;
- ``{name:and}``, ``{name:or}``: a list joined by the language's "and" or "or"; with any other type,
  or none, the items of a list are formatted by that type and separated by commas;
- ``{name:KIND}``: the sentence with the key ``KIND-value`` of the domain's table. A value
  ``{thing: n}`` becomes a list of ``KIND-thing`` with ``n``, or ``KIND-none`` if it is empty;
- with any type, a value ``{"key": ..., "args": ...}`` is a nested sentence: a key of the domain's
  table, or the sentence itself. An optional ``"room"`` names its text domain if it is another one.

A translator can give a word inflected forms, as in "blanc|f=blanche", and select one in a sentence:
``{colour:colour/f}``. Ships to the browser, where English needs no catalogue.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct


def N_(sentence: str) -> str:
    """Return a sentence unchanged; marks it for extraction where it is not yet translated."""
    return sentence


class Plural(Struct, frozen=True):
    """A sentence whose plural form depends on the number in its argument ``by``.

    English has the two forms ``one`` and ``other``.
    """

    one: str
    other: str
    by: str = "n"


Sentence: TypeAlias = str | Plural
MessageTable: TypeAlias = Mapping[str, Sentence]
"""The table of a text domain: its English sentences by key."""

_parsed_sentences: dict[str, list[tuple[str, str, str, str]]] = {}


class Language:
    """A language with its translations; sentences without a translation stay English.

    Keys of the ``catalogue``:

    - ``rooms``: the translations by text domain and English sentence; for a `Plural`, the list of
      its plural forms under its ``one``.
    - ``forms``: the index of the plural form, one digit for each number from 0 to 199; greater
      numbers use the entry of 100 + their last two digits.
    - ``joins``: for each list style "unit" (commas only), "and" and "or" three separators: between
      the items of a list of two, between those of a longer list, and before its last item.
    - ``marks``: the thousands and decimal separators; ``dir``: "ltr" or "rtl".
    """

    def __init__(self, tag: str = "en", catalogue: Mapping[str, Any] | None = None) -> None:
        known = catalogue or {}
        self.tag = tag
        self.catalogues: dict[str, dict[str, Any]] = dict(known.get("rooms", {}))
        self._forms: str = known.get("forms", "")
        self._joins: Mapping[str, Sequence[str]] = known.get("joins", _JOINS)
        self._marks: Sequence[str] = known.get("marks", (",", "."))
        self.dir: str = known.get("dir", "ltr")

    def add_catalogues(self, catalogues: Mapping[str, Any]) -> None:
        """Add message catalogues, keyed by text domain, such as a game's when it is opened."""
        self.catalogues.update(catalogues)

    def translate(self, text_domain: str, sentence: Sentence, args: Mapping[str, Any]) -> str:
        """Return the translation in the right plural form, its placeholders not yet filled."""
        known = self.catalogues.get(text_domain, {})
        if isinstance(sentence, str):
            found: str = known.get(sentence, sentence)
            return found
        number = args[sentence.by]
        forms = known.get(sentence.one)
        if forms is None:
            return sentence.one if number == 1 else sentence.other
        whole = abs(int(number))
        inflected: str = forms[int(self._forms[whole if whole < 200 else 100 + whole % 100])]
        return inflected

    def format_message(
        self,
        text_domain: str,
        sentence: Sentence,
        args: Mapping[str, Any],
        text: MessageTable | None = None,
        seat_names: Sequence[str] = (),
    ) -> str:
        """Return the translated sentence with its placeholders filled.

        ``text``: the domain's table, in which ``KIND-value`` keys and nested sentences are found;
        ``seat_names``: the names of the seats, indexed by seat.
        """
        found = self.translate(text_domain, sentence, args)
        if "{" not in found:
            return found
        parts = []
        for before, name, kind, form in _parse_cached(found):
            parts.append(before)
            if name:
                parts.append(
                    self._format_value(text_domain, text or {}, args[name], kind, form, seat_names)
                )
        return "".join(parts)

    def _format_value(
        self,
        text_domain: str,
        text: MessageTable,
        value: Any,
        kind: str,
        form: str,
        names: Sequence[str],
    ) -> str:
        if value is None:
            return ""
        if isinstance(value, dict) and "key" in value:
            key, own = value["key"], value.get("room", text_domain)
            return self.format_message(own, text.get(key, key), value["args"], text, names)
        if isinstance(value, dict):
            if not value:
                return self.format_message(text_domain, text.get(kind + "-none", ""), {})
            amounts = [
                self.format_message(
                    text_domain, text.get(f"{kind}-{thing}", "{n} " + thing), {"n": n}
                )
                for thing, n in value.items()
            ]
            return self.join_list(amounts)
        if isinstance(value, (list, tuple)):
            how, each = (kind, "") if kind in _JOINS else ("unit", kind)
            return self.join_list(
                [self._format_value(text_domain, text, v, each, form, names) for v in value], how
            )
        if kind == "seat":
            name: str = names[value]
            return name
        if kind == "number":
            return self.format_number(value)
        if kind:
            return _select_form(
                self.translate(text_domain, text.get(f"{kind}-{value}", str(value)), {}), form
            )
        return str(value)

    def join_list(self, parts: Sequence[str], style: str = "unit") -> str:
        """Join the parts: "a, b, c" for "unit", "a, b and c" for "and", "a, b or c" for "or"."""
        if len(parts) < 2:
            return "".join(parts)
        two, between, last = self._joins[style]
        if len(parts) == 2:
            return parts[0] + two + parts[1]
        return between.join(parts[:-1]) + last + parts[-1]

    def format_number(self, value: float) -> str:
        """Format a number with the language's thousands and decimal separators."""
        thousands, decimals = self._marks
        whole, point, rest = f"{abs(value)}".partition(".")
        groups: list[str] = []
        while len(whole) > 3:
            groups.insert(0, whole[-3:])
            whole = whole[:-3]
        sign = "-" if value < 0 else ""
        return sign + thousands.join([whole, *groups]) + (decimals + rest if point else "")


_JOINS = {
    "unit": (", ", ", ", ", "),
    "and": (" and ", ", ", " and "),
    "or": (" or ", ", ", " or "),
}

ENGLISH = Language()


class TranslatableError(Exception):
    """Base of errors with a translatable reason: a sentence with its arguments.

    ``text_domain``: the message catalogue of the sentence, set by the subclass or by the code that
    knows it. ``detail``: the reason in English.
    """

    text_domain = ""

    def __init__(self, sentence: Sentence, args: Mapping[str, Any] | None = None) -> None:
        self.sentence = sentence
        self.message_args: Mapping[str, Any] = args or {}
        self.detail = self.translate(ENGLISH)
        super().__init__(self.detail)

    def translate(self, language: Language, text: MessageTable | None = None) -> str:
        """Return the reason as a sentence in the given language.

        ``text``: the table of the text domain, needed only if placeholders refer to its keys.
        """
        return language.format_message(self.text_domain, self.sentence, self.message_args, text)


def format_message(
    text: MessageTable,
    key: str,
    args: Mapping[str, Any],
    seat_names: Sequence[str] = (),
    language: Language = ENGLISH,
    text_domain: str = "",
) -> str:
    """Return the translated sentence for ``key`` of the table ``text``, placeholders filled."""
    return language.format_message(text_domain, text[key], args, text, seat_names)


def _select_form(word: str, form: str) -> str:
    """Return the requested form of a word, or its base form if there is no such form."""
    first, *others = word.split("|")
    for other in others:
        name, _, inflected = other.partition("=")
        if name == form:
            return inflected
    return first


def _parse_cached(sentence: str) -> list[tuple[str, str, str, str]]:
    """Return the parsed sentence as ``(text, name, kind, form)`` entries, using a cache.

    Each entry is literal text and the placeholder after it; the last one has an empty ``name``.
    """
    known = _parsed_sentences.get(sentence)
    if known is None:
        if len(_parsed_sentences) >= 2_000:
            _parsed_sentences.clear()
        known = _parsed_sentences[sentence] = _parse_sentence(sentence)
    return known


def _parse_sentence(sentence: str) -> list[tuple[str, str, str, str]]:
    before, *holes = sentence.split("{")
    found = []
    for hole in holes:
        inside, _, after = hole.partition("}")
        name, _, kind = inside.partition(":")
        kind, _, form = kind.partition("/")
        found.append((before, name, kind, form))
        before = after
    return [*found, (before, "", "", "")]
