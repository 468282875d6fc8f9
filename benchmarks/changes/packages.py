"""Real edits: the hunks between two releases of a package, fetched from its registry."""

from __future__ import annotations

import difflib
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).parents[2]
PYTHON = {
    "attrs": ("23.2.0", "24.2.0"), "flask": ("3.0.0", "3.1.0"), "httpx": ("0.26.0", "0.28.0"),
    "click": ("8.1.7", "8.2.0"), "jinja2": ("3.1.2", "3.1.6"), "requests": ("2.31.0", "2.32.3"),
    "rich": ("13.7.0", "13.9.4"),
}  # fmt: skip
NODE = {"express": ("4.18.2", "4.21.2"), "commander": ("11.1.0", "12.1.0"), "zod": ("3.22.4", "3.23.8")}
PER_PACKAGE = 12
MOST_LINES = 900
"""Of a file: similarity over all windows of a longer one takes a peer's rule seconds an edit."""
CONTEXT = 3
LONGEST = 40


@dataclass(frozen=True)
class Hunk:
    package: str
    path: str
    source: str
    start: int
    """Index of the first old line."""
    before: tuple[str, ...]
    gone: tuple[str, ...]
    came: tuple[str, ...]
    after: tuple[str, ...]

    @property
    def old(self) -> str:
        return "".join((*self.before, *self.gone, *self.after))

    @property
    def new(self) -> str:
        return "".join((*self.before, *self.came, *self.after))

    @property
    def offset(self) -> int:
        return len("".join(self.source.splitlines(keepends=True)[: self.start]))

    @property
    def meant(self) -> str:
        return self.source[: self.offset] + self.new + self.source[self.offset + len(self.old) :]

    def narrowed(self, context: int) -> Hunk:
        before = self.before[len(self.before) - min(context, len(self.before)) :]
        start = self.start + len(self.before) - len(before)
        return replace(self, before=before, after=self.after[:context], start=start)


def hunks(folder: Path) -> list[Hunk]:
    """Single hunks of up to LONGEST lines, PER_PACKAGE of each, spread over its files."""
    found: list[Hunk] = []
    for package, versions in PYTHON.items():
        trees = [_from_pypi(folder, package, version) for version in versions]
        found.extend(_chosen(package, *trees, suffixes=(".py",)))
    for package, versions in NODE.items():
        trees = [_from_npm(folder, package, version) for version in versions]
        found.extend(_chosen(package, *trees, suffixes=(".js", ".mjs", ".cjs", ".ts")))
    return found


def _chosen(package: str, old: Path, new: Path, suffixes: tuple[str, ...]) -> list[Hunk]:
    every = [
        hunk
        for path in sorted(old.rglob("*"))
        if path.suffix in suffixes and (new / path.relative_to(old)).is_file()
        for hunk in _between(package, path.relative_to(old).as_posix(), path, new / path.relative_to(old))
    ]
    step = max(1, len(every) // PER_PACKAGE)
    return every[::step][:PER_PACKAGE]


def _between(package: str, name: str, old: Path, new: Path) -> Iterator[Hunk]:
    source = old.read_bytes().decode()
    if "\r" in source or "\x0c" in source or not source.endswith("\n"):
        return
    lines, others = source.splitlines(keepends=True), new.read_bytes().decode().splitlines(keepends=True)
    if len(lines) > MOST_LINES:
        return
    for tag, i, j, k, m in difflib.SequenceMatcher(None, lines, others, autojunk=False).get_opcodes():
        size = j - i + m - k
        if tag != "equal" and size <= LONGEST and any(line.strip() for line in (*lines[i:j], *others[k:m])):
            start = max(0, i - CONTEXT)
            yield Hunk(
                package, name, source, start, tuple(lines[start:i]), tuple(lines[i:j]), tuple(others[k:m]),
                tuple(lines[j : j + CONTEXT]),
            )  # fmt: skip


def _from_pypi(folder: Path, package: str, version: str) -> Path:
    target = folder / f"{package}-{version}"
    command = [
        ROOT / ".tools/bin/uv",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--target",
        target,
        f"{package}=={version}",
    ]
    subprocess.run(
        [*command, "--python", ROOT / ".venv/bin/python"], check=True, env={**os.environ, "UV_SYSTEM_CERTS": "1"}
    )
    for extra in ("*.dist-info", "bin"):
        for path in target.glob(extra):
            shutil.rmtree(path)
    return target


def _from_npm(folder: Path, package: str, version: str) -> Path:
    target = folder / f"{package}-{version}"
    target.mkdir()
    command = ["npm", "pack", "--silent", "--pack-destination", str(target), f"{package}@{version}"]
    subprocess.run(command, check=True, capture_output=True)
    subprocess.run(["tar", "-xzf", next(target.glob("*.tgz")), "--no-same-owner", "-C", target], check=True)
    return target / "package"
