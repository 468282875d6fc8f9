"""What carries tasks out: functions and webhooks, chosen by the operator and called by name."""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import tomllib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import httpx
from standardwebhooks import Webhook

from handrail.certificates import trusted
from handrail.core.canonical import Json, JsonObject
from handrail.core.errors import HandrailError, Misconfigured
from handrail.policy import RECORD

# for the whole exchange: a receiver that trickles its answer is cut off too
LONGEST_SECONDS = 30.0
MOST_ANSWER = 64 << 10

Call = Callable[[JsonObject, str], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Executor:
    """`call` gets the task and a key that is the same however often the task is tried; where that makes trying again
    harmless, the executor is idempotent."""

    call: Call
    idempotent: bool = False


class ExecutorFailed(HandrailError):
    """The executor could not carry the task out."""

    code = "executor_failed"


async def record(task: JsonObject, key: str) -> Json:
    """Nothing but the record: for tasks that somebody else carries out once they are approved."""
    return {"recorded": True}


def load(file: Path | None) -> Mapping[str, Executor]:
    """Those of the file's table `executors`, and `record`; `Misconfigured` names the entry that is wrong."""
    tables: Any = tomllib.loads(file.read_text(encoding="utf-8")).get("executors", {}) if file else {}
    if not isinstance(tables, dict):
        raise Misconfigured(f"{file}: `executors` must be a table")
    entries = cast("dict[str, Any]", tables)
    return {RECORD: Executor(record, idempotent=True)} | {
        name: _executor(f"{file}: executor `{name}`", entry) for name, entry in entries.items()
    }


def _executor(where: str, entry: Any) -> Executor:
    if isinstance(entry, str) and all(entry.partition(":")):
        return Executor(partial(_called, _function(where, entry)))
    fields = cast("dict[str, Any]", entry) if isinstance(entry, dict) else {}
    url, variable = fields.get("webhook"), fields.get("secret_env")
    if not isinstance(url, str) or not isinstance(variable, str) or fields.keys() != {"webhook", "secret_env"}:
        raise Misconfigured(f'{where} must be "package.module:function", or a table with `webhook` and `secret_env`')
    if httpx.URL(url).scheme not in {"http", "https"}:
        raise Misconfigured(f"{where}: `webhook` must start with https://")
    try:
        signer = Webhook(os.environ[variable])
    except (KeyError, ValueError, RuntimeError):
        raise Misconfigured(f"{where}: the variable {variable} must hold a Standard Webhooks secret") from None
    return Executor(partial(_posted, url, signer), idempotent=True)


def _function(where: str, target: str) -> Callable[[JsonObject], Any]:
    module, _, name = target.partition(":")
    found: Any = import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    if not callable(found):
        raise Misconfigured(f"{where}: {target} is not a function")
    return cast("Callable[[JsonObject], Any]", found)


async def _called(function: Callable[[JsonObject], Any], task: JsonObject, key: str) -> Any:
    if inspect.iscoroutinefunction(function):
        return await function(task)
    return await asyncio.to_thread(function, task)


async def _posted(url: str, signer: Webhook, task: JsonObject, key: str) -> Json:
    """Redirects are not followed, and proxies of the environment not used."""
    now = datetime.now(UTC)
    body = json.dumps({"type": "task.approved", "timestamp": now.isoformat(), "data": task}, ensure_ascii=False)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Handrail",
        "Webhook-Id": key,
        "Webhook-Timestamp": str(int(now.timestamp())),
        "Webhook-Signature": signer.sign(key, now, body),
    }
    try:
        async with (
            asyncio.timeout(LONGEST_SECONDS),
            httpx.AsyncClient(
                follow_redirects=False, trust_env=False, timeout=LONGEST_SECONDS, verify=trusted(by_environment=False)
            ) as client,
            client.stream("POST", url, content=body.encode(), headers=headers) as answer,
        ):
            said = await _beginning(answer)
    except TimeoutError:
        raise ExecutorFailed(f"the webhook did not answer within {LONGEST_SECONDS:.0f} seconds") from None
    except httpx.HTTPError as error:
        raise ExecutorFailed(f"the webhook could not be reached ({type(error).__name__})") from None
    if not answer.is_success:
        raise ExecutorFailed(f"the webhook answered {answer.status_code}")
    return {"status": answer.status_code, "body": said}


async def _beginning(answer: httpx.Response) -> str:
    """The answer's text, as far as it is kept."""
    text = b""
    async for chunk in answer.aiter_bytes():
        text = (text + chunk)[:MOST_ANSWER]
        if len(text) == MOST_ANSWER:
            break
    return text.decode(errors="replace").replace("\x00", "")
