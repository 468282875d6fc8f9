"""`ensure_import`: an import that is there afterwards, once."""

from __future__ import annotations

import tree_sitter

from handrail.changes.editing.desk import Edit, changed, existing
from handrail.changes.editing.errors import BadArguments
from handrail.changes.editing.grammars import parse
from handrail.changes.editing.texts import Splice, Text, lines_of
from handrail.changes.editing.trees import Tree
from handrail.codegraph import languages, reading
from handrail.codegraph.facts import MODULE_SCOPE, Import

_IMPORTS = frozenset(
    {
        "import_statement", "import_from_statement", "future_import_statement", "import_declaration", "using_directive",
        "use_declaration", "preproc_include",
    }
)  # fmt: skip
_BEFORE = frozenset({"package_declaration", "package_clause", "hash_bang_line"})


def ensure_import(tree: Tree, path: str, hash: str, statement: str) -> tuple[Edit, ...]:  # noqa: A002
    """No edit where all of it is imported at the top level already, under the same names."""
    file, text = existing(tree, path, hash)
    lines = lines_of(statement.strip(), "statement")
    given = Text(lines, ("\n",) * len(lines))
    wanted = _names(_imports(path, given)) | _futures(path, given)
    if not wanted:
        raise BadArguments(f"{statement.strip()[:200]!r} is not an import statement of {path}'s language.")
    if wanted <= _names(_imports(path, text)) | _futures(path, text):
        return ()
    at = _first(path, text) if statement.lstrip().startswith("from __future__") else _position(path, text)
    return (changed(path, file, text.spliced([Splice(at, at, lines)])),)


def _imports(path: str, text: Text) -> list[Import]:
    if languages.language_of(path) is None:
        raise BadArguments(f"How imports are written in {path} is not known here. Use replace_text.")
    return [each for each in reading.facts_of(path, text.source).imports if each.scope == MODULE_SCOPE]


def _futures(path: str, text: Text) -> set[tuple[str, str, str, bool]]:
    """Python's `from __future__`, which the code graph does not count among a file's imports."""
    root = parse(path, text.source)
    nodes = [node for node in root.children if node.type == "future_import_statement"] if root is not None else []
    names = (name for node in nodes for name in node.children_by_field_name("name") if name.text is not None)
    return {("__future__", name.text.decode(), "", False) for name in names if name.text is not None}


def _names(imports: list[Import]) -> set[tuple[str, str, str, bool]]:
    """What each brings: from where, under which name. A type-only import is not the whole one."""
    found: set[tuple[str, str, str, bool]] = set()
    for each in imports:
        for there, here in each.names or (("", ""),):
            found.add((each.target, there, here, each.kind == "type"))
    return found


def _position(path: str, text: Text) -> int:
    """After the last import of the file's head; without one, after what must come first."""
    found = _first(path, text)
    root = parse(path, text.source)
    for node in root.children if root is not None else ():
        if node.type in _IMPORTS:
            found = max(found, node.end_point.row + (node.end_point.column > 0))
        elif node.type != "comment" and not _is_head(node):
            break
    return found


def _first(path: str, text: Text) -> int:
    """After interpreter and encoding lines, the module's docstring, directives and the package's name."""
    found = 0
    while found < len(text.lines) and found < 2 and text.lines[found].startswith(("#!", "# -*-", "# coding", "# vim")):
        found += 1
    root = parse(path, text.source)
    for node in root.children if root is not None else ():
        if _is_head(node):
            found = max(found, node.end_point.row + (node.end_point.column > 0))
        elif node.type != "comment":
            break
    return found


def _is_head(node: tree_sitter.Node) -> bool:
    if node.type in _BEFORE:
        return True
    inner = node.children[0] if node.type == "expression_statement" and node.children else None
    return inner is not None and inner.type == "string"
