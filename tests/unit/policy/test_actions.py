"""Registered actions: which actions an entry is about, what is then known of them, and which mistakes are told."""

from __future__ import annotations

import time

import pytest
from policy_world import SOURCE, assessed, problems

from handrail.core.canonical import Json, JsonObject
from handrail.core.people import Principal, PrincipalKind
from handrail.core.risk import Level
from handrail.policy import ACTIONS, Policy, load
from handrail.policy.actions import Executor
from handrail.policy.patterns import Names


def registered(*entries: str) -> Policy:
    """The default policy with these actions alone, each a mapping in YAML on one line."""
    return load({**SOURCE, ACTIONS: "actions:\n" + "".join(f"  - {entry}\n" for entry in entries)})


def facts(entry: str, name: str, args: JsonObject | None = None, target: str | None = None) -> dict[str, str]:
    found = assessed(registered(entry), name=name, args=args, target=target)
    return {fact.name: fact.value for fact in found.facts}


@pytest.mark.parametrize(
    ("entry", "about", "other"),
    [
        ("{id: a, name: 'docs.*', operation: read}", "docs.find", "mail.find"),
        ("{id: a, name: delete_users, operation: read}", "deleteUsers", "deleteUser"),
        ("{id: a, words: [find], operation: read}", "issues.find-all", "refind"),
        ("{id: a, first_word: find, operation: read}", "findIssue", "issue_find"),
        ("{id: a, server: tracker, operation: read}", "mcp.tracker.find", "mcp.mail.find"),
        ("{id: a, server: tracker, operation: read}", "mcp__tracker__find", "tracker.find"),
        ("{id: a, server: tracker, tool: 'get_*', operation: read}", "mcp.tracker.get_x", "mcp.tracker.set_x"),
        ("{id: a, words: find, unless: {words: [and]}, operation: read}", "find_x", "find_and_kill"),
        ("{id: a, words: find, unless: {name: find_out}, operation: read}", "find_x", "findOut"),
        ("{id: a, words: find, unless: {first_word: can, server: evil}, operation: read}", "find", "mcp.evil.find"),
    ],
)
def test_an_entry_is_about_the_names_that_fit_all_it_says(entry: str, about: str, other: str) -> None:
    assert facts(entry, about) == {"operation": "read"}
    assert facts(entry, other) == {}


@pytest.mark.parametrize(
    ("source", "args", "known"),
    [
        ("operation: [deploy, delete]", {}, {"operation": "delete"}),
        ("environment: {from: [args.env, args.stage]}", {"stage": "prod1"}, {"environment": "production"}),
        ("environment: {from: args.where.env}", {"where": {"env": "dev"}}, {"environment": "development"}),
        ("estimated_cost: {from: args.amount}", {"amount": 250}, {"estimated_cost": "250"}),
        ("estimated_cost: {cel: 'action.args.n * 2'}", {"n": 60}, {"estimated_cost": "120"}),
        ("data_leaves: true", {}, {"data_leaves": "yes"}),
        ("data_leaves: {cel: 'action.args.to != \"me\"'}", {"to": "me"}, {}),
        ("data_leaves: {cel: 'action.args.to != \"me\"'}", {"to": "you"}, {"data_leaves": "yes"}),
        ('operation: {cel: \'action.args.dry ? "read" : "write"\'}', {"dry": True}, {"operation": "read"}),
        ("resource_type: {from: args.kind}", {"kind": "secret"}, {"resource_type": "secret"}),
    ],
)
def test_a_fact_is_written_out_or_comes_from_a_place_or_an_expression(
    source: str, args: JsonObject, known: dict[str, str]
) -> None:
    assert facts(f"{{id: a, name: x, {source}}}", "x", args) == known


