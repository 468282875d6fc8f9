"""Errors of a log file: by hour, or within a window grouped by pattern, with what came before the first of each."""

from __future__ import annotations

import argparse
import re
from collections import Counter, deque
from collections.abc import Iterator
from pathlib import Path

TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d")
ERROR = re.compile(r"\b(ERROR|CRITICAL|FATAL|Exception|Traceback)\b")
VARIES = re.compile(r"0x[0-9a-f]+|[0-9a-f]{8}-[0-9a-f-]{27}|\d+(\.\d+)*|'[^']*'|\"[^\"]*\"")
BEFORE = 3


def lines(path: Path) -> Iterator[tuple[str, str]]:
    """Each line with its time; a line without one has that of the line before."""
    at = ""
    with path.open(errors="replace") as file:
        for line in file:
            found = TIME.search(line)
            at = found[0].replace(" ", "T") if found else at
            yield at, line.rstrip("\n")


def pattern(line: str) -> str:
    return VARIES.sub("…", TIME.sub("", line)).strip()[:160]


def overview(path: Path) -> None:
    times, hours = [at for at, _ in lines(path) if at], Counter[str]()
    for at, line in lines(path):
        if ERROR.search(line):
            hours[at[:13]] += 1
    print(f"from {times[0]} to {times[-1]}" if times else "no line has a time")
    for hour, count in sorted(hours.items()):
        print(f"{hour}:00  {count} errors")


def window(path: Path, begin: str, end: str) -> None:
    counts, first = Counter[str](), dict[str, tuple[str, list[str]]]()
    before: deque[str] = deque(maxlen=BEFORE)
    for at, line in lines(path):
        if begin <= at <= end and ERROR.search(line):
            counts[pattern(line)] += 1
            first.setdefault(pattern(line), (at, [*before, line]))
        before.append(line)
    for what, count in counts.most_common(10):
        at, around = first[what]
        print(f"\n{count} × {what}\n  first at {at}:")
        for line in around:
            print(f"    {line[:300]}")
    if not counts:
        print("no errors in this window")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("file", type=Path)
    options.add_argument("--overview", action="store_true")
    options.add_argument("--from", dest="begin", default="")
    options.add_argument("--to", dest="end", default="9999")
    given = options.parse_args()
    if given.overview:
        overview(given.file)
    else:
        window(given.file, given.begin.replace(" ", "T"), given.end.replace(" ", "T"))


main()
