"""The rule as laws, over random files: an edit is made where it was meant, or it is refused."""

from collections.abc import Sequence

from hypothesis import assume, given
from hypothesis import strategies as st

from handrail.changes.editing.errors import Refused
from handrail.changes.editing.placing import replaced
from handrail.changes.editing.texts import Text, decode

WORDS = st.sampled_from(["alpha", "beta", "gamma", "delta", "", "}", "return x"])
INDENTS = st.sampled_from(["", "  ", "    ", "        "])
LINES = st.lists(
    st.tuples(INDENTS, WORDS).map(lambda pair: pair[0] + pair[1] if pair[1] else ""), min_size=3, max_size=25
)
UNIQUE = st.lists(
    st.tuples(INDENTS, st.integers(0, 10_000)), min_size=6, max_size=25, unique_by=lambda pair: pair[1]
).map(lambda pairs: [f"{pad}line {number}" for pad, number in pairs])


def text_of(lines: Sequence[str]) -> Text:
    return decode("a.txt", "".join(f"{line}\n" for line in lines).encode())


def edited(lines: Sequence[str], old: Sequence[str], new: Sequence[str]) -> list[str] | None:
    """The file's lines after the edit; None where it is refused."""
    text = text_of(lines)
    try:
        return list(text.spliced(replaced("a.txt", text, old, new, range(len(text.lines)))).lines)
    except Refused:
        return None


@st.composite
def edits(draw: st.DrawFn, files: st.SearchStrategy[list[str]]) -> tuple[list[str], int, list[str], list[str]]:
    """(file, start, old, new): a window with one line changed, between two that stay."""
    lines = draw(files)
    start = draw(st.integers(0, len(lines) - 3))
    stop = draw(st.integers(start + 3, min(len(lines), start + 8)))
    old = lines[start:stop]
    at = draw(st.integers(1, len(old) - 2))
    pad = old[at][: len(old[at]) - len(old[at].lstrip())]
    return (
        lines,
        start,
        old,
        [*old[:at], *draw(st.sampled_from([[f"{pad}new"], [], [f"{pad}a", f"{pad}b"]])), *old[at + 1 :]],
    )


def meant(lines: list[str], start: int, old: list[str], new: list[str]) -> list[str]:
    return [*lines[:start], *new, *lines[start + len(old) :]]


@given(edits(UNIQUE))
def test_an_exact_edit_of_a_file_without_repetition_is_made(edit: tuple[list[str], int, list[str], list[str]]) -> None:
    lines, _, old, new = edit
    assert edited(lines, old, new) == meant(*edit)


@given(edits(LINES))
def test_an_exact_edit_is_made_where_it_was_meant_or_refused(edit: tuple[list[str], int, list[str], list[str]]) -> None:
    lines, start, old, new = edit
    result = edited(lines, old, new)
    windows = [at for at in range(len(lines)) if lines[at : at + len(old)] == old]
    assert result == (meant(*edit) if windows == [start] and any(line.strip() for line in old) else None)


@given(edits(LINES), st.sampled_from(["  ", "    ", "\t"]))
def test_moved_to_the_right_it_is_the_same_edit_or_refused(
    edit: tuple[list[str], int, list[str], list[str]], pad: str
) -> None:
    lines, _, old, new = edit
    assume(not any(pad + line in lines for line in old))
    result = edited(lines, [pad + line if line else "" for line in old], [pad + line if line else "" for line in new])
    assert result in (meant(*edit), None)


@given(edits(UNIQUE), st.sampled_from(["  ", "    ", "\t"]))
def test_in_a_file_without_repetition_it_is_never_refused_for_being_moved(
    edit: tuple[list[str], int, list[str], list[str]], pad: str
) -> None:
    lines, _, old, new = edit
    assert edited(lines, [pad + line for line in old], [pad + line for line in new]) == meant(*edit)


@given(edits(UNIQUE))
def test_dedented_it_is_the_same_edit(edit: tuple[list[str], int, list[str], list[str]]) -> None:
    lines, _, old, new = edit
    depth = min(len(line) - len(line.lstrip()) for line in old)
    assert edited(lines, [line[depth:] for line in old], [line[depth:] for line in new]) == meant(*edit)


@given(edits(UNIQUE), st.sampled_from([" ", "  ", "\t"]))
def test_with_trailing_spaces_it_is_the_same_edit(edit: tuple[list[str], int, list[str], list[str]], tail: str) -> None:
    lines, _, old, new = edit
    assert edited(lines, [line + tail for line in old], [line + tail for line in new]) == meant(*edit)


@given(edits(st.one_of(UNIQUE, LINES)), st.data())
def test_a_deleted_line_that_the_file_does_not_have_is_never_deleted(
    edit: tuple[list[str], int, list[str], list[str]], data: st.DataObject
) -> None:
    lines, _, old, new = edit
    gone = [at for at, line in enumerate(old) if line not in new and line.strip()]
    assume(gone)
    at = data.draw(st.sampled_from(gone))
    assert edited(lines, [*old[:at], f"{old[at]} as it was", *old[at + 1 :]], new) is None


@given(edits(UNIQUE), st.data())
def test_one_stale_line_among_those_that_stay_changes_nothing_else(
    edit: tuple[list[str], int, list[str], list[str]], data: st.DataObject
) -> None:
    lines, _, old, new = edit
    at = data.draw(st.sampled_from([0, len(old) - 1]))
    stale = f"{old[at]} as it was"
    remembered = [stale if line == old[at] else line for line in new]
    assert edited(lines, [stale if line == old[at] else line for line in old], remembered) == meant(*edit)


@given(edits(UNIQUE), st.data())
def test_a_line_left_out_is_refused(edit: tuple[list[str], int, list[str], list[str]], data: st.DataObject) -> None:
    lines, _, old, new = edit
    at = data.draw(st.integers(1, len(old) - 2))
    shorter = [line for line in new if line != old[at]]
    assume(shorter != [*old[:at], *old[at + 1 :]])
    assert edited(lines, [*old[:at], *old[at + 1 :]], shorter) is None


@given(LINES, st.lists(WORDS, max_size=6), st.lists(WORDS, max_size=6))
def test_whatever_is_sent_only_whole_lines_that_were_quoted_go(
    lines: list[str], old: list[str], new: list[str]
) -> None:
    result = edited(lines, old, new)
    if result is not None:
        gone = sum(map(str.__len__, map(str.strip, lines))) - sum(map(str.__len__, map(str.strip, result)))
        most = sum(len(line.strip()) for line in old)
        assert gone <= most


@given(st.text(alphabet="ab \t\n\r\u2028\x0b\u00e9\ufeff", max_size=60).map(str.encode))
def test_bytes_become_lines_and_the_same_bytes_again(data: bytes) -> None:
    assert decode("a.txt", data).data == data
