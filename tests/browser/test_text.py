"""Text beyond the Basic Multilingual Plane in the browser: strings behave as in CPython, and text
survives every round trip between Python and JavaScript."""

import json
from typing import Any

import msgspec
from playwright.sync_api import Browser

from tests.browser.chromium import run_python, workbench

TEXTS = [
    "Bob \U0001f42a",
    "\U0001d4d1\U0001d4f8\U0001d4eb",
    "\U00020bb7野",
    "\U0001f937‍♂️ ok",
    "\U0001f468‍\U0001f469‍\U0001f467",
    "e\u0301te\u0301",
    "דנה كريم",
    "\U0001f1eb\U0001f1f7 \U0001f44d\U0001f3fd",
    "\uffe5 \ue000 \U0010fffd",
    "plain",
    "",
]
PROGRAM = '''
def told(does):
    """What it gives, or the kind of what it raises."""
    try:
        return does()
    except Exception as error:
        return type(error).__name__

def looked_at(a):
    found = [len(a), [*a], list(reversed([*a])), a[:1], a[1:], a[-1:], a[:-1], a[1:3], a[::2]]
    found += [a[::-1], a[3:1], a[-2:-5:-1], a[1:1], told(lambda: a[0]), told(lambda: a[-1])]
    found += [told(lambda: a[4]), told(lambda: a[99]), [each for each in enumerate(a)]]
    found += [[ord(each) for each in a], "".join([chr(ord(each)) for each in a])]
    found += [list(a.encode()), a.encode().decode(), hash(a) == hash("" + a), sorted([*a])]
    found += [[*zip(a, a[1:])], max([*a, "a"]), min([*a, "a"]), sorted(set(a)), [*dict.fromkeys(a)]]
    return found

def made(a):
    found = [a + "!", "!" + a, a * 2, f"{a}", f"<{a}>", str(a), "%s" % a, "{}".format(a), format(a)]
    found += [",".join([a, a]), a.join("xy"), a.upper(), a.lower(), a.strip(), a.split()]
    found += [a.split("o")]
    found += [a.replace("o", "\U0001f600"), a.replace("\U0001f42a", "x"), a.partition(" ")]
    found += [a.rpartition(" "), a.lstrip("B"), a.rstrip("\U0001f42a"), a.removeprefix("Bob")]
    found += [a.removesuffix("\U0001f42a"), a.ljust(8, "."), a.rjust(8, "."), a.splitlines()]
    found += [a.rsplit(" ", 1), a.split(" ", 1), a.casefold(), a.zfill(8)]
    return [[*each] if isinstance(each, tuple) else each for each in found]

def asked(a, b):
    found = [a == b, a != b, a < b, a <= b, a > b, a >= b, a in b, b in a, a.find(b)]
    found += [a.count(b or "o"), a.startswith(b), a.endswith(b), a.find("o")]
    found += [a.find("野"), told(lambda: a.index("k"))]
    found += [a.rfind("o"), a.find(" ", 2), a.startswith("o", 1), a.isalpha(), a.isspace()]
    found += [a.isalnum(), a.isdigit(), a.isprintable() == a.isprintable()]
    things = {a: 1}
    things[b] = 2
    found += [things.get(a), things.get("" + b), [*things], a in things, len({a, b, "" + a})]
    found += [(a, b) == ("" + a, "" + b), [a, b].index(b), (a, b) in {(a, b)}, isinstance(a, str)]
    found += [[*sorted([a, b, "\U0001f600", "\uffe5"])], [*sorted([[a], [b]])]]
    found += [[*sorted([a, b, "\U0001f600"], key=lambda each: each, reverse=True)]]
    return found

def literals():
    """What the translator wrote equals what is made."""
    found = ["\U0001f42a" == chr(0x1F42A), "\U0001f42a" in {chr(0x1F42A)}, len("\U0001f42a")]
    found += [{"\U0001f42a": 1}.get(chr(0x1F42A)), "\U0001f42a" == "Bob \U0001f42a"[4:]]
    match chr(0x1F42A):
        case "\U0001f42a":
            found.append("matched")
    found += [type("\U0001f42a").__name__, type(f"{3}\U0001f42a").__name__]
    return found

def play(text):
    texts = loads(text)
    found = [literals(), [looked_at(a) for a in texts], [made(a) for a in texts]]
    return dumps([*found, [asked(a, b) for a in texts for b in texts]])
'''

IN_BROWSER = (
    f"from browser import window\nfrom _native import dumps, loads\n{PROGRAM}\nwindow.play = play"
)


def test_strings_behave_as_in_python(browser: Browser) -> None:
    here: dict[str, Any] = {"dumps": json.dumps, "loads": json.loads}
    exec(PROGRAM, here)
    page = workbench(browser)
    shown = json.loads(run_python(page, IN_BROWSER, "play", json.dumps(TEXTS)))
    page.close()
    wanted = json.loads(here["play"](json.dumps(TEXTS)))
    assert shown[0] == wanted[0]
    for part in (1, 2, 3):
        for got, want in zip(shown[part], wanted[part], strict=True):
            different = [
                (at, mine, theirs)
                for at, (mine, theirs) in enumerate(zip(got, want, strict=True))
                if mine != theirs
            ]
            assert different == [], (part, different)


