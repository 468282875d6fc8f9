"""docs/agents.md: every agent and framework, case by case, with the test that shows it or the reason why none can."""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]

CASES = ("low", "approve", "amend", "reject", "expire", "crash and re-attach", "server away")


@dataclass(frozen=True)
class Impossible:
    """Why a case cannot happen to an agent."""

    reason: str


Cell = str | Impossible


@dataclass(frozen=True)
class Row:
    """`page` says how it is set up; `file` has its tests, unless a cell names another file."""

    agent: str
    page: str
    file: str
    cells: tuple[Cell, ...]
    parameter: str | None = None
    more: tuple[str, ...] = field(default=())

    def test(self, cell: str) -> tuple[str, str]:
        """The file and the name of a test."""
        file, _, name = cell.rpartition("::")
        return file or self.file, name


def _hook(agent: str, name: str, *more: str) -> Row:
    cells: tuple[Cell, ...] = (
        "test_a_command_that_only_reads_runs_unasked",
        "test_an_approved_command_runs",
        "test_an_amended_command_runs_as_amended",
        "test_a_rejection_reaches_the_model_with_its_reason",
        "test_a_call_that_nobody_decides_is_refused_as_still_pending",
        "test_an_agent_that_died_waiting_finds_its_decision_when_its_session_is_resumed",
        "test_without_the_server_nothing_runs",
    )
    more = ("test_a_hook_that_is_killed_blocks", *more)
    return Row(name, "coding-agents.md", "adapters/test_coding_agents.py", cells, agent, more)


def _framework(name: str, title: str) -> Row:
    cells = (
        "test_a_low_call_runs_unasked",
        "test_an_approved_call_runs_once",
        "test_an_amended_call_runs_as_amended_and_the_model_is_told",
        "test_a_rejection_reaches_the_model_with_its_reason",
        "test_a_call_that_nobody_decides_in_time_does_not_run",
        "test_a_program_that_died_waiting_finds_its_decision",
        "test_without_the_server_nothing_runs",
    )
    more = (
        "test_a_call_that_ran_before_a_crash_does_not_run_again",
        "test_the_same_call_again_is_asked_again",
        "test_a_saved_run_resumes_without_asking_the_model_again",
    )
    return Row(title, f"frameworks/{name}.md", "adapters/test_frameworks.py", cells, name, more)


