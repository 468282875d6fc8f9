"""Skills as they are written in public collections."""

from __future__ import annotations

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
        {"license": "MIT", "metadata": "{'since': datetime.date(2026, 1, 2)}"},
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
        ("# no front matter", "does not begin with front matter"),
        ("---\nname: x\n---\n", "`description`"),
        ("---\nname: ../x\ndescription: d\n---\n", "'../x' is not a name"),
        ("---\nname: queue\ndescription: d\n---\n", "'queue' is not a name"),
        ("---\nname: x\ndescription: d\ncomplexity: huge\n---\n", "`complexity`"),
        ("---\n- a\n---\n", "must be fields"),
    ],
)
def test_what_is_wrong_is_named(text: str, complaint: str) -> None:
    with pytest.raises(InvalidField, match=complaint.replace(".", r"\.")):
        manifests.read(skill(text))
