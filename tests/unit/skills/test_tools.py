"""Which tools a skill has, and what its model is told of them and of the skill."""

from __future__ import annotations

import pytest

from handrail.core.errors import InvalidField
from handrail.core.skills import Complexity, Input, Manifest
from handrail.skills import asking, excerpts, prompts
from handrail.skills.tools import FILES, allowed, wants_servers

TOOLS = ("request_input", "run_python", "run_command", *FILES, "mcp.tracker.find", "mcp.mail.send")


def manifest(*named: str, complexity: Complexity = "complex") -> Manifest:
    return Manifest("s", "d", "Do it.", complexity, allowed_tools=named)


@pytest.mark.parametrize(
    ("of", "has"),
    [
        (manifest(), {*TOOLS}),
        (manifest("run_python"), {"request_input", "run_python", *FILES}),
        (manifest("Bash(git:*)", "Read"), {"request_input", "run_python", "run_command", *FILES}),
        (manifest("mcp.tracker.*"), {"request_input", *FILES, "mcp.tracker.find"}),
        (manifest("mcp__mail__send"), {"request_input", *FILES, "mcp.mail.send"}),
        (manifest(complexity="simple"), set[str]()),
        (manifest("run_python", complexity="simple"), {"run_python", *FILES}),
    ],
    ids=["all", "named", "public names", "a server", "a public server", "simple", "simple with tools"],
)
def test_a_skill_has_the_tools_that_it_names(of: Manifest, has: set[str]) -> None:
    assert {name for name in TOOLS if allowed(of, name)} == has
    assert wants_servers(of) == any(name.startswith("mcp.") for name in has)


def test_the_model_is_told_what_there_is_and_reads_it_when_it_needs_it() -> None:
    inputs = (Input("rate", "Percent."), Input("deposit", "Each year.", 0), Input("note", required=False))
    skill = Manifest("s", "d", "Do it.", inputs=inputs)
    text = prompts.system(skill, {"SKILL.md": b"", "scripts/a.py": b"1"}, ["run_python"], asks=True, last=False)
    assert "- scripts/a.py" in text and "- SKILL.md" not in text and "Do it." in text
    assert "- `rate`: Percent.\n- `deposit`: Each year. Default: 0.\n- `note`: Not required." in text
    assert "request_input" in text and prompts.LAST not in text
    alone = prompts.system(skill, {}, [], ["tracker"], asks=False, last=True)
    assert "request_input" not in alone and alone.endswith(prompts.LAST) and "are not available now: tracker" in alone


def test_a_long_text_is_read_in_pages_and_output_is_cut_in_its_middle() -> None:
    text = "".join(str(n % 10) for n in range(excerpts.SHOWN * 2 + 5))
    first = excerpts.page("a", text.encode(), 0)
    assert first == f"{text[: excerpts.SHOWN]}\n… {excerpts.SHOWN + 5} more characters: continue with offset=8000"
    assert excerpts.page("a", text.encode(), excerpts.SHOWN * 2) == text[-5:]
    cut = excerpts.cut(text)
    assert len(cut) < excerpts.SHOWN + 60 and cut.startswith(text[:4000]) and cut.endswith(text[-4000:])
    with pytest.raises(InvalidField, match="a is not text: it has 1 bytes"):
        excerpts.page("a", b"\xff", 0)


def test_a_question_without_words_is_none() -> None:
    with pytest.raises(InvalidField, match="`prompt` is empty"):
        asking.ask(" ", None, None)
