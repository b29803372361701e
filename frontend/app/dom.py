"""Making pages. Names, words and labels from others only ever become text nodes."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from _native import (
    after,
    by_id,
    cancel,
    el,
    fill,
    float,
    frame,
    listen,
    patch,
    scroll_up,
    soon,
    svg,
)

from frontend.app.typed import Node
from frontend.app.words import both, tn

__all__ = ["after", "announce", "by_id", "cancel", "el", "fill", "frame", "icon", "listen", "patch"]
__all__ += ["bar", "button", "in_slices", "listed", "picture", "show", "svg", "toast"]


def show(*nodes: Node) -> None:
    """Puts a page up."""
    fill(by_id("app"), *nodes)
    scroll_up()


def in_slices(steps: Iterator[object], wanted: Callable[[], bool]) -> None:
    """Goes through steps, each in a turn of its own, so that the browser draws and answers between
    them; gives up when they are not wanted any more."""

    def step() -> None:
        if wanted() and next(steps, steps) is not steps:
            soon(step)

    soon(step)


def picture(name: str, size: int | None = None, **more: Any) -> Node:
    """One of the signs of the page: a good, a camel, a sign of the interface."""
    given = {"aria-hidden": "true", **more}
    if size:
        given["width"] = size
        given["height"] = size
    return svg("svg", given, svg("use", {"href": "#" + name}))


def icon(name: str) -> Node:
    """A sign of the interface."""
    return picture(name, 22)


def button(
    label: str,
    action: Callable[..., object] | None,
    kind: str = "",
    sign: str | None = None,
    **more: Any,
) -> Node:
    """A button; with ``kind`` "round" the label is for those who do not see the sign."""
    given = {"type": "button", "class": "button " + kind, "onclick": action, **more}
    if "round" in kind and sign:
        return el("button", {**given, "aria-label": label, "title": label}, icon(sign))
    return el("button", given, icon(sign) if sign else None, el("span", {}, label))


def bar(node: Node, why: str | None) -> Node:
    """Lets a control do nothing but say why it does nothing now; without a reason it is free."""
    patch(node, {"aria-disabled": "true" if why else None, "data-why": why or None})
    return node


def toast(text: str, seconds: int = 5) -> None:
    """Says something for a while, where it covers nothing that can be tapped; once, however often
    it is said, and in the place of why something could not be done."""
    node = el("div", {"class": "toast"}, text)
    home = by_id("toasts")
    for before in [home.children[number] for number in range(home.children.length)]:
        if before.textContent == text or before.matches(".why"):
            before.remove()
    home.append(node)
    float(home)
    after(seconds * 1000, lambda: node.remove())


def announce(text: str) -> None:
    """Says something to those who listen instead of looking."""
    fill(by_id("live"), text)


def listed(names: Sequence[str], most: int = 2) -> str:
    """Names in a line: so many at most, or one and how many more."""
    if len(names) > most:
        names = [names[0], tn("{n} more", "{n} more", n=len(names) - 1)]
    return both(names)


def pin_field(name: str) -> Node:
    """A field for a PIN of six digits."""
    given = {"type": "text", "id": name, "name": name, "inputmode": "numeric", "maxlength": 6}
    return el("input", {**given, "autocomplete": "off", "spellcheck": "false"})
