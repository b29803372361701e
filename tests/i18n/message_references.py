"""The references to messages in the code, found in its syntax trees.

A message id in the code is a constant ("undo.ask_turn"), or is composed ("ware-" + ware). The text
domain of a reference follows from the file, or from the module that the function ``t`` comes from.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from frontend import message_catalogue

ROOT = message_catalogue.ROOT
GAMES = message_catalogue.games()
LANGUAGES = message_catalogue.languages()
"""Plural forms and messages of each language, read once for all tests of messages."""
MESSAGES = LANGUAGES[message_catalogue.ENGLISH][1]
"""The English messages by text domain and id."""
MESSAGE_ARGUMENTS = {
    "ApiProblem": (2,),
    "BadFile": (0,),
    "BadPosition": (1,),
    "CommandFailed": (0,),
    "DrawMismatch": (0,),
    "Fault": (0,),
    "IllegalMove": (1,),
    "InvalidDecision": (0,),
    "Label": (0,),
    "Message": (0,),
    "N_": (0,),
    "Picture": (0,),
    "Refused": (1,),
    "UndoKind": (1,),
    "_require": (1,),
    "points": tuple(range(20)),
    "ruling": (0,),
    "section": tuple(range(1, 20)),
    "t": (0,),
}
"""Which positional arguments of a function or class are message ids."""
MESSAGE_KEYWORDS = {"GameInfo": ("about",), "Meta": ("title", "description")}
"""Which keyword arguments of a class are message ids."""
OF_ONE_PACKAGE = dict.fromkeys(("Message", "Meta", "points", "section"), "domain")
"""Names that mean something else outside one package."""
TAKES_DICT = {"Fault": 1, "Label": 1, "Message": 1}
"""The position of the dict of arguments, where they are not keyword arguments."""
_COMPOSED = re.compile(r"\w\\?[-.]\(|\)\\?[-.]\w")
"""A variable part that a separator joins to a constant part."""
_TEMPLATE_TEXT = re.compile(r"\{\{text\.([\w.-]+)\}\}")


@dataclass(frozen=True)
class Reference:
    """A message id passed to a function.

    ``pattern``: a regular expression of the possible ids; its groups are the variable parts.
    ``arguments``: the names of the arguments passed with it, or None if they are not known.
    """

    place: str
    function: str
    text_domain: str
    pattern: str
    arguments: frozenset[str] | None

    def ids(self) -> list[str]:
        """Return the ids of the messages that the reference may mean."""
        known = MESSAGES[self.text_domain]
        if "(" in self.pattern:
            return [key for key in known if re.fullmatch(self.pattern, key)]
        return [key for key in known if re.escape(key) == self.pattern]


@dataclass
class Code:
    """What the code of a part of the program consists of.

    ``constants``: all strings except docstrings; ``names``: of classes; ``patterns``: regular
    expressions of composed strings, whose groups are the variable parts.
    """

    constants: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    patterns: set[str] = field(default_factory=set)

    def __or__(self, other: "Code") -> "Code":
        return Code(
            self.constants | other.constants,
            self.names | other.names,
            self.patterns | other.patterns,
        )

    def knows(self, part: str) -> bool:
        """Return whether a variable part of an id may occur: a string, a class or a number."""
        if part in self.constants or part in self.names or part.isdigit() or part == "None":
            return True
        return self.composes(part)

    def composes(self, key: str) -> bool:
        """Return whether an id is composed by this code."""
        found = [re.fullmatch(pattern, key) for pattern in self.patterns]
        return any(each and all(map(self.knows, each.groups())) for each in found)


def modules() -> list[Path]:
    """Return the source files of the product."""
    return [
        path
        for package in ("domain", "service", "frontend")
        for path in sorted((ROOT / package).rglob("*.py"))
        if "build" not in path.relative_to(ROOT).parts[:-1]
    ]


def game_of(path: Path) -> str | None:
    """Return the game that a source file belongs to, or None."""
    parts = path.relative_to(ROOT).parts
    for base in (("domain", "games"), ("frontend", "app", "games")):
        if parts[: len(base)] == base and parts[len(base)] in GAMES:
            return parts[len(base)]
    return None


def text_domain_of(path: Path) -> str:
    """Return the text domain of the messages in a source file."""
    package = path.relative_to(ROOT).parts[0]
    shared = {"domain": "kernel", "service": "service", "frontend": "page"}
    return game_of(path) or shared[package]


@cache
def syntax_tree(path: Path) -> ast.Module:
    """Return the syntax tree of a source file."""
    return ast.parse(path.read_text())


def pattern_of(node: ast.expr) -> str | None:
    """Return a regular expression of the strings that an expression can be; None if unknown."""
    match node:
        case ast.Constant(value=str(value)):
            return re.escape(value)
        case ast.JoinedStr(values=parts):
            return "".join(
                pattern_of(part) or "(.+)" if isinstance(part, ast.Constant) else "(.+)"
                for part in parts
            )
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            found = pattern_of(left), pattern_of(right)
            return None if found == (None, None) else "".join(each or "(.+)" for each in found)
        case _:
            return None


def _choices(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the expressions of which one is the value of an expression."""
    match node:
        case ast.IfExp(body=body, orelse=orelse):
            yield from _choices(body)
            yield from _choices(orelse)
        case ast.BoolOp(values=values):
            for each in values:
                yield from _choices(each)
        case ast.Call(func=ast.Name(id="N_")):
            return  # a reference by itself
        case ast.Starred() | ast.Call():
            return
        case _:
            yield node


