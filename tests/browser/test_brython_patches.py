"""The Brython patches for iteration, calls and definitions of functions behave exactly like Python
(`shim/brython/iteration.js`, `calls.js` and `functions.js`)."""

import json
from typing import Any

from playwright.sync_api import Browser

from tests.browser.chromium import run_python, workbench

PROGRAM = '''
def count(n):
    for i in range(n):
        yield i
    return "the end"

def failing():
    yield 1
    raise ValueError("within")

def told(does):
    """What it gives, or the kind of what it raises."""
    try:
        return does()
    except Exception as error:
        return type(error).__name__

def loops():
    found = []
    gen = count(5)
    for each in gen:
        if each == 1:
            break
    found.append([*gen])  # goes on where it was left
    found.append([*gen])
    found.append([each * 2 for each in count(3)])
    found.append(sum(each for each in count(4) if each))
    found.append(dict((str(each), each) for each in count(3)))
    found.append(sorted({each % 2 for each in count(5)}))
    found.append(",".join(str(each) for each in count(3)))
    found.append(any(each > 1 for each in count(3)))
    first, *rest = count(4)
    found.append([first, rest])
    for number, (key, value) in enumerate({"a": 1, "b": 2}.items(), start=3):
        found.append([number, key, value])
    for one, other in zip(count(3), "xyz"):
        found.append([one, other])
    found.append([*zip([1, 2, 3], (4, 5))])
    found.append([*map(str, count(3))])
    found.append([*map(max, [1, 5], [4, 2])])
    pairs = enumerate("abc")
    for _ in pairs:
        break
    found.append([*pairs])
    for each in {3: "c"}:
        found.append(each)
    found.append([*{3: "c"}.values(), *{"k": 1}.keys()])
    found.append(sorted(frozenset((2, 1))))
    return found

def delegated():
    found = []

    def inner():
        got = yield "first"
        found.append(got)
        return 7

    def outer():
        value = yield from inner()
        found.append(value)
        yield value

    gen = outer()
    found.append(next(gen))
    found.append(gen.send("sent"))
    found.append(told(lambda: next(gen)))
    found.append(next(gen, "over"))
    found.append(next(iter([1])))
    found.append(next(iter([]), "none"))
    closing = count(3)
    next(closing)
    closing.close()
    found.append([*closing])
    return found

def ends():
    gen = failing()
    found = [told(lambda: list(gen)), list(gen), told(lambda: next(gen))]
    found.append(told(lambda: next(3)))

    def itself():
        yield next(again)

    again = itself()
    found.append(told(lambda: next(again)))
    try:
        gen = count(0)
        next(gen)
    except StopIteration as stop:
        found.append(stop.value)

    def within():
        for each in failing():
            pass

    found.append(told(within))
    return found

def changed():
    found = []

    def grow():
        things = {"a": 1}
        for each in things:
            things[each + "x"] = 1

    def add():
        things = {1, 2}
        for each in things:
            things.add(each + 10)

    return [told(grow), told(add)]

def taken_apart():
    found = []
    a, b = (1, 2)
    found.append([a, b])
    a, b = b, a
    found.append([a, b])
    things = [1, 2]
    things[1], things[0] = things
    found.append(things)
    a, (b, *c) = [1, "bcd"]
    found.append([a, b, c])
    for wrong in ((1,), (1, 2, 3), [], 5, None, "a"):
        def unpack(thing=wrong):
            one, other = thing
            return [one, other]
        found.append(told(unpack))
    a, b = {"x": 1, "y": 2}
    found.append([a, b])
    a, b = (each for each in "uv")
    found.append([a, b])

    class Pair(tuple):
        pass

    a, b = Pair((8, 9))
    found.append([a, b])
    return found

def made():
    source = [1, 2]
    copy = list(source)
    copy.append(3)
    found = [source, copy, tuple(source) == (1, 2), list("ab"), tuple(count(2)) == (0, 1)]
    found += [list(), tuple() == (), list({"k": 1}), type(tuple([1])).__name__]
    found += [told(lambda: list(5)), told(lambda: list(None)), told(lambda: list(1, 2))]
    found.append(told(lambda: tuple(None)))
    return found

class Key:
    def __init__(self, name):
        self.name = name

    def __eq__(self, other):
        return isinstance(other, Key) and self.name == other.name

    def __hash__(self):
        return hash(self.name)

class Plain:
    pass

def looked_up():
    things = {"a": 1, "": 2, (1, 2): "pair", 7: None, Key("k"): "key"}
    found = [things.get("a"), things.get("b"), things.get("b", 5), things.get("")]
    found += [things.get((1, 2)), things.get((2, 1)), things.get((2, 1), "no"), things.get(7, 1)]
    found += [things.get(Key("k")), things.get(Key("l"), "no"), things.get(Plain(), "plain")]
    found += [{}.get("hasOwnProperty"), {}.get("toString", "no"), {}.get("__proto__", "no")]
    found += [{}.get((1,), "empty"), {"x": 1}.get(1, "number"), {1: "one"}.get(True)]
    found += [told(lambda: {}.get()), told(lambda: {}.get([])), told(lambda: {}.get(1, 2, 3))]
    found.append(dict.get({"z": 1}, "z"))
    return found

def joined():
    found = [", ".join(["a", "b"]), "".join(("x", "y", "z")), "-".join([]), "-".join(("one",))]
    found += ["/".join("abc"), "-".join({"k": 1}), "".join(each for each in "uv")]
    found += [" ".join(["\U0001f42a", "a"]), "\U0001f42a".join(["a", "b"])]
    found += [str.join("+", ["c", "d"]), told(lambda: "".join(["a", 1]))]
    found += [told(lambda: "".join([None])), told(lambda: "".join()), told(lambda: "".join(5))]
    found += [told(lambda: "".join(["a"], ["b"]))]
    return found

class Above:
    word = "above"
    def said(self):
        return self.word

class Below(Above):
    pass

class Own(Below):
    word = "own"

def classes():
    found = [Below().said(), Own().said(), Below.word]
    Above.word = "changed"
    found.append(Below().said())
    Below.word = None
    found.append(Below().said())
    del Below.word
    found.append(Below().said())
    found.append(told(lambda: Below().nothing))
    return found

class Caller:
    def __init__(self, own=None):
        if own is not None:
            self.plain = own

    def plain(self, *args, word="none"):
        return ["plain", *args, word]

    @property
    def reached(self):
        return lambda: "reached"

    @staticmethod
    def still(value):
        return ["still", value]

    @classmethod
    def made(cls):
        return cls.__name__

    def __call__(self, value=0):
        return ["called", value]

class Heir(Caller):
    def still(self, value):
        return [*super().still(value), *super().plain(1, word="up")]

    inherited = Caller.plain

def called():
    one, heir, other = Caller(), Heir(), Heir(lambda *args: ["own", *args])
    nothing, five = None, 5
    found = [one.plain(), one.plain(1, 2, word="w"), heir.plain(3), other.plain(4)]
    found += [one.reached(), heir.reached(), one.still(5), heir.still(6), heir.inherited(7)]
    found += [one.made(), heir.made(), Heir.made(), Heir.plain(heir, 8), one(), heir(value=9)]
    bound = heir.plain
    found += [bound(10), [*map(bound, (1, 2))], ",".join(["a", "b"]), "a-b".split("-", maxsplit=1)]
    found += [told(lambda: one.nothing()), told(lambda: nothing()), told(lambda: nothing.at())]
    found += [told(lambda: one.plain(words=1)), told(lambda: one.still()), told(lambda: five())]
    heir.plain = None
    found.append(told(lambda: heir.plain()))
    del heir.plain
    found.append(heir.plain())
    Heir.plain = lambda self: "changed"
    found += [heir.plain(), other.plain(), one.plain()]
    return found

def twice(function):
    def inner(*args, **named):
        return [function(*args, **named), function(*args, **named)]

    return inner

def add(number):
    def twice(function):
        return lambda *args: [number, function(*args)]

    return twice

class Counter:
    def __init__(self, _count):
        self._count = _count

    @property
    def count(self):
        return self._count

    @count.setter
    def count(self, count):
        self._count = [each + other for each in range(count) for other in range(each)]

    @twice
    @add(3)
    def added(self, added):
        return added + 1

def defined():
    def inner(a, /, b, c=3, *more, d, e=5, **named):
        return [a, b, c, [*more], d, e, named]

    found = [inner(1, 2, d=4), inner(1, b=2, d=4, f=6), inner(1, 2, 3, 4, 5, d=6, e=7)]
    found += [told(lambda: inner(1, 2)), told(lambda: inner(a=1, b=2, d=4))]
    found += [told(lambda: inner(1, 2, d=1, b=3)), told(lambda: defined(1)), told(twice)]
    count = 0

    def outer(depth):
        def inner(depth):
            def inner():
                nonlocal count
                count += depth
                return [depth, later, count]

            return inner

        later = "later" + str(depth)
        return [inner(depth)(), *(outer(depth - 1) if depth else ())]

    found += [outer(2), outer.__name__, inner.__name__, Counter.added.__name__]
    for number in 1, 2:
        for letter in "ab":
            def steps(number=number, letter=letter):
                for each in range(number):
                    try:
                        yield letter if each else int(letter)
                    except ValueError:
                        yield [each + (lambda each: each)(other) for other in range(3)]

            found.append([*steps()])
    named = {"x": [(lambda y, z=each: [y, z, x])(x) for x, each in ((1, 2), (3, 4))]}

    class Local(Counter):
        names = list(named)

        def count(self, count=lambda: count):
            return [count(), super().count, self.names]

    counter, local = Counter(1), Local(2)
    found += [named, counter.count, local.count(), local.added(4), told(lambda: local.added())]
    counter.count = 3
    return [*found, counter.count, len({"a", 1, "b", "a"}), {"a": 1, 2: 3, "b": 4}["b"]]

def play(_text):
    rooms = loops, delegated, ends, changed, taken_apart, made, joined, looked_up, classes, called
    rooms = *rooms, defined
    return dumps([room() for room in rooms])
'''

IN_BROWSER = f"from browser import window\nfrom _native import dumps\n{PROGRAM}\nwindow.play = play"


def test_patched_operations_behave_as_in_python(browser: Browser) -> None:
    here: dict[str, Any] = {"dumps": json.dumps}
    exec(PROGRAM, here)
    page = workbench(browser)
    shown = json.loads(run_python(page, IN_BROWSER, "play", ""))
    page.close()
    wanted = json.loads(here["play"](""))
    assert shown == wanted
