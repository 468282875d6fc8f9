"""Skills as they are written in public collections."""

from __future__ import annotations

import time

import pytest

from handrail.core.errors import InvalidField
from handrail.skills import manifests


def skill(text: str) -> dict[str, bytes]:
    return {"SKILL.md": text.encode()}


def test_front_matter_and_instructions() -> None:
    found = manifests.read(
        skill(
            "---\nname: log-investigator\ndescription: >\n  Reads logs,\n  all of them.\nlicense: MIT\n"
            "allowed-tools: Read, Bash(git log:*) run_python\nmetadata:\n  since: 2026-01-02\n---\n\n# Do it\n"
        )
    )
    assert (found.name, found.description, found.instructions) == (
        "log-investigator",
        "Reads logs, all of them.",
        "# Do it",
    )
    assert found.allowed_tools == ("Read", "Bash(git log:*)", "run_python")
    assert (found.complexity, found.more) == (
        "complex",
        {"license": "MIT", "metadata": {"since": "2026-01-02"}},
    )


def test_complexity_and_inputs_are_ours() -> None:
    found = manifests.read(
        skill(
            "---\nname: Interest\ndescription: x\ncomplexity: simple\ninputs:\n  rate: {default: 4.5}\n  years:\n"
            "    description: how long\n    required: false\n---\n"
        )
    )
    assert (found.name, found.complexity) == ("interest", "simple")
    assert [(i.name, i.default, i.required) for i in found.inputs] == [("rate", 4.5, True), ("years", None, False)]


def test_a_description_with_a_colon_is_read_all_the_same() -> None:
    """Strict YAML refuses it, and collections have it."""
    found = manifests.read(skill('---\nname: x\ndescription: Use when: the user asks "why"\n---\nText'))
    assert found.description == 'Use when: the user asks "why"'


def test_skill_yaml_works_too() -> None:
    found = manifests.read({"skill.yaml": b"name: y\ndescription: d\ninstructions: |\n  Do.\nallowed_tools: [a]\n"})
    assert (found.name, found.instructions, found.allowed_tools) == ("y", "Do.", ("a",))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("# no front matter", "does not start with front matter"),
        ("---\nname: x\n---\n", "`description`"),
        ("---\nname: ../x\ndescription: d\n---\n", "'../x' is not a name"),
        ("---\nname: queue\ndescription: d\n---\n", "'queue' is not a name"),
        ("---\nname: x\ndescription: d\ncomplexity: huge\n---\n", "`complexity`"),
        ("---\n- a\n---\n", "SKILL.md:2:1: file: must be a mapping"),
    ],
)
def test_what_is_wrong_is_named(text: str, complaint: str) -> None:
    with pytest.raises(InvalidField, match=complaint.replace(".", r"\.")):
        manifests.read(skill(text))


LAUGHS = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
)
BOMBS = {
    "aliases": LAUGHS,
    "nesting": "more: " + "[" * 8000 + "\n",
    "brackets": "more: " + "[ " * 4000 + "\n",
    "a tag": "more: !!python/object/apply:os.system [id]\n",
    "tools": "allowed-tools: " + "a(" * 8000 + "\n",
    "spaces": "more: |\n" + " " * 16000 + "\n",
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_in_front_matter_costs_little_and_builds_nothing(name: str) -> None:
    bomb = f"name: x\ndescription: d\n{BOMBS[name]}"[: manifests.LARGEST_FRONT_MATTER - 10]
    began = time.process_time()
    found = manifests.read(skill(f"---\n{bomb}\n---\n# Do it\n"))
    assert time.process_time() - began < 2
    assert (found.name, found.description, found.instructions) == ("x", "d", "# Do it")
    # what cannot be read is text
    assert all(isinstance(value, str) for value in found.more.values())


@pytest.mark.parametrize("name", ["aliases", "nesting", "a tag"])
def test_a_bomb_in_skill_yaml_is_refused_at_its_place(name: str) -> None:
    with pytest.raises(InvalidField, match=r"skill.yaml:3:\d+: file: (anchors|is nested|tags)"):
        manifests.read({"skill.yaml": f"name: x\ndescription: d\n{BOMBS[name]}".encode()})


def test_front_matter_and_markdown_have_an_end() -> None:
    with pytest.raises(InvalidField, match="front matter of at most 16 KiB"):
        manifests.read(skill(f"---\nname: x\ndescription: d\nmore: {'x' * 20_000}\n---\n"))
    with pytest.raises(InvalidField, match="larger than 512 KiB"):
        manifests.read(skill(f"---\nname: x\ndescription: d\n---\n{'x' * 600_000}"))


def test_values_are_those_of_yaml_and_all_of_it_is_json() -> None:
    text = (
        "a: [1, -2, 0x1F, 0o17, 1.5, 1e3, .5, ~, null, true, False, '1', \"no\", no, 2026-01-02]\nc: 1234567890123456"
    )
    found = manifests.read(skill(f"---\nname: x\ndescription: d\n{text}\nb:\ne: 1e999\n---\n"))
    assert found.more == {
        "a": [1, -2, 31, 15, 1.5, 1000.0, 0.5, None, None, True, False, "1", "no", "no", "2026-01-02"],
        "c": "1234567890123456",
        "b": None,
        "e": "1e999",
    }
