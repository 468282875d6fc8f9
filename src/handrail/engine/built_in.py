"""Workflows that every worker serves. Light to import: a server lists them before any worker has started."""

from __future__ import annotations

from dataclasses import dataclass

from handrail.core.canonical import Json
from handrail.engine.orders import Kind
from handrail.store import workflows
from handrail.store.database import Database
from handrail.store.workflows import Published


@dataclass(frozen=True, slots=True)
class Source:
    """Where a workflow's graph comes from: `package.module:name`. `example` is an input that it works with."""

    name: str
    target: str
    description: str | None = None
    example: Json = None

    @property
    def kind(self) -> Kind:
        """Whose it is. Executors are the users' code too, so the workflow that calls them is not ours."""
        return Kind.ours if self.target in OURS else Kind.theirs


# they work with Handrail's settings: its models and their key, its mirrors of repositories
OURS = frozenset(
    {
        "handrail.engine.workflows.code_graph:graph",
        "handrail.skills.workflow:graph",
        "handrail.skills.registration_flow:graph",
    }
)
BUILT_IN: tuple[Source, ...] = (
    Source(
        "task",
        "handrail.engine.workflows.task:graph",
        "A task that runs once the people its risk level requires have approved it.",
        {
            "task": {"operation": "deploy", "environment": "staging"},
            "description": "Deploy billing 4.2.0 to staging",
            "payload": {"service": "billing", "version": "4.2.0"},
        },
    ),
    Source(
        "code_graph",
        "handrail.engine.workflows.code_graph:graph",
        "The graph of a repository's code: modules, symbols, endpoints and what connects them.",
        {"repo_url": "https://github.com/pallets/flask"},
    ),
    Source("skill", "handrail.skills.workflow:graph", "Runs a registered skill."),
    Source(
        "register_skills",
        "handrail.skills.registration_flow:graph",
        "Finds the skills in a repository or folder, scans each, and asks people to approve them.",
    ),
    Source(
        "demo-deploy",
        "handrail.engine.workflows.demo:deploy",
        "Demo: a deployment that two people must approve.",
        {"messages": [{"role": "user", "content": "Deploy shop 1.4.2 to production"}]},
    ),
    Source(
        "demo-refund",
        "handrail.engine.workflows.demo:refund",
        "Demo: a refund whose amount a person amends.",
        {"messages": [{"role": "user", "content": "Refund order 4711"}]},
    ),
    Source(
        "demo-export",
        "handrail.engine.workflows.demo:export",
        "Demo: an export of personal data that escalates.",
        {"messages": [{"role": "user", "content": "Export the addresses of all customers"}]},
    ),
)


async def announce(database: Database) -> None:
    """From a server's first answer on they can be started; their runs wait for the first worker."""
    async with database.transaction() as conn:
        await workflows.announce(conn, [Published(one.name, one.description, example=one.example) for one in BUILT_IN])
