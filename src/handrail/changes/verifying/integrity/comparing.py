"""Two versions of the tests of a change: what of their proof is gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from handrail.changes.verifying.integrity.suite import Item, Suite, Test
from handrail.changes.verifying.model import Finding, Verdict

_LONGEST = 160
_MOST_COMPARED = 50
"""New assertions of one test that may have taken the place of an old one: each pair is compared letter by letter."""


class Pair(NamedTuple):
    path: str
    before: Suite
    after: Suite


def compare(pairs: Sequence[Pair], weakens: Callable[[str], bool]) -> Iterator[Finding]:
    """`weakens` says in which files the approved plan has weaker tests."""
    moved = _moved(pairs)
    for pair in pairs:
        verdict = Verdict.unsure if weakens(pair.path) else Verdict.failed
        for name, old in pair.before.items():
            new = pair.after.get(name)
            if new is not None and (new.is_test or not old.is_test):
                yield from _changed(pair.path, old, new, verdict)
            elif (pair.path, name) not in moved:
                yield from _gone(pair.path, old, verdict)
        for name, new in pair.after.items():
            if name not in pair.before:
                yield from _focused(pair.path, Test(name, new.line, new.is_test), new, verdict)
                yield from _skipped(pair.path, Test(name, new.line, new.is_test), new, Verdict.unsure)


def _moved(pairs: Sequence[Pair]) -> set[tuple[str, str]]:
    """Tests that stand elsewhere now, or have another name, and assert what they did."""
    came: Counter[tuple[bool, tuple[str, ...]]] = Counter()
    for pair in pairs:
        fresh = (new for name, new in pair.after.items() if name not in pair.before and not new.skips)
        came.update((new.is_test, new.key) for new in fresh)
    found: set[tuple[str, str]] = set()
    for pair in pairs:
        for name, old in pair.before.items():
            key = (old.is_test, old.key)
            if name not in pair.after and old.key and came[key] > 0:
                came[key] -= 1
                found.add((pair.path, name))
    return found


def _gone(path: str, old: Test, verdict: Verdict) -> Iterator[Finding]:
    if old.is_test:
        what = f"The test `{_brief(old.name)}` was removed."
        yield Finding("test_removed", path, old.line, what, "What it proved is no longer proved.", verdict)
    elif old.asserts:
        what = f"`{_brief(old.name)}` was removed, and with it {len(old.asserts)} of the tests' assertions."
        yield Finding("assertion_removed", path, old.line, what, "Tests that used it may prove less now.", verdict)


def _changed(path: str, old: Test, new: Test, verdict: Verdict) -> Iterator[Finding]:
    found = [
        *_asserted(path, old, new, verdict),
        *_skipped(path, old, new, verdict),
        *_focused(path, old, new, verdict),
        *_tabled(path, old, new, verdict),
    ]
    yield from found
    if found or old.body == new.body:
        return
    if old.is_test:
        what = f"The steps of the existing test `{_brief(old.name)}` changed."
        why = "With other steps, the same assertions may prove less."
        yield Finding("test_changed", path, new.line, what, why, Verdict.unsure)
    else:
        where = (
            f"`{_brief(old.name)}`, which tests here use," if old.name else "What the file does outside of its tests"
        )
        why = "It can change what every test in the file proves."
        yield Finding("test_support_changed", path, new.line, f"{where} changed.", why, Verdict.unsure)


def _asserted(path: str, old: Test, new: Test, verdict: Verdict) -> Iterator[Finding]:
    came = _surplus(new.asserts, old.asserts)[:_MOST_COMPARED]
    for item in _surplus(old.asserts, new.asserts):
        close = get_close_matches(item.text[:_LONGEST], [each.text[:_LONGEST] for each in came], n=1, cutoff=0.6)
        if close:
            now = next(each for each in came if each.text[:_LONGEST] == close[0])
            came.remove(now)
            what = f"In `{_brief(new.name)}`, `{_brief(item.text)}` is now `{_brief(now.text)}`."
            yield Finding("assertion_changed", path, now.line, what, "The test expects something else now.", verdict)
        else:
            where = f"In `{_brief(new.name)}`" if new.name else "Outside of any test"
            what = f"{where}, `{_brief(item.text)}` was removed, or can no longer fail."
            yield Finding("assertion_removed", path, new.line, what, "The test proves less than before.", verdict)


def _skipped(path: str, old: Test, new: Test, verdict: Verdict) -> Iterator[Finding]:
    for item in _surplus(new.skips, old.skips):
        what = f"{_subject(new)} is skipped, or expected to fail, by `{_brief(item.text)}`."
        yield Finding("skip_added", path, item.line, what, "A test that does not run proves nothing.", verdict)


def _focused(path: str, old: Test, new: Test, verdict: Verdict) -> Iterator[Finding]:
    for item in _surplus(new.only, old.only):
        what = f"`{_brief(item.text)}` makes it the only one that runs."
        yield Finding("only_added", path, item.line, what, "All other tests of the file are left out.", verdict)


def _tabled(path: str, old: Test, new: Test, verdict: Verdict) -> Iterator[Finding]:
    for item in _surplus(old.cases, new.cases):
        what = f"`{_brief(new.name)}` no longer has the case `{_brief(item.text)}`."
        yield Finding("case_removed", path, new.line, what, "This case is no longer proved.", verdict)


def _surplus(items: Sequence[Item], others: Sequence[Item]) -> list[Item]:
    """Those that the other side has not, or not as often."""
    left = Counter(item.text for item in others)
    found: list[Item] = []
    for item in items:
        if left[item.text] > 0:
            left[item.text] -= 1
        else:
            found.append(item)
    return found


def _subject(test: Test) -> str:
    return f"`{_brief(test.name)}`" if test.name else "The whole file"


def _brief(text: str) -> str:
    line = " ".join(text.split()).replace("`", "'")
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
