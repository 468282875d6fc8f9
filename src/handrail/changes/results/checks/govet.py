"""`go vet`, as lines or by `-json`, which names the rules."""

import json
import re
from collections.abc import Iterator

from handrail.changes.results.model import Finding, Output, Report, check
from handrail.changes.results.reading import mapping, objects, text_of

_LINE = re.compile(r"^(?:vet: )?([^\s#:][^:\n]*\.go):(\d{1,9}):(?:\d+:)? (.*)$", re.MULTILINE)
_PLACE = re.compile(r"^(.*?):(\d{1,9})(?::\d+)?$")


def parse(tool: str, output: Output) -> Report:
    findings = [*_objects(output), *_lines(output)]
    return check(tool, findings, output, expected=(0, 1, 2))


def _lines(output: Output) -> Iterator[Finding]:
    for path, line, said in _LINE.findall(output.all_text):
        yield Finding("vet", output.relative(path), int(line), said)


def _objects(output: Output) -> Iterator[Finding]:
    """One JSON object a package, over several lines, between comments."""
    decoder = json.JSONDecoder()
    text = output.all_text
    for start in [match.start() for match in re.finditer(r"^\{", text, re.MULTILINE)]:
        try:
            packages, _ = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        for rules in mapping(packages).values():
            for rule, found in mapping(rules).items():
                for each in objects(found):
                    place = _PLACE.match(text_of(each.get("posn")))
                    path, line = (place[1], int(place[2])) if place else ("", 0)
                    yield Finding(rule, output.relative(path), line, text_of(each.get("message")))
