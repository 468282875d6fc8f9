"""`replace_text`: lines of a file by others, where the old ones are found in one place."""

from handrail.changes.editing.desk import Edit, changed, existing
from handrail.changes.editing.placing import replaced
from handrail.changes.editing.symbols import region
from handrail.changes.editing.texts import lines_of
from handrail.changes.editing.trees import Tree


def replace_text(tree: Tree, path: str, hash: str, old: str, new: str, within: str | None = None) -> tuple[Edit, ...]:  # noqa: A002
    file, text = existing(tree, path, hash)
    splices = replaced(path, text, lines_of(old, "old"), lines_of(new, "new"), region(path, text, within))
    return (changed(path, file, text.spliced(splices)),)
