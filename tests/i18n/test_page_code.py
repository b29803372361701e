"""The page's code: every text comes from the catalogue, and no sentence is concatenated."""

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

APP = Path(__file__).parents[2] / "frontend" / "app"
TOLD = ("t", "N_")
"""Functions whose first argument is a message id."""
SHOWS = {"el": 2, "svg": 2, "fill": 1, "button": 0, "toast": 0, "announce": 0, "Sheet": 0}
"""From which argument on a call is shown something; of `button` and `Sheet` only the first."""
SPOKEN = ("aria-label", "title", "placeholder", "alt")
NAMES = {"Caravanserai"}
_WORD = re.compile(r"[A-Za-z]{2,}")
_MARKS = re.compile(r"[ ;·,.]")
_ID = re.compile(r"[a-z][a-z0-9_]*(\.[a-z0-9][a-z0-9_]*)+|[a-z]+(-\w[\w ]*)*-?")
"""A message id, or the beginning of one that ends with a hyphen."""
_SENTENCE = re.compile(r"[A-Z][a-z]+[ ,].*[.!?]$")


def _named(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def _says(node: ast.AST) -> bool:
    """Return whether a message of the catalogue is used in here."""
    return any(isinstance(n, ast.Call) and _named(n.func) == "t" for n in ast.walk(node))


def _texts(node: ast.AST) -> Iterator[ast.Constant]:
    """Yield the text constants that an expression may evaluate to."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body)
        yield from _texts(node.orelse)
    elif isinstance(node, ast.BoolOp | ast.JoinedStr):
        for each in node.values:
            yield from _texts(each)
    elif isinstance(node, ast.List | ast.Tuple):
        for each in node.elts:
            yield from _texts(each)
    elif isinstance(node, ast.BinOp):
        yield from _texts(node.left)
        yield from _texts(node.right)


def _shown(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the expressions that become text on the page."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _named(node.func) in SHOWS:
            name = _named(node.func)
            args = node.args[SHOWS[name] :]
            yield from args[:1] if name in ("button", "Sheet") else args
        elif isinstance(node, ast.Call) and _named(node.func) == "setAttribute":
            if node.args and getattr(node.args[0], "value", "") in SPOKEN:
                yield node.args[1]
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value in SPOKEN:
                    yield value


def _message_ids(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions that are message ids."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _named(node.func) in TOLD:
            yield from node.args[:1]


def _documents(tree: ast.Module) -> set[ast.AST]:
    """Return the docstrings."""
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def outside(source: str) -> list[str]:
    """Return texts of a module that are shown and are in no catalogue."""
    tree = ast.parse(source)
    told = {text for message_id in _message_ids(tree) for text in ast.walk(message_id)}
    shown = {text for each in _shown(tree) for text in _texts(each)}
    documents = _documents(tree)
    left = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            is_text = _WORD.search(node.value) if node in shown else _SENTENCE.match(node.value)
            if is_text and node not in told and node not in documents:
                left.add(node.value)
    return sorted(left - NAMES)


def sentences(source: str) -> list[str]:
    """Return texts of a module that are passed as message ids and are none."""
    found = [str(each.value) for node in _message_ids(ast.parse(source)) for each in _texts(node)]
    return sorted(text for text in found if not _ID.fullmatch(text))


def glued(source: str) -> list[str]:
    """Return expressions of a module that concatenate a sentence."""
    found = []
    for node in ast.walk(ast.parse(source)):
        adds = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add)
        lists = adds and any(isinstance(s, ast.List | ast.Tuple) for s in (node.left, node.right))  # type: ignore[attr-defined]
        if ((adds and not lists) or isinstance(node, ast.JoinedStr)) and _says(node):
            found.append(ast.unparse(node))
        if isinstance(node, ast.Call) and _named(node.func) == "join":
            mark = getattr(getattr(node.func, "value", None), "value", "")
            numbers = any(isinstance(n, ast.Name) and n.id == "str" for n in ast.walk(node))
            if _MARKS.search(str(mark)) and not numbers:
                found.append(ast.unparse(node))
    return found


def violations(check: Callable[[str], list[str]]) -> dict[str, list[str]]:
    """Return what a check finds in each module of the page, without modules that have nothing."""
    found = {str(path.relative_to(APP)): check(path.read_text()) for path in APP.rglob("*.py")}
    assert len(found) > 150
    return {path: texts for path, texts in found.items() if texts}


def test_modules_show_only_translatable_text() -> None:
    assert violations(outside) == {}


def test_modules_pass_message_ids_to_the_translation() -> None:
    assert violations(sentences) == {}


def test_modules_concatenate_no_sentence() -> None:
    assert violations(glued) == {}


def test_checks_find_violations() -> None:
    wrong = 'el("p", {}, "start" if x else t("end")); toast("Gone."); f = "You have left it."'
    assert outside(wrong) == ["Gone.", "You have left it.", "start"]
    assert outside('el("p", {"class": "wide"}, t("go"), " "); button(t("x"), f, "primary")') == []
    assert outside('toast(t("seat.left", name="You have left it."))') == ["You have left it."]
    for each in ("Go", "Take it back?", "{name} left", "go on", "undo.Ask", "Undo.ask", ""):
        for call in ("t", "N_", "words.t"):
            assert sentences(f'{call}("undo.ask" if x else "{each}", n=1)') == [each]
    assert sentences('t("Take " + what)') == ["Take "]
    assert sentences('t(f"{who} left")') == [" left"]
    said = 't("undo.ask", who="Ada B"); t(f"ware-{x}"); t("group-Move"); t(x); t("why-" + x)'
    assert sentences(said) == []
    for each in ('t("a") + " " + b', "f'{t(a)}: {b}'", '"; ".join(parts)', '" ".join(words)'):
        assert glued(each), each
    for each in ('[t("a")] + [t("b")]', '" ".join([str(n) for n in camera])', '"&".join(query)'):
        assert glued(each) == []
