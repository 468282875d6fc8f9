"""`cargo clippy --message-format json`."""

from collections.abc import Iterator

from handrail.changes.results.model import Finding, Output, Report, check, faulty
from handrail.changes.results.reading import json_lines, line_of, mapping, objects, text_of


def parse(tool: str, output: Output) -> Report:
    """A build that never said that it finished is a fault."""
    if not any(each.get("reason") == "build-finished" for each in json_lines(output.text)):
        return faulty(tool, "The build did not come to its end.", output)
    return check(tool, _findings(output), output, expected=(0, 101))


def _findings(output: Output) -> Iterator[Finding]:
    for each in json_lines(output.text):
        message = mapping(each.get("message"))
        level = text_of(message.get("level"))
        spans = [span for span in objects(message.get("spans")) if span.get("is_primary")]
        if each.get("reason") == "compiler-message" and level in {"error", "warning"} and spans:
            rule = text_of(mapping(message.get("code")).get("code")) or level
            path = output.relative(text_of(spans[0].get("file_name")))
            yield Finding(rule, path, line_of(spans[0].get("line_start")), text_of(message.get("message")), level)