BORDER = """
from browser import window
from _native import (
    build, byte_count, canonical, current_location, decode_fragment, dumps, el, encode_fragment,
    fill, go, loads, loads_or_none, local_match_get, local_match_put, local_storage,
    match_cache_get, match_cache_put, outbox_all, outbox_put, patch, set_title, svg, to_builtins,
)
from msgspec import Struct


class Seat(Struct):
    __struct_fields__ = ("name",)  # as the build writes them
    __struct_defaults__ = {}


def gone_through(text):
    \"\"\"What comes back of a text by each way out of Python and in again.\"\"\"
    for made in ("".join([*text]), f"{text}", text + "", text[:3] + text[3:]):
        drawn = svg("text", {}, made)
        node = el("p", {"title": made, "class": made[:0]}, made, [made, (made,)], drawn)
        window.document.body.appendChild(node)
        found = [node.textContent == text * 4, node.title, node.getAttribute("title")]
        found += [fill(node, made).textContent, node.firstChild.data]
        patch(node, {"aria-label": made, "value": made})
        typed = lambda event: found.append(event.target.value)
        field = el("input", {"value": made, "oninput": typed})
        found += [node.getAttribute("aria-label"), field.value]
        field.value = made
        field.dispatchEvent(window.Event.new("input"))
        local_storage("text", made)
        set_title(made)
        found += [local_storage("text"), window.document.title]
        found += [decode_fragment(encode_fragment(made))]
        found += [loads(dumps(made)), loads_or_none(dumps({made: made}))[made]]
        found += [loads(canonical([made]))[0]]
        found += [to_builtins(Seat(made))["name"], to_builtins({made: [made]})[made][0]]
        found += [build(Seat, {"name": made}).name, loads(dumps(Seat(name=made)))["name"]]
        go("?" + window.URLSearchParams.new([["q", made]]).toString(), True)
        found += [current_location()[1]["q"]]
        for each in found[1:]:
            same = each == text and type(each) is str and len(each) == len(text)
            found[0] = found[0] and same and {each: 1}.get(text) == 1
    return [found[0], byte_count(text) == len(text.encode()), *found[1:]]


def play(text):
    return dumps([gone_through(each) for each in loads(text)])


def keep_all(text):
    \"\"\"Into each of the databases of the device and back; the answers come one by one.\"\"\"
    words, answers = loads(text), {}

    def heard(shelf):
        def put(*found):
            answers[shelf] = found
            window.answers = dumps(answers)

        return put

    each = {words: words, "list": [words, Seat(words)]}
    outbox_put({"key": words, "body": each}, lambda done, _: outbox_all(heard("outbox")))
    match_cache_put({"id": words, "name": words}, [{"version": 1, "text": words}], 0)
    match_cache_get(words, heard("tables"))
    head = {"id": words, "name": words}
    then = lambda done, _: local_match_get(words, heard("matches"))
    local_match_put(head, [each], 0, then)


window.play = play
window.keep_all = keep_all
"""


def test_text_survives_the_round_trip_to_javascript(browser: Browser) -> None:
    page = workbench(browser)
    page.evaluate("document.title = 'Caravanserai'")
    texts = [text for text in TEXTS if text.strip() == text and text]
    shown = json.loads(run_python(page, BORDER, "play", json.dumps(texts)))
    for text, (same, bytes_counted, *ways) in zip(texts, shown, strict=True):
        assert (text, same, bytes_counted) == (text, True, True), ways
        assert {*ways} == {text}
    for text in texts:
        run_python(page, BORDER, "keep_all", json.dumps(text))
        page.wait_for_function("Object.keys(JSON.parse(window.answers || '{}')).length === 3")
        answers = json.loads(page.evaluate("window.answers"))
        page.evaluate("window.answers = undefined")
        each, head = {text: text, "list": [text, {"name": text}]}, {"id": text, "name": text}
        assert answers["matches"] == [True, [head, [each]]]
        _, (known, events) = answers["tables"]
        assert (known["id"], known["name"], events) == (text, text, [{"version": 1, "text": text}])
        assert {"key": text, "body": each} in answers["outbox"][1][0]
    page.close()


def test_sorted_json_has_the_order_of_msgspec(browser: Browser) -> None:
    """Document hashes are computed over it."""
    document = {text: number for number, text in enumerate(TEXTS)}
    page = workbench(browser)
    source = (
        "from browser import window\nfrom _native import canonical, loads\n"
        "window.play = lambda text: canonical(loads(text))"
    )
    shown = run_python(page, source, "play", json.dumps(document))
    page.close()
    assert shown.encode() == msgspec.json.encode(document, order="sorted")
