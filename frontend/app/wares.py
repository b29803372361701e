"""Wares: a sign for each, told apart by shape as well as by colour, and picking some of them."""

from frontend.app.dom import announce, button, el, fill, picture, svg

# Each drawn in a box of 24; the classes give colours that hold by day and by night.
SIGNS = (
    (
        "silk",
        (
            ("w-silk", "M3 8q9-5 18 0v9q-9-5-18 0Z"),
            ("w-line", "M8 6.4v8.4M16 6.4v8.4"),
        ),
    ),
    (
        "spices",
        (
            ("w-spices", "M5.5 13Q8 4 12 3.5 16 4 18.5 13Z"),
            ("w-bowl", "M2.5 13h19q-1 7.5-9.5 7.5T2.5 13Z"),
        ),
    ),
    (
        "incense",
        (
            ("w-smoke", "M12 11c-4-2.5 4-4.5 0-8.5"),
            ("w-incense", "M6 12h12l-2 6H8ZM5 18h14v3H5Z"),
        ),
    ),
    (
        "salt",
        (
            ("w-salt", "M12 2.5 20.5 7v10L12 21.5 3.5 17V7Z"),
            ("w-edge", "M12 21.5V12M12 12 3.5 7M12 12l8.5-5"),
        ),
    ),
    (
        "dates",
        (
            (
                "w-dates",
                "M7 9.5a3 5 0 0 1 0 10 3 5 0 0 1 0-10ZM17 9.5a3 5 0 0 1 0 10 3 5 0 0 1 0-10Z"
                "M12 12a3 5 0 0 1 0 10 3 5 0 0 1 0-10Z",
            ),
            ("w-edge", "M12 12V2.5M7 9.5 12 3l5 6.5"),
        ),
    ),
    ("ivory", (("w-ivory", "M3 19.5C13 20 18.5 13 17.5 2.5 23 13 17 23.5 3 22Z"),)),
    (
        "coffee",
        (
            ("w-coffee", "M12 2.5C19 2.5 20 8 19 13S15 21.5 12 21.5 6 18 5 13 5 2.5 12 2.5Z"),
            ("w-line", "M12 3c4 5-5 11 0 18"),
        ),
    ),
    (
        "carpets",
        (
            ("w-carpets", "M4 4h16v16H4Z"),
            ("w-line", "M12 7l5 5-5 5-5-5Z"),
            ("w-edge", "M5 20v2.5M9 20v2.5M15 20v2.5M19 20v2.5M5 4V1.5M9 4V1.5M15 4V1.5M19 4V1.5"),
        ),
    ),
)


def signs():
    """The definitions, to be put into the page once."""
    defs = svg("defs", {})
    for name, parts in SIGNS:
        symbol = svg("symbol", {"id": "ware-" + name, "viewBox": "0 0 24 24"})
        for look, path in parts:
            symbol.append(svg("path", {"class": look, "d": path}))
        defs.append(symbol)
    return svg("svg", {"width": 0, "height": 0, "aria-hidden": "true", "class": "signs"}, defs)


def sign(ware, size=24):
    """The sign of a ware."""
    return picture("ware-" + ware, size)


def amount(wares):
    """Wares as signs with numbers, read out as words; "nothing" for none."""
    if not wares:
        return el("span", {"class": "wares muted"}, "nothing")
    return el(
        "span",
        {"class": "wares"},
        [
            el(
                "span",
                {"class": "ware"},
                el("b", {}, str(n)),
                sign(ware, 22),
                el("span", {"class": "hush"}, f" {ware} "),
            )
            for ware, n in wares.items()
        ],
    )


def minus(wares, fewer):
    """What is left of wares; there must be enough."""
    left = {ware: n - fewer.get(ware, 0) for ware, n in wares.items()}
    return {ware: n for ware, n in left.items() if n > 0}


def total(wares):
    """Tokens in all."""
    return sum([*wares.values()])


class Picker:
    """Picks up to ``most`` tokens: a tap on a ware takes one of it, a tap on what was taken puts
    one back. ``stock`` is ``{ware: tokens}``, None when nobody knows what there is to take.
    ``changed(picked)`` is called at each tap."""

    def __init__(self, title, order, stock, most, picked, changed):
        self.title = title
        self.order = order
        self.known = stock is not None
        self.stock = stock if self.known else dict.fromkeys(order, most)
        self.most = most
        self.changed = changed
        self.picked = {ware: min(n, self.stock.get(ware, 0)) for ware, n in picked.items()}
        self.shelf = {ware: self._shelf(ware) for ware in order if self.stock.get(ware)}
        self.taken = el("div", {"class": "taken"})
        self.node = el(
            "div",
            {"class": "picker", "role": "group", "aria-label": title},
            self.taken,
            el("div", {"class": "shelf"}, [*self.shelf.values()]),
        )
        self._draw()

    def value(self):
        """What is picked, in the usual order."""
        return {ware: self.picked[ware] for ware in self.order if self.picked.get(ware)}

    def _shelf(self, ware):
        return el(
            "button",
            {"type": "button", "class": "shelf-ware", "onclick": lambda _e: self._take(ware, 1)},
            el("span", {}, sign(ware, 24), el("b", {})),
            el("span", {"class": "ware-name"}, ware),
        )

    def _take(self, ware, by):
        now = self.picked.get(ware, 0) + by
        if now < 0 or now > self.stock[ware] or (by > 0 and total(self.picked) >= self.most):
            return
        self.picked[ware] = now
        self._draw()
        announce(f"{self.title}: {now} {ware}")
        self.changed(self.value())

    def _draw(self):
        full = total(self.picked) >= self.most
        for ware, node in self.shelf.items():
            left = self.stock[ware] - self.picked.get(ware, 0)
            fill(node.firstChild.lastChild, str(left) if self.known else "")
            node.disabled = full or not left
            more = f", {left} left" if self.known else ""
            node.setAttribute("aria-label", f"Add 1 {ware}{more}")
        picked = self.value()
        fill(
            self.taken,
            el("span", {"class": "taken-title"}, self.title),
            [self._chip(ware, n) for ware, n in picked.items()]
            or el("span", {"class": "muted"}, "nothing"),
        )

    def _chip(self, ware, n):
        chip = button(str(n), lambda _e: self._take(ware, -1), "taken-ware")
        chip.setAttribute("aria-label", f"Put 1 {ware} back, {n} picked")
        chip.append(sign(ware, 22))
        chip.append(picture("i-minus", 18))
        return chip
