"""`ruff check --output-format json`."""

from handrail.changes.results.model import Finding, Output, Report, check, faulty
from handrail.changes.results.reading import Unreadable, json_list, line_of, mapping, text_of


def parse(tool: str, output: Output) -> Report:
    try:
        found = json_list(output.text)
    except Unreadable as error:
        return faulty(tool, str(error), output)
    findings = (
        Finding(
            text_of(each.get("code")) or "invalid-syntax",
            output.relative(text_of(each.get("filename"))),
            line_of(mapping(each.get("location")).get("row")),
            text_of(each.get("message")),
        )
        for each in found
    )
    return check(tool, findings, output)
