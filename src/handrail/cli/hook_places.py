"""What an installed hook has on this machine: its configuration with the token, and the `sh` script that agents run."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from handrail.cli.hook_run import home

Json = dict[str, Any]

PROBE = "HandrailProbe"
_SCRIPT = """\
#!/bin/sh
# Handrail's hook for {agent}. Agents take a hook that fails for a yes, so every end of the program below that is not a
# complete answer, even a killed one, becomes exit 2, which blocks the call.
# 3 leads to the agent: when it has died, the program ends too, and uses no approval for nobody
exec 3>&1
answer=$({python} -I -S -c {code} {agent} {config} "$@")
ended=$?
if [ "$ended" -eq 0 ]; then
  case $answer in
    '{{'*'}}') printf '%s\\n' "$answer" && exit 0 ;;
  esac
fi
[ "$ended" -eq 2 ] || echo "Handrail blocked this call: its hook ended with $ended and without an answer." >&2
exit 2
"""


@dataclass(frozen=True, slots=True)
class Place:
    """One installation: of a user, or of a project."""

    agent: str
    project: Path | None

    @property
    def folder(self) -> Path:
        mark = hashlib.sha256(str(self.project).encode()).hexdigest()[:8] if self.project else "user"
        return home() / f"{self.agent}-{mark}"

    @property
    def config(self) -> Path:
        return self.folder / "config.json"

    @property
    def script(self) -> Path:
        return self.folder / "run"

    @property
    def command(self) -> str:
        """What the agent's settings have."""
        return shlex.quote(str(self.script))

    def read(self) -> Json | None:
        try:
            return json.loads(self.config.read_text())
        except (OSError, ValueError):
            return None

    def write(self, config: Json) -> None:
        """Both files are the owner's alone from their first moment."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write(self.config, json.dumps({**config, "project": str(self.project) if self.project else None}), 0o600)
        _write(self.script, script(self), 0o700)

    def deferred(self) -> list[Json]:
        """Sessions that wait for a decision, the oldest first."""
        files = sorted((self.folder / "deferred").glob("*.json"), key=lambda file: file.stat().st_mtime)
        return [json.loads(file.read_text()) for file in files]

    def forget(self, session: str) -> None:
        (self.folder / "deferred" / f"{session}.json").unlink(missing_ok=True)

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def probe(self, event: str) -> subprocess.CompletedProcess[str]:
        """Runs the script as the agent would, for a tool that nobody has."""
        call = {
            "hook_event_name": event,
            "session_id": f"probe-{os.urandom(8).hex()}",
            "tool_use_id": f"probe-{os.urandom(8).hex()}",
            "tool_name": PROBE,
            "tool_input": {"purpose": "shows that this hook refuses what nobody approved"},
            "cwd": str(self.folder),
        }
        return subprocess.run(
            ["/bin/sh", "-c", f"{self.command} probe"],
            input=json.dumps(call),
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )


def all_places() -> list[Place]:
    """Every installation that this user has."""
    found: list[Place] = []
    for config in sorted(home().glob("*/config.json")):
        try:
            said: Json = json.loads(config.read_text())
            found.append(Place(said["agent"], Path(said["project"]) if said.get("project") else None))
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return found


def script(place: Place) -> str:
    """`-I` keeps Python from looking at the folder and the variables of the agent; `-S` saves it a search."""
    import handrail_hook

    source = str(Path(handrail_hook.__file__).parents[1])
    code = f"import sys; sys.path.append({source!r}); from handrail_hook.main import run; run(reader=3)"
    return _SCRIPT.format(
        agent=place.agent,
        python=shlex.quote(sys.executable),
        code=shlex.quote(code),
        config=shlex.quote(str(place.config)),
    )


def _write(file: Path, text: str, mode: int) -> None:
    draft = file.with_name(f".{file.name}.{os.urandom(4).hex()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="utf-8") as out:
        out.write(text)
    draft.replace(file)
