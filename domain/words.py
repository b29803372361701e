"""What a person is told: sentences with holes, put into a language when they are shown.

Inside, everything told is a key with arguments. A *room* (a game's slug, "kernel", "service" or
"page") has a table ``TEXT`` from keys to its English sentences, or says the English sentence where
it is needed; the sentence itself is what translators find in the catalogue, under the name of the
room. What stands in a hole is said by its type:

- ``{name}``: a number or a text as it is;
- ``{name:seat}``: a seat, by its name at the table;
- ``{name:number}``: a number with the language's own marks for thousands and decimals;
- ``{name:and}``, ``{name:or}``: a list, joined as the language joins; with other types, or none, a
  list of such values;
- ``{name:KIND}``: a word of the room's table, ``KIND-value``. What is a ``{thing: n}`` becomes a
  list of ``KIND-thing`` with ``n``, and ``KIND-none`` when it is empty;
- whatever its type, ``{"key": ..., "args": ...}`` is another sentence: a key of the room's table,
  or the sentence itself; of another room if it says ``"room"``.

A translator may give a word further forms, as in "blanc|f=blanche", and ask for one of them in a
sentence: ``{colour:colour/f}``. Ships to the browser, where English costs no catalogue at all.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct


def N_(sentence: str) -> str:
    """Marks a sentence for translators that is told elsewhere; gives it as it is."""
    return sentence


class Plural(Struct, frozen=True):
    """A sentence that bends with its argument ``by``: in English for one, and for all others."""

    one: str
    other: str
    by: str = "n"


Sentence: TypeAlias = str | Plural
Text: TypeAlias = Mapping[str, Sentence]
"""A room's table: its English sentences by key."""

_parts: dict[str, list[tuple[str, str, str, str]]] = {}


class Language:
    """A language with the sentences that are known of it; what is not stays English.

    ``rooms``: the translations by room and English sentence; of a `Plural` a list of forms under
    its ``one``. ``forms``: which of them a number takes, a digit each for 0 to 199, the last
    hundred standing for all that follow; ``joins``: the parts of a list with marks only ("unit") or
    with a word before the last ("and", "or"); ``marks``: of thousands and of decimals;
    ``dir``: "rtl" where lines begin on the right.
    """

    def __init__(self, tag: str = "en", catalogue: Mapping[str, Any] | None = None) -> None:
        known = catalogue or {}
        self.tag = tag
        self.rooms: dict[str, dict[str, Any]] = dict(known.get("rooms", {}))
        self._forms: str = known.get("forms", "")
        self._joins: Mapping[str, Sequence[str]] = known.get("joins", _JOINS)
        self._marks: Sequence[str] = known.get("marks", (",", "."))
        self.dir: str = known.get("dir", "ltr")

    def learn(self, rooms: Mapping[str, Any]) -> None:
        """Adds rooms, such as those of a game that is opened."""
        self.rooms.update(rooms)

    def sentence(self, room: str, sentence: Sentence, args: Mapping[str, Any]) -> str:
        """The sentence of this language, with its holes."""
        known = self.rooms.get(room, {})
        if isinstance(sentence, str):
            found: str = known.get(sentence, sentence)
            return found
        number = args[sentence.by]
        forms = known.get(sentence.one)
        if forms is None:
            return sentence.one if number == 1 else sentence.other
        whole = abs(int(number))
        bent: str = forms[int(self._forms[whole if whole < 200 else 100 + whole % 100])]
        return bent

    def say(
        self,
        room: str,
        sentence: Sentence,
        args: Mapping[str, Any],
        text: Text | None = None,
        names: Sequence[str] = (),
    ) -> str:
        """The sentence with its holes filled. ``names`` are those of the seats."""
        found = self.sentence(room, sentence, args)
        if "{" not in found:
            return found
        said = []
        for before, name, kind, form in _parted(found):
            said.append(before)
            if name:
                said.append(self._value(room, text or {}, args[name], kind, form, names))
        return "".join(said)

    def _value(
        self, room: str, text: Text, value: Any, kind: str, form: str, names: Sequence[str]
    ) -> str:
        if value is None:
            return ""
        if isinstance(value, dict) and "key" in value:
            key, own = value["key"], value.get("room", room)
            return self.say(own, text.get(key, key), value["args"], text, names)
        if isinstance(value, dict):
            if not value:
                return self.say(room, text.get(kind + "-none", ""), {})
            amounts = [
                self.say(room, text.get(f"{kind}-{thing}", "{n} " + thing), {"n": n})
                for thing, n in value.items()
            ]
            return self.listed(amounts)
        if isinstance(value, (list, tuple)):
            how, each = (kind, "") if kind in _JOINS else ("unit", kind)
            return self.listed([self._value(room, text, v, each, form, names) for v in value], how)
        if kind == "seat":
            name: str = names[value]
            return name
        if kind == "number":
            return self.number(value)
        if kind:
            return _bent(self.sentence(room, text.get(f"{kind}-{value}", str(value)), {}), form)
        return str(value)

    def listed(self, parts: Sequence[str], how: str = "unit") -> str:
        """The parts as a list: "a, b, c", or with ``how`` "and": "a, b and c"."""
        if len(parts) < 2:
            return "".join(parts)
        two, between, last = self._joins[how]
        if len(parts) == 2:
            return parts[0] + two + parts[1]
        return between.join(parts[:-1]) + last + parts[-1]

    def number(self, value: float) -> str:
        """The number with the marks of the language."""
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


class Explained(Exception):
    """Something that cannot be done, and why: a sentence with its arguments.

    ``room`` is the one whose words it uses; who knows it writes it in. ``detail`` is English.
    """

    room = ""

    def __init__(self, sentence: Sentence, args: Mapping[str, Any] | None = None) -> None:
        self.sentence = sentence
        self.args_told: Mapping[str, Any] = args or {}
        self.detail = self.told(ENGLISH)
        super().__init__(self.detail)

    def told(self, language: Language, text: Text | None = None) -> str:
        """The reason in a language; ``text``: the table of the room."""
        return language.say(self.room, self.sentence, self.args_told, text)


def say(
    text: Text,
    key: str,
    args: Mapping[str, Any],
    names: Sequence[str] = (),
    language: Language = ENGLISH,
    room: str = "",
) -> str:
    """The sentence of a key of a room's table."""
    return language.say(room, text[key], args, text, names)


def _bent(word: str, form: str) -> str:
    """The form of a word that a sentence asks for; without it the first."""
    first, *others = word.split("|")
    for other in others:
        name, _, bent = other.partition("=")
        if name == form:
            return bent
    return first


def _parted(sentence: str) -> list[tuple[str, str, str, str]]:
    """The sentence as ``(text, name, kind, form)``: a text and the hole after it, if any."""
    known = _parts.get(sentence)
    if known is None:
        if len(_parts) >= 2_000:
            _parts.clear()
        known = _parts[sentence] = _read(sentence)
    return known


def _read(sentence: str) -> list[tuple[str, str, str, str]]:
    before, *holes = sentence.split("{")
    found = []
    for hole in holes:
        inside, _, after = hole.partition("}")
        name, _, kind = inside.partition(":")
        kind, _, form = kind.partition("/")
        found.append((before, name, kind, form))
        before = after
    return [*found, (before, "", "", "")]
