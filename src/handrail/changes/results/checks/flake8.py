"""flake8's default lines."""

import re

from handrail.changes.results.model import Finding, Output, Report, check

_LINE = re.compile(r"^(.+?):(\d{1,9}):(?:\d+:)? ([A-Z]+\d+) (.*)$", re.MULTILINE)


def parse(tool: str, output: Output) -> Report:
    found = (
        Finding(rule, output.relative(path), int(line), said) for path, line, rule, said in _LINE.findall(output.text)
    )
    return check(tool, found, output)
