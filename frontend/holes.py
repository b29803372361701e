"""Check that a translation has the placeholders of its message; the build stops otherwise.

A placeholder that nobody fills is an error on a player's screen; a missing one hides a name or a
number. A translation may reorder placeholders, repeat one, and ask for a form of a word:
``{colour:colour/f}`` counts as ``{colour:colour}``.
"""

import re
from collections.abc import Sequence

_HOLE = re.compile(r"\{([^{}]*)\}|(%\(\w+\)[sdr]|%[sdr])")
COUNTED = "n"
"""The placeholder with the number of a plural.

A form that is used for one number only may say it as a word.
"""


def holes(sentence: str) -> set[str]:
    """Return the placeholders of a sentence, with their types."""
    return {inside.partition("/")[0] or old for inside, old in _HOLE.findall(sentence)}


def fault(message: str | tuple[str, str], said: str | Sequence[str], forms: str) -> str | None:
    """Describe what is wrong with a translation, or return None.

    ``forms``: see `domain.text.i18n.Language`.
    """
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
