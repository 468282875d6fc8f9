"""Structured logs: one line an event, with the ids of what it is about, and never a secret."""

from __future__ import annotations

import logging
import logging.handlers
import re
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog
from structlog.typing import Processor

from handrail.core.errors import Misconfigured
from handrail.settings import PREFIX, Settings

SECRET_NAMES = frozenset({"token", "password", "code", "cookie", "authorization", "csrf_token", "dsn", "database_url"})
# ours, keys of models, passwords in addresses, tokens of code hosts and chats, keys of clouds, private keys
SECRET_TEXT = re.compile(
    r"hr_[\w-]{16,}|\bsk-[\w*-]{8,}|(?<=://)[^/@\s:]*:[^/@\s]+(?=@)"
    r"|\bgh[opsur]_\w{20,}|\bgithub_pat_\w{20,}|\bgl[a-z]{2,6}-[\w-]{16,}|\bxox[a-z]-[\w-]{10,}"
    r"|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
)
HIDDEN = "[hidden]"


def configure(settings: Settings) -> None:
    """Sends the lines of Handrail and of the libraries to stderr, in the format and from the level of the settings."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        hide_secrets,
    ]
    as_json = settings.log_format == "json"
    last: Processor = structlog.processors.JSONRenderer() if as_json else _for_people()
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared, processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, last]
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers = [handler, *_to_file(settings, shared)]
    root.setLevel(settings.log_level.upper())
    # a line for each statement of a migration
    logging.getLogger("yoyo").setLevel(logging.WARNING)
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )


def _to_file(settings: Settings, shared: list[Processor]) -> list[logging.Handler]:
    if settings.log_file is None:
        return []
    try:
        # opened again where a rotation has moved it away
        handler = logging.handlers.WatchedFileHandler(settings.log_file.expanduser(), encoding="utf-8")
    except OSError as error:
        raise Misconfigured(f"{PREFIX}LOG_FILE: {settings.log_file} cannot be written: {error.strerror}") from None
    last = [structlog.stdlib.ProcessorFormatter.remove_processors_meta, structlog.processors.JSONRenderer()]
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(foreign_pre_chain=shared, processors=last))
    return [handler]


def _for_people() -> structlog.dev.ConsoleRenderer:
    return structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback)


def hide_secrets(_logger: Any, _method: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Hides values under a secret's name, and tokens and passwords of URLs wherever they stand."""
    for name, value in line.items():
        if name in SECRET_NAMES:
            line[name] = HIDDEN
        elif isinstance(value, str):
            line[name] = SECRET_TEXT.sub(HIDDEN, value)
    return line
