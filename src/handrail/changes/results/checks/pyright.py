"""`pyright --outputjson`, where lines count from 0."""

from handrail.changes.results.model import Finding, Output, Report, check, faulty
from handrail.changes.results.reading import Unreadable, json_in, line_of, mapping, objects, text_of


def parse(tool: str, output: Output) -> Report:
    try:
        report = json_in(output.text, having="generalDiagnostics")
    except Unreadable as error:
        return faulty(tool, str(error), output)
    findings = (
        Finding(
            text_of(each.get("rule")) or "syntax",
            output.relative(text_of(each.get("file"))),
            line_of(mapping(mapping(each.get("range")).get("start")).get("line")) + 1,
            text_of(each.get("message")),
            text_of(each.get("severity")) or "error",
        )
        for each in objects(report.get("generalDiagnostics"))
    )
    return check(tool, findings, output)
