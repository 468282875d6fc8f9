"""The default policy on the tools of coding agents: it asks what a careful colleague would ask."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from handrail.core.canonical import JsonObject
from handrail.core.holds import Action, Kind
from handrail.core.risk import Fact
from handrail.policy import assess, default_policy, load

ROOT = Path(__file__).parents[3]
OWN = "/home/dev/.claude/settings.json"


def level(name: str, args: JsonObject, claims: JsonObject | None = None) -> str:
    return assess(default_policy(), kind=Kind.approval, action=Action(name, args), claims=claims).level.value


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("claude.Read", {"file_path": "/srv/app/x.py"}),
        ("claude.Read", {"file_path": OWN}),
        ("claude.Grep", {"pattern": "credentials", "path": "/srv/app"}),
        ("claude.Grep", {"pattern": "x", "path": "/home/dev/app"}),
        ("claude.Glob", {"pattern": "**/*.py"}),
        ("claude.TodoWrite", {"todos": []}),
        ("claude.TaskCreate", {"subject": "x"}),
        ("claude.Agent", {"prompt": "look around", "description": "x"}),
        ("claude.Bash", {"command": "git status", "description": "x"}),
        ("claude.WebFetch", {"url": "https://docs.python.org/3/", "prompt": "x"}),
        ("codex.Bash", {"command": "ls -la src"}),
        ("codex.update_plan", {"plan": []}),
        ("gemini.read_file", {"file_path": "x.py"}),
        ("gemini.run_shell_command", {"command": "git log --oneline", "description": "x"}),
    ],
)
def test_what_only_reads_goes_through(name: str, args: JsonObject) -> None:
    assert level(name, args) == "low"


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("claude.Edit", {"file_path": "/srv/app/x.py", "old_string": "a", "new_string": "b"}),
        ("claude.Write", {"file_path": "/srv/app/x.py", "content": "x" * 200_000}),
        ("claude.NotebookEdit", {"notebook_path": "/srv/app/x.ipynb"}),
        ("claude.Skill", {"skill": "x"}),
        ("claude.NewToolOfTomorrow", {}),
        ("claude.Bash", {"command": "npm test"}),
        ("claude.Bash", {"command": "ls; pwd"}),
        ("claude.Bash", {"command": "ls | wc -l"}),
        ("claude.Bash", {"command": "echo x > y"}),
        ("claude.Bash", {"command": "cat $(ls)"}),
        ("claude.Bash", {"command": "ls \x1b[2K"}),
        ("claude.Bash", {"command": "ls \u202esrc"}),
        ("claude.WebFetch", {"url": "https://elsewhere.example/", "prompt": "x"}),
        ("codex.apply_patch", {"command": "*** Begin Patch\n*** Update File: x.py\n"}),
        ("gemini.web_fetch", {"prompt": "read https://elsewhere.example"}),
        ("gemini.replace", {"file_path": "x.py", "old_string": "a", "new_string": "b"}),
        ("mcp__tracker__list_issues", {}),
        ("mcp__tracker__create_issue", {"title": "x"}),
    ],
)
def test_what_changes_something_or_is_not_known_asks(name: str, args: JsonObject) -> None:
    assert level(name, args) == "medium"


@pytest.mark.parametrize(
    ("name", "args", "claims"),
    [
        ("claude.Read", {"file_path": "/home/dev/.ssh/id_rsa"}, None),
        ("claude.Glob", {"pattern": "**/.env"}, None),
        ("claude.Grep", {"pattern": "token", "path": "/"}, None),
        ("claude.Grep", {"pattern": "token", "path": "/home/dev/"}, None),
        ("claude.Grep", {"pattern": "token", "path": "~/.config"}, None),
        ("claude.Grep", {"pattern": "token", "path": "/home/dev/./"}, None),
        ("gemini.search_file_content", {"pattern": "token", "dir_path": "/etc"}, None),
        # with the hook's own token an agent could ask in its own words
        ("claude.Read", {"file_path": "/home/dev/.config/handrail/hooks/claude-code-user/config.json"}, None),
        ("gemini.read_file", {"absolute_path": "/home/dev/.config/handrail/credentials.json"}, None),
        ("claude.Bash", {"command": "cat ~/.config/h*/hooks/*/config.json"}, None),
        ("claude.Bash", {"command": "rm -rf build"}, None),
        ("claude.Bash", {"command": "git push --force"}, None),
        # what gates the agent itself
        ("claude.Edit", {"file_path": OWN}, None),
        ("claude.Edit", {"file_path": "/srv/app/.CLAUDE/settings.local.json"}, None),
        ("claude.Write", {"file_path": "/home/dev/.config/handrail/hooks/claude-code-user/run"}, None),
        ("claude.Write", {"file_path": "handrail.toml"}, None),
        ("claude.Edit", {"file_path": "/srv/app/link"}, {"resolved_path": OWN}),
        ("claude.Bash", {"command": "sed -i s/block/allow/ ~/.claude/settings.json"}, None),
        ("claude.Bash", {"command": "sed -i s/block/allow/ settings.json"}, {"working_folder": "/home/dev/.claude"}),
        ("claude.Bash", {"command": "handrail hook uninstall claude-code"}, None),
        ("claude.Bash", {"command": "handrail approve H-7"}, None),
        ("codex.apply_patch", {"command": "*** Begin Patch\n*** Update File: .codex/hooks.json\n"}, None),
        ("gemini.write_file", {"file_path": "/home/dev/.gemini/settings.json"}, None),
        ("mcp__files__write_file", {"path": OWN}, None),
        ("mcp__tracker__close", {}, {"annotations": {"destructiveHint": True}}),
        ("claude.Write", {"file_path": "/srv/app/.mcp.json"}, None),
        ("claude.Edit", {"file_path": "/srv/app/.vscode/mcp.json"}, None),
        ("mcp__files__write_file", {"path": "/home/dev/.cursor/mcp.json"}, None),
    ],
)
def test_what_a_colleague_would_stop_at_is_high(name: str, args: JsonObject, claims: JsonObject | None) -> None:
    assert level(name, args, claims) == "high"


@pytest.mark.parametrize(
    ("name", "said", "says"),
    [
        ("claude.Edit", "refused-before", "high"),
        ("mcp__tracker__close", "refused-before", "high"),
        ("send_refund", "asked-again", "medium"),
    ],
)
@pytest.mark.parametrize("claims", [None, {"refused_before": 0}, {"refused_before": "no"}])
def test_one_sentence_says_that_people_rejected_the_same_before(
    name: str, said: str, says: str, claims: JsonObject | None
) -> None:
    action = Action(name, {"file_path": "/srv/app/x.py"})

    found = assess(default_policy(), kind=Kind.approval, action=action, claims=claims, refused_before=2)

    about = [rule for rule in found.rules if "people rejected the same" in rule.reason]
    assert [(rule.rule, rule.level, rule.claimed) for rule in about] == [(said, says, False)]
    assert Fact("refused_before", "2", "Handrail's own count") in found.facts
    before = assess(default_policy(), kind=Kind.approval, action=action)
    assert not any("people rejected the same" in rule.reason for rule in before.rules)


@pytest.mark.parametrize("claims", [{"working_folder": "/tmp"}, {"resolved_path": "/tmp/x", "operation": "read"}])
def test_no_claim_of_the_hook_lowers_anything(claims: dict[str, Any]) -> None:
    assert level("claude.Edit", {"file_path": "/srv/app/x.py"}, claims) == "medium"
    assert level("claude.Edit", {"file_path": OWN}, claims) == "high"


def test_the_example_of_the_documents_lets_edits_of_one_folder_through() -> None:
    blocks = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs" / "coding-agents.md").read_text(), re.DOTALL)
    entries, rules = (block.partition("\n")[2] for block in blocks)
    old = default_policy().source
    actions = re.sub(
        r"  - id: coding-agent-edits\n.*?(?=  - id:)", lambda _: entries, old["actions.yaml"], flags=re.DOTALL
    )
    risks = old["risk-assessment-rules.yaml"].replace("\nrules:\n", f"\nrules:\n{rules}")
    policy = load({**old, "actions.yaml": actions, "risk-assessment-rules.yaml": risks})

    def edited(path: str) -> str:
        action = Action("claude.Edit", {"file_path": path})
        return assess(policy, kind=Kind.approval, action=action, claims=None).level.value

    paths = ("scratch/x.py", "scratch/../x.py", "x.py", "scratch/.claude/settings.json")
    assert [edited(f"/home/ann/{path}") for path in paths] == ["low", "medium", "medium", "high"]
