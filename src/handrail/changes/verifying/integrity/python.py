"""The tests of a Python file, by its syntax tree."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from handrail.changes.verifying.integrity.suite import Item, Suite, entry

_SKIP = re.compile(
    r"(^|\.)(mark\.(skip|skipif|xfail)|pytest\.(skip|xfail|importorskip)|unittest\.skip(If|Unless|Test)?"
    r"|skipTest|SkipTest|skipIf|skipUnless|expectedFailure)$|^(skip|xfail|importorskip)$"
)
_ASSERTING = re.compile(
    r"(^|\.)(assert_?[A-Za-z_]\w*|fail(Unless|If)?|(pytest\.)?(raises|warns|deprecated_call)|assertpy\.\w+)$"
)
_SWALLOWED = frozenset({"AssertionError", "Exception", "BaseException"})
_NOT_COLLECTED = frozenset({"__test__", "collect_ignore", "collect_ignore_glob"})
_NO_STEPS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_ENDS = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def read(source: str) -> Suite:
    """Raises SyntaxError, ValueError or RecursionError for what Python cannot parse."""
    suite: Suite = {}
    tree = ast.parse(source)
    _Reader(suite).visit(tree)
    suite[""].body = "\n".join(ast.unparse(each) for each in tree.body if not isinstance(each, _NO_STEPS))
    return suite


class _Reader(ast.NodeVisitor):
    def __init__(self, suite: Suite) -> None:
        self._suite = suite
        self._here = entry(suite, "", 1, False)
        self._classes: list[ast.ClassDef] = []
        self._in_function = False
        self._muted = 0

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        outer, self._here = self._here, entry(self._suite, self._qualified(node.name), node.lineno, False)
        self._classes.append(node)
        self.generic_visit(node)
        self._classes.pop()
        self._here = outer

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        if self._in_function:
            self._block(node)
            return
        is_test = node.name.startswith("test") and all(map(_is_collected, self._classes))
        outer, self._here = self._here, entry(self._suite, self._qualified(node.name), node.lineno, is_test)
        self._here.body = _steps(node)
        self._here.cases.extend(_cases(node))
        self._in_function = True
        self._block(node)
        self._in_function = False
        self._here = outer

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Assert(self, node: ast.Assert) -> None:
        if not _is_always_true(node.test):
            self._asserted(node, ast.unparse(node.test))
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = _dotted(node.func)
        if _SKIP.search(name):
            self._here.skips.append(Item(ast.unparse(node), node.lineno))
            self._all([*node.args, *(keyword.value for keyword in node.keywords)])
            return
        if _ASSERTING.search(name):
            self._asserted(node, ast.unparse(node))
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if _SKIP.search(_dotted(node)):
            self._here.skips.append(Item(ast.unparse(node), node.lineno))
        else:
            self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if _SKIP.search(node.id):
            self._here.skips.append(Item(node.id, node.lineno))

    def visit_Assign(self, node: ast.Assign) -> None:
        if any(isinstance(target, ast.Name) and self._hides(target.id) for target in node.targets):
            self._here.skips.append(Item(ast.unparse(node), node.lineno))
        self.generic_visit(node)

    def visit_Delete(self, node: ast.Delete) -> None:
        if any(isinstance(target, ast.Name) and self._hides(target.id) for target in node.targets):
            self._here.skips.append(Item(ast.unparse(node), node.lineno))

    def _hides(self, name: str) -> bool:
        """`test_total = None` takes the place of a test of that name."""
        return name in _NOT_COLLECTED or (not self._in_function and name.startswith("test_"))

    def visit_If(self, node: ast.If) -> None:
        self.visit(node.test)
        self._all(node.body, muted=isinstance(node.test, ast.Constant) and not node.test.value)
        self._all(node.orelse, muted=isinstance(node.test, ast.Constant) and bool(node.test.value))

    def visit_Try(self, node: ast.Try) -> None:
        self._all(node.body, muted=any(map(_swallows, node.handlers)))
        self._all([*node.handlers, *node.orelse, *node.finalbody])

    def visit_With(self, node: ast.With) -> None:
        suppressing = any(
            isinstance(item.context_expr, ast.Call)
            and _dotted(item.context_expr.func).endswith("suppress")
            and any(_dotted(each) in _SWALLOWED for each in item.context_expr.args)
            for item in node.items
        )
        self._all([item.context_expr for item in node.items])
        self._all(node.body, muted=suppressing)

    def _asserted(self, node: ast.expr | ast.stmt, text: str) -> None:
        if not self._muted:
            self._here.asserts.append(Item(text, node.lineno))

    def _block(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._all(node.decorator_list)
        self._all(node.body)

    def _all(self, nodes: Sequence[ast.AST], *, muted: bool = False) -> None:
        """In order; what stands behind a `return` never runs."""
        level = self._muted
        self._muted += muted
        for node in nodes:
            self.visit(node)
            self._muted += isinstance(node, _ENDS)
        self._muted = level

    def _qualified(self, name: str) -> str:
        return ".".join((*(each.name for each in self._classes), name))


def _is_collected(node: ast.ClassDef) -> bool:
    """pytest goes by the name, unittest by the base."""
    return node.name.startswith("Test") or bool(node.bases)


def _dotted(node: ast.AST) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    parts.append(node.id if isinstance(node, ast.Name) else "?")
    return ".".join(reversed(parts))


def _is_always_true(test: ast.expr) -> bool:
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
        return any(map(_is_always_true, test.values))
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq | ast.Is):
        return ast.dump(test.left) == ast.dump(test.comparators[0])
    is_full = isinstance(test, ast.Tuple) and bool(test.elts)
    return is_full or (isinstance(test, ast.Constant) and bool(test.value))


def _swallows(handler: ast.ExceptHandler) -> bool:
    kind = handler.type
    caught = [kind] if not isinstance(kind, ast.Tuple) else kind.elts
    if kind is not None and not any(_dotted(each) in _SWALLOWED for each in caught if each is not None):
        return False
    inside = [each for statement in handler.body for each in ast.walk(statement)]
    return not any(
        isinstance(each, ast.Raise | ast.Assert)
        or (isinstance(each, ast.Call) and _ASSERTING.search(_dotted(each.func)))
        for each in inside
    )


def _steps(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    return "\n".join(ast.unparse(each) for each in (*node.decorator_list, node.args, *body))


def _cases(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Item]:
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and _dotted(decorator.func).endswith("parametrize"):
            values = [*decorator.args[1:2], *(k.value for k in decorator.keywords if k.arg == "argvalues")]
            for value in values:
                rows = value.elts if isinstance(value, ast.List | ast.Tuple | ast.Set) else [value]
                yield from (Item(ast.unparse(row), row.lineno) for row in rows)
