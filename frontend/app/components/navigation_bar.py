"""The navigation bar, as a tree of tuples ``(tag, attributes, children)``.

This module imports nothing that needs a browser, because the service renders the bar too.
"""

from typing import Any

from domain.text.i18n import N_, Language

NAVIGATION = (
    ("/", "i-play", N_("page.nav_play")),
    ("/tables", "i-tables", N_("page.nav_tables")),
    ("/rules", "i-book", N_("page.nav_learn")),
    ("/you", "i-person", N_("page.nav_you")),
    ("/settings", "i-gear", N_("settings.title")),
)
"""The pages of the navigation bar: address, icon and label. Phones leave out the last one."""


def navigation_tree(language: Language, current: str) -> tuple[str, dict[str, str], list[Any]]:
    """Build the navigation bar; ``current``: the address of the page that shows it.

    An icon is a tree ``("icon", {"name": ...}, [])``.
    """

    def text_of(message_id: str) -> str:
        return language.format_message("page", message_id, {})

    links = []
    for href, sign, message in NAVIGATION:
        here = {"aria-current": "page"} if href == current else {}
        text: Any = ("span", {}, [text_of(message)])
        links.append(("a", {"href": href, **here}, [("icon", {"name": sign}, []), text]))
    return ("nav", {"class": "nav", "aria-label": text_of(N_("page.nav"))}, links)