@pytest.mark.parametrize(
    ("source", "args"),
    [
        ("environment: {from: args.env}", {"env": ["production"]}),
        ("operation: {from: args.op}", {"op": "x" * 201}),
        ("estimated_cost: {from: args.amount}", {"amount": "plenty"}),
        ("operation: {cel: action.args.missing}", {}),
        ("operation: read, when: action.args.missing", {}),
    ],
)
def test_a_fact_that_cannot_be_read_is_high(source: str, args: JsonObject) -> None:
    assert assessed(registered(f"{{id: a, name: x, {source}}}"), name="x", args=args).level is Level.high


def test_every_entry_that_matches_counts() -> None:
    harmless, harmful = "{id: a, words: get, operation: read}", "{id: b, words: wire, operation: pay}"

    assert assessed(registered(harmless), name="get_wire").level is Level.low
    assert assessed(registered(harmless, harmful), name="get_wire").level is Level.high


def test_when_says_for_which_arguments() -> None:
    entry = "{id: a, name: x, when: action.args.dry, operation: read}"

    assert facts(entry, "x", {"dry": True}) == {"operation": "read"}
    assert facts(entry, "x", {"dry": False}) == {}


def test_a_floor_is_the_least_that_it_counts_as() -> None:
    found = assessed(registered("{id: a, name: x, operation: read, floor: high}"), name="x")

    assert found.level is Level.high
    assert [rule.rule for rule in found.rules] == ["floor", "read"]


@pytest.mark.parametrize(("target", "may"), [("staging", True), ("production", False)])
def test_the_requester_may_decide_what_is_registered_so_at_most_at_medium(target: str, may: bool) -> None:
    entry = "{id: a, name: deploy, operation: deploy, requester_may_decide: true}"

    assert assessed(registered(entry), name="deploy", target=target).requirements.requester_may_decide is may


@pytest.mark.parametrize(
    ("args", "level"),
    [
        ({"cmd": "ls"}, Level.low),
        ({"cmd": "ls", "note": "for Ada"}, Level.low),
        ({"cmd": "ls", "env": {"LD_PRELOAD": "x"}}, Level.medium),
        ({"cmd": "ls", "also": "rm -rf /"}, Level.medium),
        ({"cmd": "rm -rf /"}, Level.medium),
        ({"cmd": 7}, Level.medium),
        ({}, Level.medium),
    ],
)
def test_a_parsed_argument_is_low_only_alone_and_read_through(args: JsonObject, level: Level) -> None:
    entry = "{id: a, name: go, parse: {command: args.cmd, allowed: [ls], beside: [note]}}"

    assert assessed(registered(entry), name="go", args=args).level is level


@pytest.mark.parametrize(
    "args",
    [
        # each part reads, and together they write: `sort cat -o x`, `git log echo --output=x`
        {"command": "sort", "args": ["cat", "-o", "x"]},
        {"command": "git log", "args": ["echo", "--output=x"]},
        {"command": ["cat", "x"], "argv": ["pwd"]},
        {"command": "cat", "input": "ls"},
        # one command, or several?
        {"commands": ["ls", "rm -rf /"]},
        {"commands": ["ls", "reboot"]},
        {"commands": [["ls"], ["reboot"]]},
        {"commands": ["ls", {"run": "reboot"}]},
        {"commands": ["ls"] * 100_000},
    ],
)
def test_parts_of_a_command_are_not_low_because_each_of_them_is(args: JsonObject) -> None:
    entry = (
        "{id: a, name: go, parse: {command: [args.command, args.args, args.argv, args.input, args.commands],"
        " allowed: [ls, cat, pwd, echo, sort, git log]}}"
    )

    assert assessed(registered(entry), name="go", args=args).level is Level.medium
    assert assessed(registered(entry), name="go", args={"commands": ["ls", "pwd"]}).level is Level.low


def test_a_program_and_its_arguments_are_what_they_do_together() -> None:
    entry = "{id: a, name: go, parse: {command: [args.command, args.args]}}"
    found = assessed(registered(entry), name="go", args={"command": "bash", "args": ["-c", "rm -rf x"]})

    assert "delete" in {fact.value for fact in found.facts if fact.name == "operation"}


