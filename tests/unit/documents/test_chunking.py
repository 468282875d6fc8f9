"""Chunks: nothing is lost, nothing is longer than asked, and each stands where it says."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from handrail.documents import chunking, rendering
from handrail.documents.extraction.blocks import Block

TEXTS = st.text(alphabet="ab c.\n", max_size=2000)
SIZES = st.integers(min_value=2, max_value=300).flatmap(
    lambda size: st.tuples(st.just(size), st.integers(min_value=0, max_value=(size - 1) // 2))
)


@given(TEXTS, SIZES)
def test_every_word_is_in_a_chunk_that_stands_where_it_says(text: str, cut: tuple[int, int]) -> None:
    size, overlap = cut
    found = chunking.chunks(text, [], [], size, overlap)
    seen = [False] * len(text)
    for chunk in found:
        assert chunk.text == text[chunk.start : chunk.end]
        assert 0 < len(chunk.text) <= size
        seen[chunk.start : chunk.end] = [True] * len(chunk.text)
    assert not [place for place, sign in enumerate(text) if not sign.isspace() and not seen[place]]
    starts = [chunk.start for chunk in found]
    assert starts == sorted(set(starts))


def test_chunks_overlap_and_know_their_page_and_section() -> None:
    words = " ".join(f"word{number}" for number in range(60))
    blocks = [Block("heading", "First", 1, page=1), Block("paragraph", words, page=1)]
    blocks += [Block("heading", "Second", 2, page=2), Block("paragraph", words, page=2)]
    text, placed = rendering.markdown(blocks)
    sections = rendering.sections(placed, len(text))
    found = chunking.chunks(text, placed, sections, 200, 50)
    assert (found[0].page, found[0].section) == (1, "First")
    assert (found[-1].page, found[-1].section) == (2, "Second")
    assert all(10 <= before.end - after.start <= 50 for before, after in pairwise(found))
    assert [text[s.start : s.end].strip().partition("\n")[0] for s in sections] == ["# First", "## Second"]
