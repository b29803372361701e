"""Internationalisation: messages with typed placeholders, translated when they are displayed.

Inside the program a message is an id with arguments. A *text domain* is a message catalogue with
all ids of a part of the program: a game's slug, "kernel", "service" or "page". Every language has
one catalogue for each text domain, English too (``po/en.po``). The type of a placeholder
determines how its value is formatted:

- ``{name}``: a number or string, unchanged;
- ``{name:seat}``: a seat number, shown as the seat's name;
- ``{name:number}``: a number with the language's separators for thousands and decimals;
- ``{name:and}``, ``{name:or}``: a list joined by the language's "and" or "or"; with any other type,
  or none, the items of a list are formatted by that type and separated by commas;
- ``{name:KIND}``: the message ``KIND-value`` of the same text domain. A value ``{thing: n}``
  becomes a list of ``KIND-thing`` with ``n``, or ``KIND-none`` if it is empty;
- with any type, a value ``{"key": ..., "args": ...}`` is a nested message. An optional ``"room"``
  names its text domain if it is another one.

A catalogue can give a word inflected forms, as in "blanc|f=blanche", and select one in a sentence:
``{colour:colour/f}``. Ships to the browser.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.text.english import english_messages


def N_(message_id: str) -> str:
    """Return a message id unchanged; marks it as one where it is not yet translated."""
    return message_id


_parsed_sentences: dict[str, list[tuple[str, str, str, str]]] = {}


class Language:
    """A language with its messages; a message that it lacks is shown in English.

    Keys of the ``catalogue``:

    - ``rooms``: the messages by text domain and id. A message with plural forms is a list: the name
      of the argument that selects the form, then the forms.
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
        self._forms: str = known.get("forms", _ENGLISH_FORMS)
        self._joins: Mapping[str, Sequence[str]] = known.get("joins", _JOINS)
        self._marks: Sequence[str] = known.get("marks", (",", "."))
        self.dir: str = known.get("dir", "ltr")

    def add_catalogues(self, catalogues: Mapping[str, Any]) -> None:
        """Add message catalogues, keyed by text domain, such as a game's when it is opened."""
        for text_domain, messages in catalogues.items():
            self.catalogues.setdefault(text_domain, {}).update(messages)

    def find_message(self, text_domain: str, message_id: str) -> Any:
        """Return a message of this language, otherwise the English one; None if it is unknown."""
        found = self.catalogues.get(text_domain, {}).get(message_id)
        return english_messages(text_domain).get(message_id) if found is None else found

    def translate(self, text_domain: str, message_id: str, args: Mapping[str, Any]) -> str:
        """Return a message in the right plural form, its placeholders not yet filled.

        An unknown id is returned unchanged.
        """
        found = self.find_message(text_domain, message_id)
        if found is None:
            return message_id
        if isinstance(found, str):
            return found
        number = abs(int(args[found[0]]))
        own = message_id in self.catalogues.get(text_domain, {})
        forms = self._forms if own else _ENGLISH_FORMS
        form: str = found[1 + int(forms[number if number < 200 else 100 + number % 100])]
        return form

    def format_message(
        self,
        text_domain: str,
        message_id: str,
        args: Mapping[str, Any],
        seat_names: Sequence[str] = (),
    ) -> str:
        """Return a message with its placeholders filled.

        ``seat_names``: the names of the seats, indexed by seat.
        """
        found = self.translate(text_domain, message_id, args)
        if "{" not in found:
            return found
        parts = []
        for before, name, kind, form in _parse_cached(found):
            parts.append(before)
            if name:
                parts.append(self._format_value(text_domain, args[name], kind, form, seat_names))
        return "".join(parts)

    def address_message(
        self,
        text_domain: str,
        message_id: str,
        args: Mapping[str, Any],
        seat_names: Sequence[str],
        reader: int,
    ) -> str | None:
        """Return a message addressed to its subject, as in "You bid 3": the message ``ID.you``.

        The subject is the argument ``who``, otherwise the only seat in the message. Return None if
        it is not the player of seat ``reader``, or there is no such message.
        """
        own_id = f"{message_id}.you"
        if self.find_message(text_domain, own_id) is None:
            return None
        seats = [
            name
            for _, name, kind, _ in _parse_cached(self.translate(text_domain, message_id, args))
            if kind == "seat"
        ]
        subject = "who" if "who" in seats else seats[0]
        if args[subject] != reader:
            return None
        return self.format_message(text_domain, own_id, args, seat_names)

    def _format_value(
        self, text_domain: str, value: Any, kind: str, form: str, names: Sequence[str]
    ) -> str:
        if value is None:
            return ""
        if isinstance(value, dict) and "key" in value:
            own = value.get("room", text_domain)
            return self.format_message(own, value["key"], value["args"], names)
        if isinstance(value, dict):
            if not value:
                return self.format_message(text_domain, f"{kind}-none", {})
            amounts = [
                self.format_message(text_domain, f"{kind}-{thing}", {"n": n})
                for thing, n in value.items()
            ]
            return self.join_list(amounts)
        if isinstance(value, (list, tuple)):
            how, each = (kind, "") if kind in _JOINS else ("unit", kind)
            return self.join_list(
                [self._format_value(text_domain, v, each, form, names) for v in value], how
            )
        if kind == "seat":
            name: str = names[value]
            return name
        if kind == "number":
            return self.format_number(value)
        if kind:
            word = f"{kind}-{value}"
            if self.find_message(text_domain, word) is not None:
                return _select_form(self.translate(text_domain, word, {}), form)
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


_ENGLISH_FORMS = "10" + "1" * 198
_JOINS = {"unit": (", ", ", ", ", "), "and": (" and ", ", ", " and "), "or": (" or ", ", ", " or ")}

ENGLISH = Language()


class TranslatableError(Exception):
    """Base of errors with a translatable reason: a message with its arguments.

    ``text_domain``: the message catalogue of the reason, set by the subclass or by the code that
    knows it.
    """

    text_domain = ""

    def __init__(self, message_id: str, /, **args: Any) -> None:
        self.message_id = message_id
        self.message_args = args
        super().__init__(message_id)

    @property
    def detail(self) -> str:
        """The reason in English."""
        return self.translate(ENGLISH)

    def __str__(self) -> str:
        return self.detail

    def translate(self, language: Language) -> str:
        """Return the reason in the given language."""
        return language.format_message(self.text_domain, self.message_id, self.message_args)


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
