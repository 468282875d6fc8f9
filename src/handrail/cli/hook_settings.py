"""The settings of coding agents: where each keeps its hooks, and what ours must say so that nothing fails open."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from handrail.cli.exits import Exit, Failure

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Agent:
    name: str
    title: str
    folder: str
    """Under the home folder or the project."""
    home_variable: str | None
    user_file: str
    project_file: str
    before: str
    after: tuple[str, ...]
    milliseconds: bool = False
    extra: Mapping[str, Any] | None = None
    open_ends: tuple[str, ...] = ()
    """When the agent itself runs a tool although its hook did not say yes."""

    def file(self, project: Path | None) -> Path:
        """Its settings: of this project, or of the user."""
        if project is not None:
            return project / self.folder / self.project_file
        own = os.environ.get(self.home_variable) if self.home_variable else None
        return (Path(own) if own else Path.home() / self.folder) / self.user_file

    def handler(self, command: str, seconds: int, event: str) -> Json:
        found: Json = {"type": "command", "command": command, "timeout": seconds * (1000 if self.milliseconds else 1)}
        return found | (dict(self.extra or {}) if event == self.before else {})


AGENTS = {
    "claude-code": Agent(
        "claude-code",
        "Claude Code",
        ".claude",
        "CLAUDE_CONFIG_DIR",
        "settings.json",
        "settings.local.json",
        "PreToolUse",
        ("PostToolUse", "PostToolUseFailure"),
        extra={"onFailure": "block"},
        open_ends=(
            "it is started with --settings or --bare that leave hooks out, or `disableAllHooks` is set",
            "a project's hooks before the folder is trusted",
        ),
    ),
    "codex": Agent(
        "codex",
        "Codex",
        ".codex",
        "CODEX_HOME",
        "hooks.json",
        "hooks.json",
        "PreToolUse",
        ("PostToolUse",),
        open_ends=(
            "the hook is not trusted yet: run /hooks in Codex once after every installation",
            "Codex's own timeout ends the hook, or the shell of the hook is killed",
            "features.hooks is false",
        ),
    ),
    "gemini": Agent(
        "gemini",
        "Gemini CLI",
        ".gemini",
        None,
        "settings.json",
        "settings.json",
        "BeforeTool",
        ("AfterTool",),
        milliseconds=True,
        extra={"name": "handrail"},
        open_ends=(
            "Gemini's own timeout ends the hook, or the shell of the hook is killed",
            "hooks are disabled in its settings",
        ),
    ),
}


def read(file: Path) -> Json:
    """What the settings say; Failure if that cannot be kept as it is."""
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise Failure(Exit.refused, f"{file} cannot be read: {error.strerror}.") from error
    try:
        found: Any = json.loads(text) if text.strip() else {}
    except ValueError as error:
        raise Failure(Exit.refused, f"{file} is not JSON ({error}). Correct it first; nothing was changed.") from error
    if not isinstance(found, dict) or not isinstance(cast(Json, found).get("hooks", {}), dict):
        raise Failure(Exit.refused, f"{file} does not look like settings. Correct it first; nothing was changed.")
    return cast(Json, found)


def with_hook(settings: Json, agent: Agent, command: str, seconds: int) -> Json:
    """The settings with our hook, once, and everything else as it was."""
    settings = without_hook(settings, command)
    hooks: Json = dict(settings.get("hooks", {}))
    for event in (agent.before, *agent.after):
        ours = {"matcher": "*", "hooks": [agent.handler(command, seconds, event)]}
        hooks[event] = [*hooks.get(event, []), ours]
    return {**settings, "hooks": hooks}


def without_hook(settings: Json, command: str) -> Json:
    hooks: Json = {}
    for event, groups in settings.get("hooks", {}).items():
        left = [group for group in _list(groups) if not _is_ours(group, command)]
        if left or not _list(groups):
            hooks[event] = left or groups
    rest = {name: value for name, value in settings.items() if name != "hooks"}
    return {**rest, "hooks": hooks} if hooks else rest


def installed(settings: Json, agent: Agent, command: str) -> Json | None:
    """Our handler before calls, as the settings have it now."""
    groups = _list(settings.get("hooks", {}).get(agent.before))
    return next((group["hooks"][0] for group in groups if _is_ours(group, command)), None)


def write(file: Path, settings: Json) -> None:
    """Replaces the file as a whole and keeps its mode; a link is followed."""
    file = file.resolve()
    file.parent.mkdir(parents=True, exist_ok=True)
    mode = file.stat().st_mode & 0o777 if file.exists() else 0o600
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="utf-8") as out:
        json.dump(settings, out, indent=2, ensure_ascii=False)
        out.write("\n")
    draft.replace(file)


def _is_ours(group: Any, command: str) -> bool:
    handlers = _list(group.get("hooks")) if isinstance(group, dict) else []  # pyright: ignore[reportUnknownMemberType]
    return any(isinstance(one, dict) and cast(Json, one).get("command") == command for one in handlers)


def _list(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []
