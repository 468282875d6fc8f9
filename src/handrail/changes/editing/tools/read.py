"""`read`: a file or a part of it, with the hash that edits of it must give."""

from __future__ import annotations

from handrail.changes.editing.desk import existing
from handrail.changes.editing.errors import BadArguments
from handrail.changes.editing.symbols import region, shown, symbols_of
from handrail.changes.editing.texts import Text, hash_of
from handrail.changes.editing.trees import Tree

MOST_LINES = 1_500
MOST_CHARACTERS = 60_000
MOST_SYMBOLS = 400


def read(tree: Tree, path: str, symbol: str | None = None, lines: str | None = None) -> str:
    """The lines as they are, without numbers, so that they can be quoted. A file too long for a model's window is
    answered by its outline."""
    if symbol and lines:
        raise BadArguments("Give `symbol` or `lines`, not both.")
    file, text = existing(tree, path)
    span = region(path, text, symbol or lines)
    part = "\n".join(text.lines[span.start : span.stop])
    head = f"{path} hash={hash_of(file.data)} {shown(span) if span else 'empty'} of {len(text.lines)}"
    if len(span) > MOST_LINES or len(part) > MOST_CHARACTERS:
        return f"{head}: too long to show at once. Read a symbol or lines of it.\n{_outline(path, text, span)}"
    return f"{head}\n{part}"


def _outline(path: str, text: Text, span: range) -> str:
    symbols = [each for each in symbols_of(path, text) if each.span.start in span]
    kept = [each for each in symbols if each.kind not in {"field", "variable", "constant"}]
    lines = [f"{shown(each.span)}: {each.kind} {each.name}" for each in kept[:MOST_SYMBOLS]]
    return "\n".join([*lines, f"and {len(kept) - len(lines)} more"] if len(kept) > len(lines) else lines)
