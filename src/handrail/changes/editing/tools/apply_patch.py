"""`apply_patch`: changes of several files at once, all or none."""

from __future__ import annotations

from itertools import pairwise

from handrail.changes.editing.desk import Edit, absent, existing
from handrail.changes.editing.errors import Ambiguous, BadPatch, NoFile
from handrail.changes.editing.hunks import Hunk
from handrail.changes.editing.patches import FilePatch, parse
from handrail.changes.editing.placing import placed
from handrail.changes.editing.symbols import symbols_of
from handrail.changes.editing.texts import Splice, Text
from handrail.changes.editing.trees import File, Tree


def apply_patch(tree: Tree, patch: str) -> tuple[Edit, ...]:
    """Hunks belong where their lines are: each must have one place in the file as it is now."""
    return tuple(edit for each in parse(patch) for edit in _edits(tree, each))


def _edits(tree: Tree, patch: FilePatch) -> tuple[Edit, ...]:
    if patch.action == "create":
        absent(tree, patch.path)
        lines = [line.text for _, hunk in patch.hunks for line in hunk.lines if line.sign != "-"]
        return (Edit(patch.path, None, File("".join(f"{line}\n" for line in lines).encode())),)
    file = tree.read(patch.path)
    if file is None:
        raise NoFile(f"There is no file {patch.path}.")
    if patch.action == "delete":
        return (Edit(patch.path, file, None),)
    after = file._replace(data=_patched(patch, existing(tree, patch.path)[1]).data) if patch.hunks else file
    if patch.to is None:
        return (Edit(patch.path, file, after),)
    absent(tree, patch.to)
    return (Edit(patch.to, None, after), Edit(patch.path, file, None))


def _patched(patch: FilePatch, text: Text) -> Text:
    splices: list[Splice] = []
    for number, (header, hunk) in enumerate(patch.hunks, 1):
        if not hunk.changes:
            raise BadPatch(f"Hunk {number} of {patch.path} changes nothing: no line of it begins with - or +.")
        if not any(line.text.strip() for line in hunk.old) and text.lines:
            raise BadPatch(f"Hunk {number} of {patch.path} only adds lines. Give lines around them, to say where.")
        splices.extend(_placed(patch.path, text, header, hunk))
    for one, two in pairwise(sorted(splices)):
        if two.start < one.end or two.start == one.start:
            raise BadPatch(f"Two hunks of {patch.path} change line {two.start + 1}. Make them one.")
    return text.spliced(splices)


def _placed(path: str, text: Text, header: str, hunk: Hunk) -> list[Splice]:
    """A header that names the line of a symbol decides between several places."""
    if not text.lines:
        return [Splice(0, 0, tuple(line.text for line in hunk.lines if line.sign == "+"))]
    whole = range(len(text.lines))
    try:
        return placed(path, text, hunk, whole)
    except Ambiguous:
        named = [at for at, line in enumerate(text.lines) if header and line.strip() == header]
        around = [each.span for each in symbols_of(path, text) if len(named) == 1 and named[0] in each.span]
        starts = [span for span in around if text.lines[span.start].strip() == header or span.start == named[0]]
        if not starts:
            raise
        return placed(path, text, hunk, min(starts, key=len))
