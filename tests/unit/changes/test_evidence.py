"""The value behind a publishing hold's digest: any difference in what would be published is another digest."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import publishing_world as world
import pytest
from git_server import git

from handrail.changes.publishing.evidence import Evidence, digest_of

EVIDENCE = Evidence(
    "https://git.example.org/team/shop",
    "main",
    "handrail/x",
    "1" * 40,
    ("2" * 40, "3" * 40),
    "4" * 40,
    *(f"{number}" * 64 for number in range(1, 6)),
)
OTHERS: dict[str, object] = {
    "repository": "https://git.example.org/team/other",
    "target_branch": "release",
    "branch": "handrail/y",
    "base_commit": "8" * 40,
    "commits": ("2" * 40, "9" * 40),
    "head_tree": "8" * 40,
    "diff_sha256": "8" * 64,
    "series_sha256": "8" * 64,
    "plan_digest": "8" * 64,
    "results_digest": "8" * 64,
    "outcome_digest": "8" * 64,
}


def test_the_digest_is_that_of_canonical_json() -> None:
    assert digest_of(EVIDENCE) == "889df19a604f5e537c55dac5606f376a892d41ae44bc0fd7f7bb7cea77a59c24"
    assert Evidence.of(EVIDENCE.as_data()) == EVIDENCE


@pytest.mark.parametrize("name", [field.name for field in fields(Evidence)])
def test_a_change_of_any_one_field_changes_the_digest(name: str) -> None:
    assert digest_of(replace(EVIDENCE, **{name: OTHERS[name]})) != digest_of(EVIDENCE)


@pytest.mark.parametrize(
    "field",
    [{"base_commit": "main"}, {"head_tree": "4" * 39}, {"commits": ()}, {"commits": ("-x",)}, {"plan_digest": ""}],
)
def test_names_and_shortened_ids_are_no_evidence(field: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"not the full id|not a SHA-256|no commit"):
        replace(EVIDENCE, **field)


@pytest.mark.parametrize("field", [{"extra": "x"}, {"branch": 7}, {"commits": "2" * 40}])
def test_what_has_other_fields_is_not_read_as_evidence(field: dict[str, object]) -> None:
    with pytest.raises((TypeError, ValueError)):
        Evidence.of({**EVIDENCE.as_data(), **field})


def test_a_rebase_that_changes_no_line_that_is_shown_keeps_the_hash_of_the_diff(tmp_path: Path) -> None:
    """Also where the lines have moved within their file."""
    folder = tmp_path / "shop"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch", "main")
    lines = [f"line {number}\n" for number in range(40)]
    base = world.committed(folder, {"a.txt": "".join(lines).encode()})
    git(folder, "checkout", "--quiet", "-b", "change")
    head = world.committed(folder, {"a.txt": "".join([*lines[:30], "new\n", *lines[31:]]).encode()})
    before = world.evidence_of(folder, base, head)
    git(folder, "checkout", "--quiet", "main")
    moved = world.committed(folder, {"a.txt": "".join(["first\n", *lines]).encode(), "b.txt": b"other\n"})
    git(folder, "rebase", "--quiet", "--committer-date-is-author-date", "main", "change")
    after = world.evidence_of(folder, moved, git(folder, "rev-parse", "change").strip())
    assert after.diff_sha256 == before.diff_sha256
    assert digest_of(after) != digest_of(before)
    assert after.is_same_change(before) and (after.moved_from(before) or {})["base_commit"] == moved
    assert before.moved_from(before) is None

    other = world.committed(folder, {"a.txt": "".join(["first\n", *lines[:30], "else\n", *lines[31:]]).encode()})
    assert world.evidence_of(folder, moved, other).diff_sha256 != before.diff_sha256


def test_attributes_of_the_repository_hide_nothing_from_the_hash(tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch", "main")
    base = world.committed(folder, {".gitattributes": b"* -diff\n", "a.txt": b"one\n"})
    first = world.committed(folder, {"a.txt": b"two\n"})
    git(folder, "checkout", "--quiet", base)
    second = world.committed(folder, {"a.txt": b"three\n"})
    one, two = (world.evidence_of(folder, base, head) for head in (first, second))
    assert one.diff_sha256 != two.diff_sha256


@pytest.mark.parametrize("name", [field.name for field in fields(Evidence)])
def test_a_moved_base_takes_along_only_where_the_commits_are(name: str) -> None:
    same = replace(EVIDENCE, **{name: OTHERS[name]}).is_same_change(EVIDENCE)
    assert same is (name in {"base_commit", "commits", "head_tree", "results_digest"})


def test_commits_that_say_or_do_something_else_on_the_way_are_another_series(tmp_path: Path) -> None:
    """The diff of the whole has neither the message nor what one commit adds and the next takes away."""
    folder = tmp_path / "shop"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch", "main")
    base = world.committed(folder, {"a.txt": b"one\n"})

    def change(message: str = "fix: two", *, on_the_way: bytes = b"") -> Evidence:
        git(folder, "checkout", "--quiet", base)
        if on_the_way:
            world.committed(folder, {"key.txt": on_the_way})
            (folder / "key.txt").unlink()
        return world.evidence_of(folder, base, world.committed(folder, {"a.txt": b"two\n"}, message))

    plain, said, detour = change(), change("fix: closes #1"), change(on_the_way=b"secret\n")
    assert plain.diff_sha256 == said.diff_sha256 == detour.diff_sha256
    assert len({each.series_sha256 for each in (plain, said, detour)}) == 3
