"""A repository in a folder, and the tools over it."""

from pathlib import Path
from typing import Any

from handrail.changes.editing.syntax import ParseGate
from handrail.changes.editing.texts import hash_of
from handrail.changes.editing.toolbox import Answer, Toolbox
from handrail.changes.editing.trees import Folder

GATE = ParseGate()


class Workshop:
    """Calls tools as a model does, giving the hash of what is there unless a test says otherwise."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.tree = Folder(root)
        self.toolbox = Toolbox(self.tree, GATE)

    def put(self, path: str, content: str | bytes) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())

    def text(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def hash(self, path: str) -> str:
        return hash_of((self.root / path).read_bytes())

    def call(self, name: str, **arguments: Any) -> Answer:
        needs_hash = name in {"replace_text", "replace_symbol", "insert", "ensure_import", "delete", "move"}
        if needs_hash and "hash" not in arguments and (self.root / arguments["path"]).is_file():
            arguments["hash"] = self.hash(arguments["path"])
        return self.toolbox.call(name, arguments)

    def done(self, name: str, **arguments: Any) -> Answer:
        answer = self.call(name, **arguments)
        assert not answer.code, answer.text
        return answer

    def refused(self, name: str, **arguments: Any) -> Answer:
        """A refusal, after which every file is as it was."""
        before = self.snapshot()
        answer = self.call(name, **arguments)
        assert answer.code, f"not refused: {answer.text}"
        assert self.snapshot() == before
        return answer

    def snapshot(self) -> dict[str, bytes]:
        files = (path for path in self.root.rglob("*") if path.is_file() and not path.is_symlink())
        return {path.relative_to(self.root).as_posix(): path.read_bytes() for path in files}
