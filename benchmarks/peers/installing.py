"""The peers, each in an environment of its own below `.peers`, which git ignores. Nothing of them is part of
Handrail."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".peers"


class NotHad(Exception):
    """A peer cannot be installed or does not start here."""


def variables() -> dict[str, str]:
    """What a peer's program sees of this one's environment; nothing reports home."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return kept | {"LANGSMITH_TRACING": "false", "LANGGRAPH_CLI_NO_ANALYTICS": "1", "RESTATE_DISABLE_TELEMETRY": "true"}


def python(name: str, packages: Sequence[str]) -> Path:
    """The interpreter of an environment that has these packages."""
    folder, program = FOLDER / name, FOLDER / name / "bin" / "python"
    uv = ROOT / ".tools" / "bin" / "uv"
    _once(
        folder,
        packages,
        [str(uv), "venv", "--quiet", "--clear", "--python", str(ROOT / ".venv" / "bin" / "python"), str(folder)],
        [str(uv), "pip", "install", "--quiet", "--python", str(program), *packages],
    )
    return program


def node(name: str, packages: Sequence[str]) -> Path:
    """The folder of npm packages."""
    folder = FOLDER / name
    folder.mkdir(parents=True, exist_ok=True)
    install = ["npm", "install", "--silent", "--no-fund", "--no-audit", "--prefix", str(folder), *packages]
    _once(folder, packages, install)
    return folder


def _once(folder: Path, packages: Sequence[str], *commands: Sequence[str]) -> None:
    ready = folder / f".ready-{sha256(repr(packages).encode()).hexdigest()[:16]}"
    if ready.exists():
        return
    for command in commands:
        try:
            subprocess.run(command, check=True, capture_output=True, env={**os.environ, "UV_SYSTEM_CERTS": "1"})
        except (OSError, subprocess.CalledProcessError) as error:
            raise NotHad(f"{packages[0]} cannot be installed here") from error
    ready.touch()
