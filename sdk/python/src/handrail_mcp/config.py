"""Who the gateway is at Handrail, and which servers are behind it."""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

Json = dict[str, Any]

NAME = re.compile(r"(?!.*__)[A-Za-z0-9_-]{1,32}")
_VARIABLE = re.compile(r"\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]*))?\}")


class Misconfigured(Exception):
    """The message names the value and the next step."""


@dataclass(frozen=True, slots=True)
class Access:
    """A server of Handrail, and the token of an agent there."""

    url: str
    token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Server:
    """An MCP server: a command, or an address."""

    name: str
    command: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    folder: str | None = None
    url: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)

    @property
    def origin(self) -> str:
        """Another command or address under the same name is another server."""
        said = json.dumps([self.command, self.url]).encode()
        return hashlib.sha256(said).hexdigest()[:16]


def home() -> Path:
    """Handrail's own folder for MCP."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "handrail" / "mcp"


def access() -> Access:
    """From HANDRAIL_TOKEN and HANDRAIL_URL; else what `handrail mcp enroll` left. Never a person's own sign-in."""
    token = os.environ.get("HANDRAIL_TOKEN")
    if token:
        return Access(os.environ.get("HANDRAIL_URL") or "http://127.0.0.1:8400", token)
    path = home() / "config.json"
    try:
        with path.open(encoding="utf-8") as file:
            mode = os.fstat(file.fileno()).st_mode
            said: Json = json.load(file)
        if stat.S_IMODE(mode) & 0o077:
            raise Misconfigured(f"{path} can be read by others. Run `chmod 600 {path}`.")
        return Access(str(said["url"]), str(said["token"]))
    except OSError as error:
        raise Misconfigured(
            f"{path} cannot be read ({error.strerror}). Run `handrail mcp enroll`, or set HANDRAIL_TOKEN."
        ) from None
    except (ValueError, KeyError, TypeError):
        raise Misconfigured(f"{path} is not valid. Run `handrail mcp enroll` again.") from None


def servers(path: Path) -> list[Server]:
    """The servers of a file as clients have it: `mcpServers`, or VS Code's `servers`."""
    try:
        said: Any = json.loads(path.read_text(encoding="utf-8"))
        found = said["mcpServers"] if "mcpServers" in said else said["servers"]
        listed = [server(name, about) for name, about in found.items() if not about.get("disabled")]
    except OSError as error:
        raise Misconfigured(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Misconfigured(f'{path} must be JSON like {{"mcpServers": {{"name": {{"command": "…"}}}}}}.') from None
    if not listed:
        raise Misconfigured(f"{path} names no server.")
    return listed


def server(name: str, about: Json) -> Server:
    if not NAME.fullmatch(name):
        raise Misconfigured(
            f"The server name {name!r} must have 1 to 32 letters, digits, `-` and `_`, and no `__`. Rename it."
        )
    kind = about.get("type", "stdio" if "command" in about else "http")
    if kind not in ("stdio", "http", "streamable-http", "streamableHttp"):
        raise Misconfigured(f"The server {name!r} has the type {kind!r}. Use stdio or streamable HTTP.")
    if "command" in about:
        words = [about["command"], *about.get("args", [])]
        own = {key: _filled(name, value) for key, value in cast(Json, about.get("env") or {}).items()}
        folder = about.get("cwd")
        return Server(
            name,
            tuple(_filled(name, word) for word in words),
            child_variables(own),
            None if folder is None else _filled(name, folder),
        )
    url = _filled(name, about.get("url") or about.get("serverUrl") or "")
    if not url.startswith(("http://", "https://")):
        raise Misconfigured(f"The server {name!r} has neither a command nor an http address.")
    headers = {key: _filled(name, value) for key, value in cast(Json, about.get("headers") or {}).items()}
    return Server(name, url=url, headers=headers)


def headers() -> Json:
    """For a server over HTTP that is named on the command line, where others could read them."""
    try:
        found: Any = json.loads(os.environ.get("HANDRAIL_MCP_HEADERS") or "{}")
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise Misconfigured('HANDRAIL_MCP_HEADERS must be JSON like {"Authorization": "Bearer …"}.')
    return cast(Json, found)


def child_variables(own: Mapping[str, str]) -> dict[str, str]:
    """Ours, without what is Handrail's: a server has no use for its gate's token."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("HANDRAIL_")}
    return {**ours, **own}


def _filled(server_name: str, value: object) -> str:
    """The text with variables as clients write them: `${NAME}`, `${env:NAME}`, `${NAME:-default}`."""

    def replaced(found: re.Match[str]) -> str:
        value: str | None = os.environ.get(found[1]) or found[2]
        if value is None or found[1].startswith("HANDRAIL_"):
            raise Misconfigured(f"The server {server_name!r} needs the variable {found[1]}, which is not set.")
        return value

    if not isinstance(value, str):
        raise Misconfigured(f"The server {server_name!r} has {value!r} where a text is needed.")
    return _VARIABLE.sub(replaced, value.replace("${workspaceFolder}", str(Path.cwd())))
