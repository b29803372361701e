"""A check that translations have the placeholders of their messages; the build fails otherwise.

An unknown placeholder would raise an error in the interface; a missing one would hide a name or a
number. A translation may reorder and repeat placeholders and request a grammatical form:
``{colour:colour/f}`` counts as ``{colour:colour}``.
"""

import re
from collections.abc import Sequence

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}|(%\(\w+\)[sdr]|%[sdr])")
COUNT_PLACEHOLDER = "n"
"""The placeholder for the number in a plural message.

A plural form used for a single number may omit it or spell it out.
"""


def placeholders_of(sentence: str) -> set[str]:
    """Return the placeholders of a sentence, with their types."""
    return {inside.partition("/")[0] or old for inside, old in _PLACEHOLDER.findall(sentence)}


def find_mismatch(
    message: str | tuple[str, str], translation: str | Sequence[str], forms: str
) -> str | None:
    """Return a description of what is wrong with a translation, or None.

    ``forms``: the plural forms, see `domain.text.i18n.Language`.
    """
    if isinstance(message, str):
        one = placeholders_of(message)
        return _form_mismatch(str(translation), one, one)
    count = len(set(forms))
    if len(translation) != count:
        return f"has {len(translation)} forms for {count}"
    known, needed = (
        placeholders_of(message[0]) | placeholders_of(message[1]),
        placeholders_of(message[0]) & placeholders_of(message[1]) - {COUNT_PLACEHOLDER},
    )
    for number, form in enumerate(translation):
        alone = forms.count(str(number)) == 1 or COUNT_PLACEHOLDER not in placeholders_of(
            message[1]
        )
        found = _form_mismatch(form, known, needed if alone else needed | {COUNT_PLACEHOLDER})
        if found:
            return f"{found}, in form {number}"
    return None


def _form_mismatch(said: str, known: set[str], needed: set[str]) -> str | None:
    bare = _PLACEHOLDER.sub("", said)
    if "{" in bare or "}" in bare:
        return "has a brace alone"
    found = placeholders_of(said)
    if found - known:
        return f"has {_join_names(found - known)}, which nobody fills"
    if needed - found:
        return f"lacks {_join_names(needed - found)}"
    return None


def _join_names(some: set[str]) -> str:
    return ", ".join(each if each.startswith("%") else f"{{{each}}}" for each in sorted(some))
