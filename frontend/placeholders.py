"""A check that translations have the placeholders of their messages; the build fails otherwise.

An unknown placeholder would raise an error in the interface; a missing one would hide a name or a
number. A translation may reorder and repeat placeholders and request a grammatical form:
``{colour:colour/f}`` counts as ``{colour:colour}``.
"""

import re
from collections.abc import Sequence

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}|(%\(\w+\)[sdr]|%[sdr])")


def placeholders_of(sentence: str) -> set[str]:
    """Return the placeholders of a sentence, with their types."""
    return {inside.partition("/")[0] or old for inside, old in _PLACEHOLDER.findall(sentence)}


def find_mismatch(
    message: str | Sequence[str], translation: str | Sequence[str], forms: str
) -> str | None:
    """Return a description of what is wrong with a translation, or None.

    ``message`` and ``translation``: a sentence, or the argument that selects the plural form and
    the forms. A plural form used for a single number may omit it or spell it out. ``forms``: the
    plural forms, see `domain.text.i18n.Language`.
    """
    if isinstance(message, str) or isinstance(translation, str):
        if type(message) is not type(translation):
            return "has plural forms" if isinstance(message, str) else "has no plural forms"
        one = placeholders_of(str(message))
        return _form_mismatch(str(translation), one, one)
    by, *english = message
    own_by, *own = translation
    if own_by != by:
        return f"is selected by {own_by}, not by {by}"
    count = len(set(forms))
    if len(own) != count:
        return f"has {len(own)} forms for {count}"
    each = [placeholders_of(form) for form in english]
    known, needed = set.union(*each), set.intersection(*each) - {by}
    for number, form in enumerate(own):
        alone = forms.count(str(number)) == 1 or by not in each[-1]
        found = _form_mismatch(form, known, needed if alone else needed | {by})
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