# by name: its page, its environment and its extra of `handrail-sdk`
FRAMEWORKS = {
    "pydantic-ai": "pydantic-ai",
    "openai-agents": "OpenAI Agents SDK",
    "claude-agent-sdk": "Claude Agent SDK",
    "strands": "Strands Agents",
    "agent-framework": "Microsoft Agent Framework",
    "google-adk": "Google ADK",
    "deepagents": "Deep Agents, LangChain agents",
}
MATRIX = (
    _hook("claude-code", "Claude Code, by its hook", "test_a_deferred_session_is_resumed_by_the_decision"),
    _hook("codex", "Codex, by its hook", "test_codex_runs_a_hook_that_nobody_trusted_not_at_all"),
    _hook("gemini", "Gemini CLI, by its hook", "test_gemini_names_a_tool_of_a_server_as_other_agents_do"),
    Row(
        "any client, by the MCP gateway",
        "mcp.md",
        "tests/acceptance/mcp/test_wrap.py",
        (
            "test_a_low_call_runs_at_once_and_is_on_record",
            "test_a_call_runs_once_it_is_approved_with_a_beat_meanwhile",
            "test_an_amended_call_runs_as_amended",
            "test_a_rejection_reaches_the_model_as_an_error_with_its_reason",
            "test_what_nobody_decides_in_time_is_held_and_runs_when_asked_for_again",
            "test_an_approval_for_a_client_that_has_gone_runs_nothing_until_it_asks_again",
            "test_without_handrail_nothing_runs",
        ),
        more=(
            "adapters/test_claude_gateway.py::test_claude_code_waits_for_people_in_front_of_an_mcp_server",
            "adapters/test_claude_gateway.py::test_with_the_hook_as_well_people_are_asked_twice_and_it_runs_once",
        ),
    ),
    Row(
        "any Python function, by `@gate`",
        "sdk.md",
        "tests/acceptance/sdk/test_gate.py",
        (
            "test_a_low_risk_is_approved_by_policy_at_once",
            "test_an_approved_call_runs_and_its_result_is_recorded",
            "test_the_function_runs_with_the_arguments_as_a_person_amended_them",
            "test_a_no_is_raised_with_the_decision_and_nothing_runs",
            "test_a_question_that_ends_without_a_yes_is_a_no",
            "test_a_program_killed_while_it_waits_acts_on_the_decision_made_meanwhile",
            "test_without_the_server_nothing_runs",
        ),
    ),
    Row(
        "any TypeScript function, by `gate`",
        "typescript.md",
        "tests/acceptance/sdk/test_typescript.py",
        (
            "test_a_low_call_runs_at_once",
            "test_an_approved_call_runs_and_its_result_is_recorded",
            "test_amended_arguments_are_what_runs",
            "test_a_no_is_thrown_with_its_reason_and_nothing_runs",
            "test_a_question_that_expires_is_a_no",
            "test_a_program_killed_while_it_waits_acts_once_on_the_decision_made_meanwhile",
            "test_a_server_that_is_away_is_named_and_nothing_is_in_doubt",
        ),
    ),
    Row(
        "AI SDK, by `gateTools`",
        "typescript.md",
        "adapters/test_typescript.py",
        (
            "test_low_calls_run_at_once_and_as_often_as_the_model_makes_them",
            "test_an_approved_call_runs",
            "test_an_amended_call_runs_as_amended_and_the_model_reads_what_ran",
            "test_a_rejection_reaches_the_model_with_its_reason",
            "test_a_call_that_expires_does_not_run",
            "test_a_program_that_died_in_the_wait_finds_the_decision_and_what_ran_does_not_run_again",
            "test_without_the_server_nothing_runs",
        ),
        more=("test_the_same_call_twice_is_asked_twice", "test_what_the_server_refuses_does_not_run"),
    ),
    Row(
        "LangGraph, run by Handrail",
        "langgraph.md",
        "tests/acceptance/engine/test_langgraph.py",
        (
            "test_the_policy_lets_low_calls_run_and_the_others_wait",
            "test_langchains_own_middleware_runs_unchanged",
            "test_ask_human_approves_as_amended_and_asks_for_a_choice",
            "test_a_no_is_an_answer",
            "test_a_question_that_nobody_answers_in_time_is_a_no",
            "test_a_tool_whose_worker_died_in_it_is_not_called_again_before_a_person_said_so",
            "tests/acceptance/engine/test_worker.py::test_a_database_that_is_away_fails_no_run",
        ),
    ),
    *(_framework(name, title) for name, title in FRAMEWORKS.items()),
    Row(
        "your own MCP server, by elicitation",
        "frameworks/elicitation.md",
        "tests/acceptance/sdk/test_elicitation.py",
        (
            "test_a_low_call_runs_at_once_without_a_link",
            "test_who_uses_the_client_gets_a_link_and_somebody_else_decides",
            "test_an_amended_call_runs_as_amended_and_says_so",
            "test_a_rejection_reaches_the_model",
            "test_a_call_that_expires_does_not_run",
            "test_a_server_that_starts_again_finds_the_decision",
            "test_without_the_server_nothing_runs",
        ),
        more=("test_declining_withdraws_the_request",),
    ),
    Row(
        "AG-UI",
        "frameworks/ag-ui.md",
        "adapters/test_bridges.py",
        (
            "test_a_low_call_runs_unasked",
            "test_a_run_ends_with_an_interrupt_until_people_have_decided_and_then_acts_once",
            "test_an_amended_call_runs_as_amended_and_the_model_is_told",
            "test_a_call_that_gets_no_approval_does_not_run",
            "test_a_call_that_gets_no_approval_does_not_run",
            "test_a_run_ends_with_an_interrupt_until_people_have_decided_and_then_acts_once",
            "test_without_the_server_nothing_runs",
        ),
        more=("test_an_interrupt_of_another_agent_is_put_to_people",),
    ),
    Row(
        "A2A",
        "frameworks/a2a.md",
        "adapters/test_a2a.py",
        (
            "test_a_low_call_runs_unasked",
            "test_a_task_needs_input_until_people_have_decided_and_then_acts_once",
            "test_an_amended_call_runs_as_amended_and_says_so",
            "test_a_call_that_gets_no_approval_does_not_run",
            "test_a_call_that_gets_no_approval_does_not_run",
            "test_a_task_needs_input_until_people_have_decided_and_then_acts_once",
            "test_without_the_server_nothing_runs",
        ),
        more=(
            "test_what_another_agents_task_needs_is_put_to_people",
            "test_a_question_that_was_withdrawn_gets_no_answer",
        ),
    ),
    Row(
        "Temporal",
        "frameworks/temporal.md",
        "adapters/test_temporal.py",
        (
            "test_a_low_call_runs_unasked",
            "test_an_approved_call_runs_once",
            "test_an_amended_call_runs_as_amended",
            "test_a_rejection_fails_the_workflow_with_its_reason",
            "test_a_call_that_nobody_decides_in_time_does_not_run",
            "test_a_worker_that_died_waiting_finds_the_decision",
            "test_without_the_server_nothing_runs_and_temporal_tries_again",
        ),
    ),
)

