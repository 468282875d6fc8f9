"""Tasks, as the engine runs them."""
# annotations are read when the schema is made, so they are not postponed

import tomllib
from collections.abc import Iterable
from typing import Annotated, Any, NotRequired, cast

from pydantic import Field
from typing_extensions import TypedDict

from handrail.core.holds import Origin
from handrail.core.risk import Level
from handrail.engine.kinds import Kind, Kinds, Submission
from handrail.policy import Policy, check_executor, submitted
from handrail.settings import Settings
from handrail.tasks import tasks


class TaskInput(TypedDict):
    task: Annotated[
        dict[str, Any],
        Field(
            json_schema_extra={
                "required": ["operation", "environment"],
                "properties": {"operation": {"type": "string"}, "environment": {"type": "string"}},
            }
        ),
    ]
    description: str
    executor: NotRequired[str]
    payload: NotRequired[Any]


def kinds() -> Kinds:
    return Kinds(
        (
            Kind(
                tasks.WORKFLOW,
                _graph,
                "A task that runs once the people its risk level requires have approved it.",
                example={
                    "task": {"operation": "deploy", "environment": "staging"},
                    "description": "Deploy billing 4.2.0 to staging",
                    "payload": {"service": "billing", "version": "4.2.0"},
                },
                input=TaskInput,
                risk=_risk,
                origin=_origin,
                variables=_secrets_of_executors,
            ),
        )
    )


def _graph(settings: Settings) -> Any:
    from handrail.tasks import workflow

    return workflow.graph(settings)


def _risk(asked: Submission, policy: Policy) -> Level | None:
    """Refused where its executor is not registered for it."""
    action = tasks.asked_by(asked.input)
    if action is None:
        return None
    check_executor(policy, asked.who, action)
    found = tasks.assessed(policy, action, trusted=asked.trusted)
    submitted.check(found, action.args)
    return found.level


def _origin(_action: str) -> Origin:
    return "task"


def _secrets_of_executors(settings: Settings) -> Iterable[str]:
    """Variables that executors of the file name; what is wrong with it is told where they are loaded."""
    file = settings.workflows
    try:
        tables: Any = tomllib.loads(file.read_text(encoding="utf-8")).get("executors", {}) if file else {}
    except (OSError, ValueError):
        return
    entries: list[Any] = list(cast("dict[str, Any]", tables).values()) if isinstance(tables, dict) else []
    for entry in entries:
        name = cast("dict[str, Any]", entry).get("secret_env") if isinstance(entry, dict) else None
        if isinstance(name, str):
            yield name