def _name_of(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


def _imported_t(tree: ast.Module) -> str | None:
    """Return the text domain of the ``t`` that a module imports, or None."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and any(each.name == "t" for each in node.names):
            module = node.module or ""
            shared = {"frontend.app.core.i18n": "page", "service.http.i18n": "service"}
            return shared.get(module) or module.split(".")[-2]
    return None


def references() -> Iterator[Reference]:
    """Yield the references to messages in the code."""
    for path in modules():
        tree = syntax_tree(path)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                for message in _message_arguments(node, path):
                    yield from _references(node, message, path, tree)


def _message_arguments(call: ast.Call, path: Path) -> Iterator[ast.expr]:
    name = _name_of(call.func)
    package = path.relative_to(ROOT).parts[0]
    if OF_ONE_PACKAGE.get(name, package) == package:
        positions = MESSAGE_ARGUMENTS.get(name, ())
        yield from (each for i, each in enumerate(call.args) if i in positions)
        keywords = MESSAGE_KEYWORDS.get(name, ())
        yield from (each.value for each in call.keywords if each.arg in keywords)
    if name == "Meta":
        for node in ast.walk(call):
            if isinstance(node, ast.Dict):
                for key, value in zip(node.keys, node.values, strict=True):
                    if getattr(key, "value", "") == "titles" and isinstance(value, ast.List):
                        yield from value.elts


def _references(
    call: ast.Call, message: ast.expr, path: Path, tree: ast.Module
) -> Iterator[Reference]:
    name = _name_of(call.func)
    own = _imported_t(tree) if name == "t" else None
    for choice in _choices(message):
        pattern = pattern_of(choice)
        if pattern is not None:
            place = f"{path.relative_to(ROOT)}:{call.lineno}"
            text_domain = own or text_domain_of(path)
            yield Reference(place, name, text_domain, pattern, _arguments(call, name))


def _arguments(call: ast.Call, name: str) -> frozenset[str] | None:
    if name in ("N_", "Picture", "Meta", "GameInfo", "section", "points", "ruling"):
        return None
    if name in ("BadFile", "UndoKind"):
        return None
    if name in TAKES_DICT:
        given = (
            call.args[TAKES_DICT[name]] if len(call.args) > TAKES_DICT[name] else ast.Dict([], [])
        )
        return _keys(given)
    if name == "ApiProblem":
        named = {each.arg: each.value for each in call.keywords}
        return None if None in named else _keys(named.get("args", ast.Dict([], [])))
    names = [each.arg for each in call.keywords]
    return None if None in names else frozenset(filter(None, names))


def _keys(given: ast.expr) -> frozenset[str] | None:
    """Return the keys of a dict display, or None if they are not all constants."""
    if not isinstance(given, ast.Dict):
        return None
    keys = [key.value for key in given.keys if isinstance(key, ast.Constant)]
    return frozenset(map(str, keys)) if len(keys) == len(given.keys) else None


def code(paths: list[Path]) -> Code:
    """Return what the source files consist of."""
    found = Code()
    for path in paths:
        tree = syntax_tree(path)
        documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.constants |= set() if id(node) in documents else {node.value}
            elif isinstance(node, ast.ClassDef):
                found.names.add(node.name)
            elif isinstance(node, ast.JoinedStr | ast.BinOp):
                pattern = pattern_of(node)
                if pattern and _COMPOSED.search(pattern):
                    found.patterns.add(pattern)
    return found


def template_texts() -> set[str]:
    """Return the ids of the texts in the static templates."""
    static = ROOT / "frontend" / "static"
    return {
        key
        for path in static.rglob("*")
        if path.suffix in (".html", ".js", ".webmanifest")
        for key in _TEMPLATE_TEXT.findall(path.read_text())
    }
