"""New security findings: by bandit for Python, by our own rules on the shape of code for other languages.

bandit (Apache-2.0, kept up by PyCQA) reads code and runs none. It gets copies of the changed Python files alone, so
that no setting of the repository reaches it; comments that silence it are ignored; and it runs isolated (`-I`), so that
a file of the repository cannot pose as one of its modules.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, cast

from ast_grep_py import SgRoot
from ruamel.yaml import YAML

from handrail.changes.results import model as results
from handrail.changes.results.findings import new_findings
from handrail.changes.results.reading import line_of, mapping, objects, text_of
from handrail.changes.verifying.change import Change, File, Side
from handrail.changes.verifying.integrity.places import is_test
from handrail.changes.verifying.model import Check, Finding, Verdict, judged
from handrail.codegraph.languages import suffix_of
from handrail.core.wording import counted
from handrail.sandbox import processes

NAME = "security"
SECONDS = 120.0
_BANDIT = ("--recursive", "--format", "json", "--exit-zero", "--quiet", "--ignore-nosec", "--severity-level", "medium")
_LANGUAGES = {
    **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs"), "javascript"),
    **dict.fromkeys((".ts", ".mts", ".cts"), "typescript"),
    ".tsx": "tsx",
    ".java": "java",
    ".cs": "csharp",
    ".go": "go",
    ".rs": "rust",
    ".c": "c",
    **dict.fromkeys((".cc", ".cpp", ".cxx", ".hpp", ".h"), "cpp"),
}
_MOST_BYTES = 1_000_000


class Rule(NamedTuple):
    id: str
    what: str
    why: str
    severity: str
    config: dict[str, Any]


async def check(change: Change) -> Check:
    """Findings that the base does not have. A scan that fails is never a pass."""
    base, head = await _bandit(change)
    if head.fault or base.fault:
        found = [
            Finding("not_scanned", "", 0, f"bandit: {head.fault or base.fault}", "Nothing is known.", Verdict.unsure)
        ]
    else:
        found = [_finding(each) for each in _new(change, base, head)]
    own = await asyncio.to_thread(_own, change)
    found += [_finding(each) for each in _new(change, *own)]
    words = f"{counted(len(found), 'new finding')} about security."
    return judged(NAME, found, clean="No new findings about security.", words=words)


def _new(change: Change, base: results.Report, head: results.Report) -> tuple[results.Finding, ...]:
    return new_findings(base, head, change.base_lines, change.head_lines, change.moved)


def _finding(found: results.Finding) -> Finding:
    """Of less weight: what the rule calls a warning, and what only tests do."""
    is_weak = found.severity == "warning" or is_test(found.path)
    what, _, why = found.message.partition("\n")
    why = why or "The base does not have it."
    return Finding(found.rule, found.path, found.line, what, why, Verdict.unsure if is_weak else Verdict.failed)


def _own(change: Change) -> tuple[results.Report, results.Report]:
    base: list[results.Finding] = []
    head: list[results.Finding] = []
    for file in change.files:
        base.extend(scan(file.old_path or file.path, file.before))
        head.extend(scan(file.path, file.after))
    return results.Report("ast-grep", findings=tuple(base)), results.Report("ast-grep", findings=tuple(head))


def scan(path: str, side: Side | None) -> Iterator[results.Finding]:
    """What our own rules find in one file."""
    language = _LANGUAGES.get(suffix_of(path))
    if language is None or side is None or side.text is None or len(side.data) > _MOST_BYTES:
        return
    root = SgRoot(side.text, language).root()
    for rule in rules().get(language, ()):
        seen: set[int] = set()
        for node in root.find_all(cast("Any", rule.config)):
            line = node.range().start.line + 1
            if line not in seen:
                seen.add(line)
                yield results.Finding(rule.id, path, line, f"{rule.what}\n{rule.why}", rule.severity)


@cache
def rules() -> dict[str, tuple[Rule, ...]]:
    """By language."""
    listed: list[dict[str, Any]] = YAML(typ="safe").load(Path(__file__).with_name("security_rules.yaml"))  # pyright: ignore[reportUnknownMemberType]
    found: dict[str, list[Rule]] = {}
    for each in listed:
        config = {"rule": each["rule"]} | ({"constraints": each["constraints"]} if "constraints" in each else {})
        for language in each["languages"]:
            made = Rule(each["id"], each["message"], each["note"], each.get("severity", "error"), config)
            found.setdefault(language, []).append(made)
    return {language: tuple(made) for language, made in found.items()}


async def _bandit(change: Change) -> tuple[results.Report, results.Report]:
    files = [file for file in change.files if suffix_of(file.path) in {".py", ".pyi"}]
    if not files:
        return results.Report("bandit"), results.Report("bandit")
    with tempfile.TemporaryDirectory(prefix="handrail-security-") as name:
        folder = Path(name)
        await asyncio.to_thread(_lay_out, folder, files)
        try:
            async with asyncio.timeout(SECONDS):
                ended = await processes.run([sys.executable, "-I", "-m", "bandit", *_BANDIT, "."], folder)
        except TimeoutError:
            fault = results.Report("bandit", fault=f"It took longer than {SECONDS:g} seconds.")
            return fault, fault
    try:
        report = mapping(json.loads(ended.stdout))
    except (ValueError, RecursionError):
        said = results.Output(ended.code, ended.stdout, ended.stderr)
        fault = results.faulty("bandit", "There is no report.", said)
        return fault, fault
    return _report(report, "base", files), _report(report, "head", files)


def _lay_out(folder: Path, files: list[File]) -> None:
    """As `base/0.py`, `head/0.py` and so on: no name of the repository means anything to bandit, or leads out."""
    for name in ("base", "head"):
        (folder / name).mkdir()
    for number, file in enumerate(files):
        for name, side in (("base", file.before), ("head", file.after)):
            if side is not None and side.kind == "file":
                (folder / name / f"{number}.py").write_bytes(side.data)


def _report(report: dict[str, Any], name: str, files: list[File]) -> results.Report:
    found: list[results.Finding] = []
    for entry in objects(report.get("results")):
        place = Path(text_of(entry.get("filename")))
        if place.parent.name == name:
            file = files[int(place.stem)]
            path = file.path if name == "head" else file.old_path or file.path
            is_sure = text_of(entry.get("issue_confidence")) != "LOW"
            severity = "error" if is_sure else "warning"
            rule, message = text_of(entry.get("test_id")), text_of(entry.get("issue_text"))
            found.append(results.Finding(f"bandit-{rule}", path, line_of(entry.get("line_number")), message, severity))
    unread = [each for each in objects(report.get("errors")) if Path(text_of(each.get("filename"))).parent.name == name]
    fault = f"{counted(len(unread), 'file')} could not be read." if unread else ""
    return results.Report("bandit", findings=tuple(found), fault=fault)
