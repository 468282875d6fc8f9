"""Packages that are made here, so that preparing needs no registry."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import tarfile
import zipfile
from pathlib import Path


def wheel(folder: Path, name: str, code: str) -> None:
    inside = f"{name}-1.0.dist-info"
    files = {
        f"{name}.py": code,
        f"{inside}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        f"{inside}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files[f"{inside}/RECORD"] = "".join(f"{path},,\n" for path in (*files, f"{inside}/RECORD"))
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)


def node_package(name: str, code: str, script: str) -> tuple[bytes, str]:
    """A package with a script for its installation, and the lock file of a repository that needs it."""
    files = {
        "package.json": json.dumps({"name": name, "version": "1.0.0", "scripts": {"install": script}}),
        "index.js": code,
    }
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w:gz") as archive:
        for path, text in files.items():
            entry = tarfile.TarInfo(f"package/{path}")
            entry.size, entry.mode = len(text), 0o644
            archive.addfile(entry, io.BytesIO(text.encode()))
    content = target.getvalue()
    integrity = "sha512-" + base64.b64encode(hashlib.sha512(content).digest()).decode()
    named = {"version": "1.0.0", "resolved": f"file:{name}-1.0.0.tgz", "integrity": integrity, "hasInstallScript": True}
    wanted = {name: f"file:{name}-1.0.0.tgz"}
    lock = {"lockfileVersion": 3, "packages": {"": {"dependencies": wanted}, f"node_modules/{name}": named}}
    return content, json.dumps(lock)
