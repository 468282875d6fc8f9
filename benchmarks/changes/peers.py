"""The rules of others, written from what is known of their tools: the rule alone, without the rest of the tool. Each
gives the new file, or None for a refusal."""

from __future__ import annotations

from collections.abc import Callable
from difflib import SequenceMatcher


def exact_first(source: str, old: str, new: str) -> str | None:
    """The first occurrence, as it is."""
    return source.replace(old, new, 1) if old in source else None


def trimmed_first(source: str, old: str, new: str) -> str | None:
    """Codex: the first window of lines that are the same exactly, else right-trimmed, else trimmed; the patch's lines
    are written. Additions without any context go to the end."""
    if not old:
        return source + new
    keys: tuple[Callable[[str], str], ...] = (lambda line: line, str.rstrip, str.strip)
    for key in keys:
        result = _first_window(source, old, new, lambda mine, its, key=key: list(map(key, mine)) == list(map(key, its)))
        if result is not None:
            return result
    return None


def unique_or_stripped(source: str, old: str, new: str) -> str | None:
    """OpenHands: the only occurrence; where there is none, the only one of both texts without space around."""
    for mine, its in ((old, new), (old.strip(), new.strip())):
        if mine and source.count(mine) == 1:
            return source.replace(mine, its)
        if source.count(mine) > 1:
            return None
    return None


def similar_first(source: str, old: str, new: str) -> str | None:
    """Cline: exact, else lines trimmed, else the first window that is similar by two thirds."""
    if old in source:
        return source.replace(old, new, 1)
    trimmed = _first_window(source, old, new, lambda mine, its: [m.strip() for m in mine] == [i.strip() for i in its])
    if trimmed is not None:
        return trimmed
    matcher = SequenceMatcher(None, "", old, autojunk=False)

    def is_similar(_: list[str], its: list[str]) -> bool:
        matcher.set_seq1("".join(its))
        return min(matcher.real_quick_ratio(), matcher.quick_ratio()) >= 0.66 and matcher.ratio() >= 0.66

    return _first_window(source, old, new, is_similar)


def _first_window(source: str, old: str, new: str, same: Callable[[list[str], list[str]], bool]) -> str | None:
    lines, wanted = source.splitlines(keepends=True), old.splitlines(keepends=True)
    for start in range(len(lines) - len(wanted) + 1):
        if same(wanted, lines[start : start + len(wanted)]):
            return "".join((*lines[:start], new, *lines[start + len(wanted) :]))
    return None
