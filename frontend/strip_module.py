"""The stripping of Python modules for Brython without its standard library.

Annotations, docstrings and everything from ``typing`` are removed. What msgspec reads from
annotations is written into each struct class as ``__struct_fields__`` and ``__struct_defaults__``;
``__struct_inner__`` holds the struct class of each field that contains a struct of the same module.
"""

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

from domain.contract.bots import Bots
from domain.contract.game import Rules

TYPE_MODULES = frozenset({"typing", "collections.abc", "__future__"})
STRUCT_BASES = frozenset({"Struct"})
PROTOCOLS = {"rules": Rules, "bots": Bots}
"""The protocols of a game's modules, by module name; imports of their names are kept."""


class CannotShip(Exception):
    """Raised if code cannot be shipped, such as a module that does not exist in the browser."""


@dataclass
class StrippedModule:
    """A stripped module, ready to be translated.

    ``imports``: full names of all modules it may import; ``first``: those imported at module level,
    in order.
    """

    source: str
    imports: set[str] = field(default_factory=set)
    first: tuple[str, ...] = ()


def strip_source(source: str, name: str) -> StrippedModule:
    """Return a module's source and imports without annotations, docstrings and typing code.

    Raises `CannotShip` for relative imports and for struct fields that are not plain names.
    """
    tree = ast.parse(source, name)
    strip = _Strip(name)
    tree = strip.visit(tree)
    _drop_unused_names(tree, _offered_names(name))
    imports = _imports(ast.walk(tree), name)
    first = _imports(tree.body, name)
    ast.fix_missing_locations(tree)
    return StrippedModule(ast.unparse(tree) + "\n", set(imports), tuple(first))


class _Strip(ast.NodeTransformer):
    def __init__(self, name: str) -> None:
        self.name = name
        self.typing: set[str] = set()
        self.structs: set[str] = set(STRUCT_BASES)

    def visit_Module(self, node: ast.Module) -> ast.Module:
        node.body = self._body(node.body)
        return node

    def _body(self, body: list[ast.stmt]) -> list[ast.stmt]:
        kept: list[ast.stmt] = []
        for statement in body:
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                continue  # a docstring, also of an attribute
            result = self.visit(statement)
            if result is not None:
                kept.append(result)
        return kept

    def visit_Import(self, node: ast.Import) -> ast.Import | None:
        node.names = [alias for alias in node.names if alias.name not in TYPE_MODULES]
        return node if node.names else None

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom | None:
        if node.module in TYPE_MODULES:
            self.typing.update(alias.asname or alias.name for alias in node.names)
            return None
        return node

    def visit_If(self, node: ast.If) -> ast.stmt | None:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return None
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "cast" and "cast" in self.typing:
            return node.args[1]
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.Assign | None:
        self.generic_visit(node)
        target = node.targets[0]
        if isinstance(target, ast.Name) and self._names(node.value) & self.typing:
            self.typing.add(target.id)  # a type alias
            return None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.Assign | None:
        if node.value is None:
            return None
        if self._names(node.annotation) == {"TypeAlias"} and isinstance(node.target, ast.Name):
            self.typing.add(node.target.id)
            return None
        return self.visit_Assign(ast.Assign([node.target], node.value))

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef | None:
        bases = {name for base in node.bases for name in self._names(base)}
        if "Protocol" in bases & self.typing:
            self.typing.add(node.name)
            return None
        if bases & self.structs:
            self.structs.add(node.name)
            self._write_fields(node)
        node.bases = [base for base in node.bases if not self._names(base) & self.typing]
        node.decorator_list = [self.visit(each) for each in node.decorator_list]
        node.body = self._body(node.body) or [ast.Pass()]
        return node

    def _write_fields(self, node: ast.ClassDef) -> None:
        names: list[str] = []
        inner: list[tuple[str, str]] = []
        keys: list[ast.expr | None] = []
        values: list[ast.expr] = []
        body: list[ast.stmt] = []
        for statement in node.body:
            if not isinstance(statement, ast.AnnAssign):
                body.append(statement)
                continue
            if not isinstance(statement.target, ast.Name):
                raise CannotShip(f"{self.name}: odd field in {node.name}")
            names.append(statement.target.id)
            held = self._names(statement.annotation) & self.structs - {*STRUCT_BASES, node.name}
            inner.extend((statement.target.id, name) for name in held)
            if statement.value is not None:
                keys.append(ast.Constant(statement.target.id))
                values.append(statement.value)
        fields = ast.Tuple([ast.Constant(name) for name in names], ast.Load())
        nested = ast.Dict(
            [ast.Constant(name) for name, _ in inner],
            [ast.Name(struct, ast.Load()) for _, struct in inner],
        )
        node.body = [
            ast.Assign([ast.Name("__struct_fields__", ast.Store())], fields),
            ast.Assign([ast.Name("__struct_defaults__", ast.Store())], ast.Dict(keys, values)),
            *([ast.Assign([ast.Name("__struct_inner__", ast.Store())], nested)] if inner else []),
            *body,
        ]

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.returns = None
        for arg in ast.walk(node.args):
            if isinstance(arg, ast.arg):
                arg.annotation = None
        node.args = self.visit(node.args)
        node.decorator_list = [self.visit(each) for each in node.decorator_list]
        node.body = self._body(node.body) or [ast.Pass()]
        return node

    @staticmethod
    def _names(node: ast.AST) -> set[str]:
        return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _offered_names(module: str) -> frozenset[str]:
    """Return the names that a domain module must provide by its protocol; empty if it has none."""
    is_of_domain = module.startswith("domain.")
    protocol = PROTOCOLS.get(module.rpartition(".")[2]) if is_of_domain else None
    return frozenset(vars(protocol)) if protocol is not None else frozenset()


def _drop_unused_names(tree: ast.Module, offered: frozenset[str]) -> None:
    """Remove imports that only annotations used, so that the imported modules need not be shipped.

    Names in ``offered`` and in ``__all__`` are kept.
    """
    used = offered | {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for node in tree.body:
        if isinstance(node, ast.Assign) and _is_all(node):
            used |= {*ast.literal_eval(node.value)}
    kept: list[ast.stmt] = []
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            node.names = [a for a in node.names if (a.asname or a.name.split(".")[0]) in used]
            if not node.names:
                continue
        kept.append(node)
    tree.body = kept


def _is_all(node: ast.Assign) -> bool:
    return isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__"


def _imports(nodes: Iterable[ast.AST], name: str) -> list[str]:
    """Return the imported modules; ``from a import b`` yields both ``a`` and ``a.b``.

    Raises `CannotShip` for relative imports.
    """
    found: list[str] = []
    for node in nodes:
        if isinstance(node, ast.Import):
            found.extend(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                raise CannotShip(f"{name}: relative imports are not shipped")
            module = str(node.module)
            found.append(module)
            found.extend(f"{module}.{alias.name}" for alias in node.names)
    return found
