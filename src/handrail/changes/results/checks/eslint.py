"""`eslint --format json`."""

from collections.abc import Iterator
from typing import Any

from handrail.changes.results.model import Finding, Output, Report, check, faulty
from handrail.changes.results.reading import Unreadable, json_list, line_of, objects, text_of


def parse(tool: str, output: Output) -> Report:
    try:
        files = json_list(output.text)
    except Unreadable as error:
        return faulty(tool, str(error), output)
    return check(tool, _findings(files, output), output)


def _findings(files: list[dict[str, Any]], output: Output) -> Iterator[Finding]:
    for file in files:
        path = output.relative(text_of(file.get("filePath")))
        for each in objects(file.get("messages")):
            severity = "error" if each.get("severity") == 2 else "warning"
            rule = text_of(each.get("ruleId")) or "syntax"
            yield Finding(rule, path, line_of(each.get("line")), text_of(each.get("message")), severity)
