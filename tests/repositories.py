"""Small repositories in a folder, and what detection sees of them."""

from collections.abc import Mapping
from pathlib import Path

from handrail.changes.environments.sources import Sources


def repository(root: Path, files: Mapping[str, str | bytes]) -> Sources:
    for path, content in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return Sources(root)
