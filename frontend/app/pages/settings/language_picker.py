"""The language picker. The choice is stored on the device; default: the browser's language."""

from _native import languages, set_language

from frontend.app.core.dom import button, el, stack
from frontend.app.core.i18n import LANGUAGE, t
from frontend.app.core.types import Node


def language_buttons() -> Node | None:
    """Return a button for each language, labelled in that language; None if there is only one."""
    offered = languages()
    if len(offered) == 1:
        return None
    named = {"class": "row tongues", "role": "group", "aria-label": t("home.language")}
    buttons = [_language_button(tag, name) for tag, name in offered]
    return stack(el("p", {"class": "group-label"}, t("home.language")), el("div", named, buttons))


def _language_button(tag: str, name: str) -> Node:
    here = tag == LANGUAGE.tag
    return button(
        name,
        None if here else lambda _event: set_language(tag),
        **{"lang": tag, "translate": "no", "aria-pressed": "true" if here else "false"},
    )
