"""Making pages. Names, words and labels from others only ever become text nodes."""

from _native import after, by_id, cancel, el, fill, frame, listen, patch, scroll_up, svg

__all__ = ["after", "announce", "by_id", "cancel", "el", "fill", "frame", "icon", "listen", "patch"]
__all__ += ["button", "picture", "show", "svg", "toast"]


def show(*nodes):
    """Puts a page up."""
    fill(by_id("app"), *nodes)
    scroll_up()


def picture(name, size=None, **more):
    """One of the signs of the page: a good, a camel, a sign of the interface."""
    given = {"aria-hidden": "true", **more}
    if size:
        given["width"] = size
        given["height"] = size
    return svg("svg", given, svg("use", {"href": "#" + name}))


def icon(name):
    """A sign of the interface."""
    return picture(name, 22)


def button(label, action, kind="", sign=None, **more):
    """A button; with ``kind`` "round" the label is for those who do not see the sign."""
    given = {"type": "button", "class": "button " + kind, "onclick": action, **more}
    if "round" in kind:
        return el("button", {**given, "aria-label": label, "title": label}, icon(sign))
    return el("button", given, icon(sign) if sign else None, el("span", {}, label))


def toast(text, seconds=5):
    """Says something for a while at the foot of the page."""
    node = el("div", {"class": "toast"}, text)
    by_id("toasts").append(node)
    after(seconds * 1000, lambda: node.remove())


def announce(text):
    """Says something to those who listen instead of looking."""
    fill(by_id("live"), text)
