"""Building blocks of pages. User-supplied text always becomes text nodes, never markup."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from _native import (
    add_listener,
    after,
    by_id,
    call_soon,
    cancel,
    el,
    fill,
    patch,
    place_toast,
    scroll_to_top,
    svg,
)

from frontend.app.core.i18n import join_and, t
from frontend.app.core.types import Node

# Imported from the shim for other modules.
__all__ = ["add_listener", "after", "by_id", "cancel", "el", "fill", "patch", "svg"]

ARROW_KEYS = {"ArrowUp": (0, -1), "ArrowDown": (0, 1), "ArrowLeft": (-1, 0), "ArrowRight": (1, 0)}
"""The direction ``(right, down)`` of each arrow key."""


def show(*nodes: Node) -> None:
    """Replace the content of the page with ``nodes`` and scroll to the top."""
    fill(by_id("app"), *nodes)
    scroll_to_top()


def run_in_slices(steps: Iterator[object], is_wanted: Callable[[], bool]) -> None:
    """Run ``steps`` one at a time, each in its own task, until ``is_wanted()`` is false.

    The browser can render and handle input between two steps.
    """

    def step() -> None:
        if is_wanted() and next(steps, steps) is not steps:
            call_soon(step)

    call_soon(step)


def picture(name: str, size: int | None = None, **more: Any) -> Node:
    """Build an SVG picture from the symbol of the page with the id ``name``.

    ``size``: width and height in pixels; None: set by CSS; ``more``: further attributes.
    """
    given = {"aria-hidden": "true", **more}
    if size:
        given["width"] = size
        given["height"] = size
    return svg("svg", given, svg("use", {"href": "#" + name}))


def icon(name: str) -> Node:
    """Build an icon of the interface, 22 by 22 pixels."""
    return picture(name, 22)


def button(
    label: str,
    action: Callable[..., object] | None,
    kind: str = "",
    sign: str | None = None,
    **more: Any,
) -> Node:
    """Build a button.

    ``action``: the click handler; ``kind``: further CSS classes; ``sign``: the name of an icon;
    ``more``: further attributes. If ``kind`` contains "round" and there is a ``sign``, only the
    icon is visible and ``label`` is its accessible name.
    """
    given = {"type": "button", "class": "button " + kind, "onclick": action, **more}
    if "round" in kind and sign:
        return el("button", {**given, "aria-label": label, "title": label}, icon(sign))
    return el("button", given, icon(sign) if sign else None, el("span", {}, label))


def plain_button(look: str, action: Callable[..., object], *content: Any, **more: Any) -> Node:
    """Build a button with the class ``look`` and content of its own."""
    return el("button", {"type": "button", "class": look, "onclick": action, **more}, *content)


def labelled(look: str, label: str, *content: Any) -> Node:
    """Build an image for screen readers, whose label is its tooltip as well."""
    given = {"class": look, "role": "img", "aria-label": label, "title": label}
    return el("span", given, *content)


def tone(seat: int) -> str:
    """Return the style that sets the colour of a seat."""
    return f"--tone:var(--seat-{seat})"


def row(*nodes: Any) -> Node:
    """Build a row, as of buttons."""
    return el("div", {"class": "row"}, *nodes)


def stack(*nodes: Any) -> Node:
    """Build a column with gaps between the nodes."""
    return el("div", {"class": "stack"}, *nodes)


def muted_text(*text: Any) -> Node:
    """Build a paragraph of secondary text."""
    return el("p", {"class": "muted"}, *text)


def notice(text: str, *nodes: Any, **more: Any) -> Node:
    """Build a notice with a text and nodes such as buttons; ``more``: further attributes."""
    return el("div", {"class": "notice", **more}, el("span", {}, text), *nodes)


def link_box(address: str) -> Node:
    """Build a box with an address or a code to select and copy."""
    return el("div", {"class": "link", "tabindex": "0"}, address)


def problem_line(text: str = "") -> Node:
    """Build the line of a form that says what is wrong, at first ``text``."""
    return el("p", {"class": "problem", "role": "alert"}, text or None)


def set_blocked_reason(node: Node, reason: str | None) -> Node:
    """Disable a control and set the reason shown when it is tapped; return the control.

    ``reason`` None enables the control.

    Sets ``aria-disabled`` and ``data-why`` instead of ``disabled``, so that the control remains
    focusable.
    """
    patch(node, {"aria-disabled": "true" if reason else None, "data-why": reason or None})
    return node


def toast(text: str, seconds: int = 5) -> None:
    """Show a message for a number of seconds, placed so that it does not cover any controls.

    Replaces a toast with the same text, and any toast that explains why a control is disabled.
    """
    node = el("div", {"class": "toast"}, text)
    home = by_id("toasts")
    for before in [home.children[number] for number in range(home.children.length)]:
        if before.textContent == text or before.matches(".why"):
            before.remove()
    home.append(node)
    place_toast(home)
    after(seconds * 1000, lambda: node.remove())


def announce(text: str) -> None:
    """Announce a text to screen readers without showing it."""
    fill(by_id("live"), text)


def scroll_dock_to_top(node: Node) -> None:
    """Scroll the dock that contains ``node`` to its top, where the panel is.

    Its body scrolls, or all of it where there is little room.
    """
    for part in (".dock-body", ".dock"):
        found = node.closest(part)
        if found:
            found.scrollTop = 0


def join_names(names: Sequence[str], max_names: int = 2) -> str:
    """Join names; if there are more than ``max_names``, return the first and how many follow."""
    if len(names) > max_names:
        names = [names[0], t("format.more_names", n=len(names) - 1)]
    return join_and(names)


def pin_field(name: str) -> Node:
    """Build an input field for a six-digit PIN; ``name`` is also its id."""
    given = {"type": "text", "id": name, "name": name, "inputmode": "numeric", "maxlength": 6}
    return el("input", {**given, "autocomplete": "off", "spellcheck": "false"})
