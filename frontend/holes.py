"""Whether a translation can be filled as its sentence is: the build stops at one that cannot.

A hole that nobody fills is an error on somebody's screen, one that is missing hides a name or a
number. A translation may put the holes in another order, use one twice, and ask for a form of a
word: ``{colour:colour/f}`` is ``{colour:colour}``.
"""

import re
from collections.abc import Sequence

_HOLE = re.compile(r"\{([^{}]*)\}|(%\(\w+\)[sdr]|%[sdr])")
COUNTED = "n"
"""The hole that a plural bends with, which a form for one number alone may say as a word."""


def holes(sentence: str) -> set[str]:
    """The holes of a sentence with their types."""
    return {inside.partition("/")[0] or old for inside, old in _HOLE.findall(sentence)}


def fault(message: str | tuple[str, str], said: str | Sequence[str], forms: str) -> str | None:
    """What is wrong with a translation, in words; ``forms``: see `domain.words.Language`."""
    if isinstance(message, str):
        one = holes(message)
        return _fault(str(said), one, one)
    count = len(set(forms))
    if len(said) != count:
        return f"has {len(said)} forms for {count}"
    known, needed = (
        holes(message[0]) | holes(message[1]),
        holes(message[0]) & holes(message[1]) - {COUNTED},
    )
    for number, form in enumerate(said):
        alone = forms.count(str(number)) == 1 or COUNTED not in holes(message[1])
        found = _fault(form, known, needed if alone else needed | {COUNTED})
        if found:
            return f"{found}, in form {number}"
    return None


def _fault(said: str, known: set[str], needed: set[str]) -> str | None:
    bare = _HOLE.sub("", said)
    if "{" in bare or "}" in bare:
        return "has a brace alone"
    found = holes(said)
    if found - known:
        return f"has {_listed(found - known)}, which nobody fills"
    if needed - found:
        return f"lacks {_listed(needed - found)}"
    return None


def _listed(some: set[str]) -> str:
    return ", ".join(each if each.startswith("%") else f"{{{each}}}" for each in sorted(some))