@pytest.mark.parametrize(
    "path",
    [
        ["a", [".env"]],
        {"from": {"file": "/etc/shadow"}},
        "/etc/shad\u200bow",
        "\uff0eenv",
        ".%65nv",
        ".env\0.txt",
        ".env ",
        "file:///root/.ssh/id_rsa",
    ],
)
def test_a_path_of_secrets_is_known_in_every_spelling(path: Json) -> None:
    entry = "{id: a, name: go, operation: read, parse: {path: [args.path]}}"

    assert facts(entry, "go", {"path": path}).get("resource_type") == "credential"


def test_more_paths_than_anybody_reads_are_not_low() -> None:
    entry = "{id: a, name: go, operation: read, parse: {path: [args.path]}}"
    few: list[Json] = ["aб"] * 1000
    many: list[list[Json]] = [["aб"] * 100_000, ["б" * 1000] * 1000]
    began = time.process_time()

    assert assessed(registered(entry), name="go", args={"path": few}).level is Level.low
    for paths in many:
        assert assessed(registered(entry), name="go", args={"path": [paths]}).level is Level.medium
    assert time.process_time() - began < 1


def test_an_environment_beside_a_target_counts_too() -> None:
    policy = load(SOURCE)

    low = assessed(policy, name="read_logs", args={"environment": "dev"}, target="dev-1")
    both = assessed(policy, name="read_logs", args={"environment": "dev"}, target="db-prod")
    assert (low.level, both.level) == (Level.low, Level.medium)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("actions:\n  - {id: a, operation: read}\n", "say which actions it is about"),
        ("actions:\n  - {id: default, name: x}\n", "'default' is already taken"),
        ("actions:\n  - {id: a, name: x}\n  - {id: a, name: y}\n", "'a' is already taken"),
        ("actions:\n  - {id: a, name: x, environment: {}}\n", "say where it comes from"),
        ("actions:\n  - {id: a, name: x, environment: {from: env}}\n", "must be `target` or an argument"),
        ("actions:\n  - {id: a, name: x, operation: {cel: task.op}}\n", "never rests on a claim"),
        ("actions:\n  - {id: a, name: x, parse: {command: args.a, sql: args.b}}\n", "exactly one of"),
        ("actions:\n  - {id: a, name: x, floor: high, requester_may_decide: true}\n", "medium is the highest"),
        ("executors:\n  ship: {}\n", "`operations` is missing"),
        ("executors:\n  record: {operations: deploy}\n", "is built in and only records"),
    ],
)
def test_a_mistake_is_told_at_its_place(text: str, problem: str) -> None:
    found = problems({**SOURCE, ACTIONS: text})

    assert any(problem in line and line.startswith(f"{ACTIONS}:") for line in found), found


def test_who_may_name_an_executor() -> None:
    def who(kind: PrincipalKind, name: str = "x", *roles: str) -> Principal:
        return Principal(id=None, name=name, kind=kind, roles=frozenset(roles))  # pyright: ignore[reportArgumentType] - nobody looks at it

    anyone, some = Executor(Names(("deploy",))), Executor(Names(("deploy",)), frozenset({"ci", "team_lead"}))
    assert [anyone.may_be_named_by(who(kind)) for kind in PrincipalKind] == [True, True, False]
    assert some.may_be_named_by(who(PrincipalKind.agent, "ci"))
    assert some.may_be_named_by(who(PrincipalKind.person, "ann", "team_lead"))
    assert not some.may_be_named_by(who(PrincipalKind.service, "other"))


def test_a_task_is_what_its_arguments_make_it_too() -> None:
    """An amendment that renames it changes nothing of what its executor is called with."""
    policy = load(SOURCE)
    args: JsonObject = {"operation": "delete", "environment": "production", "executor": "record"}

    found = assessed(policy, name="read", args=args, target="development", trusted=False, origin="task")

    assert found.level is Level.critical
