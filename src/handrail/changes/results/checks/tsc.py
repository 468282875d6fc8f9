"""The TypeScript compiler's lines, plain or pretty."""

import re

from handrail.changes.results.model import Finding, Output, Report, check

_COLOUR = re.compile(r"\x1b\[[\d;]*m")
_LINE = re.compile(
    r"^(?:(.+?)(?:\((\d{1,9}),\d+\)|:(\d{1,9}):\d+)(?:: | - ))?(error|warning) (TS\d+): (.*)$", re.MULTILINE
)


def parse(tool: str, output: Output) -> Report:
    """Errors about no file, such as a wrong configuration, are findings too."""
    found = (
        Finding(rule, output.relative(path), int(line or other or 0), said, severity)
        for path, line, other, severity, rule, said in _LINE.findall(_COLOUR.sub("", output.all_text))
    )
    return check(tool, found, output, expected=(0, 1, 2))