HEAD = """\
# Agents

Handrail stands in front of an agent's actions, and the agent stays as it is. This page is generated from
`scripts/agents.py`, which fails if a test does not exist: each cell is a test against the real program, framework or
protocol, or says why the case cannot happen. What `adapters/` has runs in `make adapters`, the rest in `make test`.

| case | what must happen |
| --- | --- |
| low | the call runs unasked, and is on record |
| approve | nothing runs before the approval; then it runs once |
| amend | the amended call runs, not the one that was asked for |
| reject | nothing runs, and the model reads the reason |
| expire | nobody decides in time: nothing runs |
| crash and re-attach | the agent dies while it waits; started again, it finds the decision, and the call runs once |
| server away | nothing runs |
"""


# by these, a test is one for each agent or framework
PARAMETERS = {"hooked", "framework"}


@cache
def parameters(file: str) -> dict[str, set[str]]:
    """What each test of a file takes."""
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {one.name: {argument.arg for argument in one.args.args} for one in functions}


def missing() -> list[str]:
    """Tests that the matrix names and that do not exist."""
    named = {row.test(cell) for row in MATRIX for cell in (*row.cells, *row.more) if isinstance(cell, str)}
    return sorted(f"{file}::{name}" for file, name in named if name not in parameters(file))


def _cell(row: Row, cell: Cell) -> str:
    if isinstance(cell, Impossible):
        return "impossible"
    return f"[tested](../{row.test(cell)[0]})"


def page() -> str:
    lines = [HEAD, f"| agent | {' | '.join(CASES)} |", f"| --- |{' --- |' * len(CASES)}"]
    lines += [f"| [{row.agent}]({row.page}) | {' | '.join(_cell(row, cell) for cell in row.cells)} |" for row in MATRIX]
    impossible = [
        f"- **{row.agent}**, {case}: {cell.reason}"
        for row in MATRIX
        for case, cell in zip(CASES, row.cells, strict=True)
        if isinstance(cell, Impossible)
    ]
    lines += ["", "## Impossible", "", *(impossible or ["Nothing: every case can happen to every agent."])]
    lines += ["", "## The tests", ""]
    for row in MATRIX:
        lines += [f"### {row.agent}", "", "| case | test |", "| --- | --- |"]
        named = [(case, cell) for case, cell in zip(CASES, row.cells, strict=True) if isinstance(cell, str)]
        named += [("also", cell) for cell in row.more]
        for case, cell in named:
            file, name = row.test(cell)
            suffix = f"[{row.parameter}]" if row.parameter and PARAMETERS & parameters(file)[name] else ""
            lines.append(f"| {case} | `{file}::{name}{suffix}` |")
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    if lost := missing():
        sys.exit(f"The matrix of agents names tests that do not exist: {', '.join(lost)}")
    sys.stdout.write(page())
