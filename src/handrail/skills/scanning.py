"""Scans candidates with `bandit`, `detect-secrets` and Handrail's own rules. A scan that fails is a finding."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

from handrail.core.skills import Files, Finding, Severity
from handrail.sandbox import processes

SECONDS = 60.0
BATCH_BYTES = 512 * 1024
FAILED = "scan-failed"
BANDIT = ("--recursive", "--format", "json", "--exit-zero", "--quiet")

Read = Callable[[Any, Path], list[tuple[Path, Finding]]]


def batches(candidates: Sequence[Files]) -> Iterator[list[Files]]:
    """In their order, small ones together: a tool takes 0.8 s to start, and 3 s a MB."""
    batch: list[Files] = []
    size = 0
    for files in candidates:
        size += sum(map(len, files.values()))
        if batch and size > BATCH_BYTES:
            yield batch
            batch, size = [], sum(map(len, files.values()))
        batch.append(files)
    if batch:
        yield batch


async def scan(candidates: Sequence[Files]) -> list[tuple[Finding, ...]]:
    """What was found in each, worst first. The tools read code and run none of it.

    Where a tool fails on several together, each is scanned alone: the one that it fails on is the one that is risky.
    """
    found = await _scan(candidates)
    if len(candidates) > 1 and any(finding.file is None and finding.rule == FAILED for finding in found[0]):
        return [(await _scan([files]))[0] for files in candidates]
    return found


async def _scan(candidates: Sequence[Files]) -> list[tuple[Finding, ...]]:
    with tempfile.TemporaryDirectory(prefix="handrail-scan-") as name:
        folder = Path(name)
        places = [folder / str(number) for number in range(len(candidates))]
        await asyncio.to_thread(_lay_out, places, candidates)
        tools = [
            # 3 s a MB: not in the process that answers requests
            _tool("handrail.skills.rules", ["."], folder, _own),
            _tool("handrail.skills.secrets", ["."], folder, _secrets),
        ]
        if any(path.endswith(".py") for files in candidates for path in files):
            tools.append(_tool("bandit", [*BANDIT, "."], folder, _bandit))
        found = await asyncio.gather(*tools)
    by_all = [entry for entries in found for entry in entries]
    return [_sorted(_of(place, by_all)) for place in places]


def _lay_out(places: Sequence[Path], candidates: Sequence[Files]) -> None:
    for place, files in zip(places, candidates, strict=True):
        for path, content in files.items():
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_bytes(content)


def _of(place: Path, found: Sequence[tuple[Path, Finding]]) -> list[Finding]:
    """Those in this candidate's files; what concerns no file concerns every candidate."""
    return [
        _placed(finding, file, place) for file, finding in found if file == place.parent or file.is_relative_to(place)
    ]


def _placed(finding: Finding, file: Path, place: Path) -> Finding:
    where = file.relative_to(place).as_posix() if file != place.parent else None
    return Finding(finding.rule, finding.severity, finding.message, where, finding.line)


def _sorted(findings: list[Finding]) -> tuple[Finding, ...]:
    rank = {"critical": 0, "high": 1, "medium": 2, "low": 3}
    return tuple(sorted(findings, key=lambda f: (rank[f.severity], f.file or "", f.line or 0, f.rule)))


async def _tool(module: str, arguments: list[str], folder: Path, read: Read) -> list[tuple[Path, Finding]]:
    try:
        async with asyncio.timeout(SECONDS):
            code, out, said = await processes.run([sys.executable, "-m", module, *arguments], folder)
        if code:
            return [(folder, failed(module, said.decode(errors="replace").strip()[-200:] or f"it ended with {code}"))]
        return read(json.loads(out), folder)
    except TimeoutError:
        return [(folder, failed(module, f"it took longer than {SECONDS:g} seconds"))]
    except (ValueError, KeyError, TypeError):
        return [(folder, failed(module, "its report cannot be read"))]


def failed(tool: str, reason: str) -> Finding:
    return Finding(FAILED, "high", f"{tool} could not scan it: {reason}")


def _bandit(report: Any, folder: Path) -> list[tuple[Path, Finding]]:
    found = [
        (
            folder / entry["filename"],
            Finding(
                f"bandit-{entry['test_id']}",
                cast("Severity", entry["issue_severity"].lower()),
                entry["issue_text"],
                line=entry["line_number"],
            ),
        )
        for entry in report["results"]
    ]
    unread = [(folder / e["filename"], failed("bandit", str(e["reason"]))) for e in report["errors"]]
    return found + unread


def _secrets(report: Any, folder: Path) -> list[tuple[Path, Finding]]:
    return [
        (folder / entry["file"], Finding("secret", "high", f"contains a secret: {entry['kind']}", line=entry["line"]))
        for entry in report
    ]


def _own(report: Any, folder: Path) -> list[tuple[Path, Finding]]:
    return [(folder / entry["file"], Finding(**entry)) for entry in report]
