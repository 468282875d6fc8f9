"""Executors of tasks: refused unless the policy registers one for this operation and this caller."""

from __future__ import annotations

from handrail.core import errors
from handrail.core.holds import Action
from handrail.core.people import Principal

from .actions import RECORD, Executor
from .model import Policy


def check_executor(policy: Policy, who: Principal, task: Action) -> None:
    """`ExecutorUnregistered` or `Forbidden`; nothing if the task is only recorded."""
    executor = registered_executor(policy, task)
    if executor is not None and not executor.may_be_named_by(who):
        raise errors.Forbidden(f"The policy does not let you use the executor {task.args.get('executor')!r}.")


def registered_executor(policy: Policy, task: Action) -> Executor | None:
    """The task's executor, `ExecutorUnregistered` where the policy has none for it; none where it is only recorded."""
    name = task.args.get("executor", RECORD)
    if name == RECORD:
        return None
    executor = policy.executors.get(name) if isinstance(name, str) else None
    if executor is None:
        raise errors.ExecutorUnregistered(
            f"no executor {name!r:.100} is registered: an administrator adds it to `executors` in actions.yaml",
            executors=sorted(policy.executors),
        )
    # the arguments are what is carried out: an amendment may have made them differ from the name
    for operation in (task.name, task.args.get("operation", task.name)):
        if not isinstance(operation, str) or not executor.serves(policy.aliases["operation"].spellings(operation)):
            raise errors.ExecutorUnregistered(
                f"the executor {name!r} is not registered for {operation!r:.100};"
                f" it serves {', '.join(executor.operations.patterns)}",
                operations=[*executor.operations.patterns],
            )
    return executor
