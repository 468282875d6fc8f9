"""Reads a document in the sandbox: what it is made of, or a clear reason why it is not read."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib.resources import files

from pydantic import TypeAdapter, ValidationError

from handrail import extras
from handrail.core.errors import Misconfigured, UnreadableDocument
from handrail.core.sizes import MIB
from handrail.documents.extraction.blocks import Extracted
from handrail.documents.kinds import DocumentKind
from handrail.sandbox import Limits, Result, Sandbox

SECONDS = 120
LIMITS = Limits(seconds=SECONDS, cpu_seconds=SECONDS, memory=1024 * MIB, processes=16, output=64 * 1024)
# enough for some 200 pages with tables
FIRST = replace(LIMITS, seconds=15, cpu_seconds=15)
# reasons that more time may fix
TOO_SLOW = frozenset({"time", "cpu"})
ANSWER = "extracted.json"
_EXTRACTED = TypeAdapter(Extracted)


async def extract(sandbox: Sandbox, kind: DocumentKind, content: bytes, limits: Limits = LIMITS) -> Extracted:
    """Trusts nothing of the answer but its form."""
    extras.require("documents")
    given = {**_program(), "document": content}
    result = await sandbox.run(["python3", "-m", "extraction", kind.value], given, limits)
    if not result.succeeded or ANSWER not in result.files:
        raise _failure(result)
    try:
        found = _EXTRACTED.validate_json(result.files[ANSWER])
    except ValidationError:
        raise UnreadableDocument("the document could not be read: it crashed the reader", reason="broken") from None
    if found.refused is not None:
        raise UnreadableDocument(f"the document could not be read: {found.detail}", reason=found.refused)
    _clean(found)
    return found


def _failure(result: Result) -> Exception:
    said = result.stderr.decode(errors="replace")
    if result.ending == "exited" and "ModuleNotFoundError" in said:
        return Misconfigured(
            f"documents are read in the sandbox, but its Python lacks a package ({said.strip().splitlines()[-1]}): "
            "Handrail's folder must be readable by other users, or the sandbox image must have its packages"
        )
    limits = {"time": f"it took longer than {SECONDS} seconds", "cpu": f"it took longer than {SECONDS} seconds"}
    limits["memory"] = f"it needs more than {LIMITS.memory // MIB} MiB of memory"
    why = limits.get(result.ending, "it crashed the reader")
    reason = result.ending if result.ending in limits else "broken"
    return UnreadableDocument(f"the document could not be read: {why}", reason=reason)


def _clean(found: Extracted) -> None:
    """The database cannot store NUL, and nobody wants the other control characters."""
    found.metadata = {_plain(name): _plain(value) for name, value in found.metadata.items()}
    for block in found.blocks:
        block.text = _plain(block.text)
        block.rows = [[_plain(cell) for cell in row] for row in block.rows]
        block.properties = {_plain(name): _plain(value) for name, value in block.properties.items()}


def _plain(text: str) -> str:
    return text.translate(_CONTROLS)


_CONTROLS = dict.fromkeys((*range(9), *range(11, 32), *range(127, 160)))


@cache
def _program() -> dict[str, bytes]:
    """The reader's own modules, as files of the workspace: the sandbox does not see Handrail's."""
    folder = files("handrail.documents.extraction")
    return {f"extraction/{file.name}": file.read_bytes() for file in folder.iterdir() if file.name.endswith(".py")}
