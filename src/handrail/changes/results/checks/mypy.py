"""mypy's lines, or its `--output json`. Notes belong to the error before them and are left out."""

import re
from collections.abc import Iterator

from handrail.changes.results.model import Finding, Output, Report, check
from handrail.changes.results.reading import json_lines, line_of, text_of

_LINE = re.compile(r"^(.+?):(\d{1,9}):(?:\d+:)? error: (.*?)(?:  \[([\w-]+)\])?$", re.MULTILINE)


def parse(tool: str, output: Output) -> Report:
    """Exit code 2 means that it gave up before it had checked everything."""
    return check(tool, [*_lines(output), *_objects(output)], output)


def _lines(output: Output) -> Iterator[Finding]:
    for path, line, said, rule in _LINE.findall(output.text):
        yield Finding(rule or "misc", output.relative(path), int(line), said)


def _objects(output: Output) -> Iterator[Finding]:
    for each in json_lines(output.text):
        if each.get("severity") == "error":
            path, rule = output.relative(text_of(each.get("file"))), text_of(each.get("code")) or "misc"
            yield Finding(rule, path, line_of(each.get("line")), text_of(each.get("message")))
