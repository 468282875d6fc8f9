"""Who owns a file, by CODEOWNERS in the syntax of GitHub or GitLab: the last match wins, in GitLab one a section."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

Hosting = Literal["github", "gitlab"]

PLACES: dict[Hosting, tuple[str, ...]] = {
    "github": (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"),
    "gitlab": ("CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"),
}
"""In the order in which the hosting looks for it; only the first counts."""
_SECTION = re.compile(r"(?P<optional>\^?)\[(?P<name>[^\]]+)\](\[\d+\])?(?P<owners>(\s.*)?)")
_LONGEST = 500
_MOST_RULES = 5_000


class Pattern(NamedTuple):
    segments: tuple[re.Pattern[str] | None, ...]
    """None stands for any number of folders."""
    is_exact: bool
    """It takes a file of this very path."""
    reaches_below: bool
    """It takes what is in a folder of this path."""

    def takes(self, path: str) -> bool:
        names = path.split("/")
        reached = {0}
        for segment in self.segments:
            if segment is None:
                reached = set(range(min(reached, default=len(names)), len(names)))
            else:
                reached = {at + 1 for at in reached if at < len(names) and segment.match(names[at])}
        ends = len(names) in reached
        return (self.is_exact and ends) or (self.reaches_below and any(at < len(names) for at in reached))


class Rule(NamedTuple):
    section: str
    pattern: Pattern
    owners: tuple[str, ...]
    excludes: bool
    line: int


@dataclass(frozen=True)
class Owners:
    source: str
    """The file that says so; empty where there is none."""
    rules: tuple[Rule, ...] = ()

    def of(self, path: str) -> tuple[str, ...]:
        """In the order of the file, without repetition; none where nobody is named."""
        chosen: dict[str, tuple[str, ...]] = {}
        excluded: set[str] = set()
        for rule in self.rules:
            if rule.pattern.takes(path):
                if rule.excludes:
                    excluded.add(rule.section)
                chosen[rule.section] = rule.owners
        found = (owner for section, owners in chosen.items() if section not in excluded for owner in owners)
        return tuple(dict.fromkeys(found))


def find(read: Callable[[str], str | None], hosting: Hosting | None = None) -> Owners:
    """`read` gives the text of a file of the repository, or None. Without a hosting: what either would take."""
    kinds: tuple[Hosting, ...] = (hosting,) if hosting else ("github", "gitlab")
    for kind in kinds:
        for place in PLACES[kind]:
            text = read(place)
            if text is not None:
                return parse(text, place, _kind(text, place, hosting))
    return Owners("")


def parse(text: str, source: str, hosting: Hosting) -> Owners:
    return Owners(source, tuple(_rules(text, hosting)))


def _kind(text: str, place: str, hosting: Hosting | None) -> Hosting:
    has_sections = any(_SECTION.fullmatch(line.strip()) for line in text.splitlines()[:_MOST_RULES])
    return hosting or ("gitlab" if place.startswith(".gitlab/") or has_sections else "github")


def _rules(text: str, hosting: Hosting) -> Iterator[Rule]:
    section, default = "", ()
    for number, raw in enumerate(text.splitlines()[:_MOST_RULES], 1):
        line = re.sub(r"(^|(?<=\s))#.*", "", raw).strip()
        header = _SECTION.fullmatch(line) if hosting == "gitlab" else None
        if header is not None:
            section, default = header["name"].lower(), tuple(header["owners"].split())
        elif line:
            first, *owners = re.split(r"(?<!\\)\s+", line)
            excludes = hosting == "gitlab" and first.startswith("!")
            pattern = _pattern(first.removeprefix("!") if excludes else first, hosting)
            if pattern is not None:
                yield Rule(section, pattern, tuple(owners) or default, excludes, number)


def _pattern(text: str, hosting: Hosting) -> Pattern | None:
    """None for one that no hosting would take."""
    text = text.replace("\\ ", " ").replace("\\#", "#")
    parts = [part for part in text.split("/") if part]
    if not parts or len(text) > _LONGEST:
        return None
    is_anchored = text.startswith("/") or (hosting == "github" and len(parts) > 1)
    below = text.endswith("/")
    ends_open = "*" in parts[-1] and parts[-1] != "**" and text != "*"
    segments = [None if part == "**" else _segment(part) for part in parts]
    return Pattern(
        (*(() if is_anchored else (None,)), *segments), is_exact=not below, reaches_below=below or not ends_open
    )


def _segment(part: str) -> re.Pattern[str]:
    """Only `*` and `?` are special. fnmatch's expressions never go back, so that no pattern takes long."""
    return re.compile(fnmatch.translate(part.replace("[", "[[]")))
