"""Tasks of the built-in workflow `task`: what a run of it is about, how risky that is, and how it stands in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from handrail.core.canonical import Json, JsonObject
from handrail.core.holds import Action, Hold, Kind
from handrail.core.risk import Assessment, Level
from handrail.core.runs import Run, RunStatus
from handrail.policy import RECORD, Policy, assess

WORKFLOW: Final = "task"

# the error of a run that a no ended
REFUSED = "rejected"


def input_of(facts: JsonObject, description: str, executor: str | None, payload: Json) -> JsonObject:
    """A run's input. `facts` are what the risk rules read: `operation`, `environment` and whatever else is known."""
    chosen: JsonObject = {} if executor is None else {"executor": executor}
    return {"task": facts, "description": description, "payload": payload, **chosen}


def action_of(facts: JsonObject, executor: str = RECORD, payload: Json = None) -> Action:
    """What people decide on. The facts are arguments too: amending one changes what is assessed and what is done."""
    args: JsonObject = {**facts, "executor": executor, "payload": payload}
    environment = facts.get("environment")
    return Action(str(facts.get("operation")), args, environment if isinstance(environment, str) else None)


def asked_by(given: Json) -> Action | None:
    """The action of a run's input, where it is that of a task."""
    fields = given if isinstance(given, dict) else {}
    facts = fields.get("task")
    if not isinstance(facts, dict):
        return None
    executor = fields.get("executor", RECORD)
    return action_of(facts, executor if isinstance(executor, str) else RECORD, fields.get("payload"))


def assessed(policy: Policy, action: Action, *, trusted: bool) -> Assessment:
    """What the policy says of a task; `trusted` where its starter's claims are."""
    return assess(policy, kind=Kind.approval, action=action, trusted=trusted, origin="task")


def status(run: Run, holds: Sequence[Hold]) -> str:
    """How the run stands, in the words of risk-gated workflows; `holds` are what it asked, oldest first."""
    pending = [hold for hold in holds if hold.pending]
    if pending and run.status.active:
        return "escalated" if any(hold.escalated_at for hold in pending) else "pending_approval"
    match run.status:
        case RunStatus.queued | RunStatus.running | RunStatus.paused if run.workflow == WORKFLOW:
            return _before_its_end(run, holds[-1] if holds else None)
        # paused without a question: a brake stops it
        case RunStatus.queued | RunStatus.paused:
            return "submitted"
        case RunStatus.running:
            return "executing"
        case RunStatus.cancelled:
            return "rejected" if (run.error or {}).get("code") == REFUSED else "cancelled"
        case _:
            return run.status.value


def _before_its_end(run: Run, decided: Hold | None) -> str:
    """A task that must be asked about executes only once its approval was redeemed, whatever its worker is doing."""
    running = run.status is RunStatus.running
    if decided is None:
        return "executing" if running and run.risk is Level.low else "submitted"
    return "executing" if running and decided.redemption is not None else decided.status.value


def status_after(hold: Hold) -> str:
    """What a say on the hold has come to."""
    return "pending_approval" if hold.pending else hold.status.value


def own_id(facts: JsonObject) -> str | None:
    """The id that the submitter gave the task."""
    given = facts.get("task_id")
    return given if isinstance(given, str) and given else None


def task_id_of(run: Run) -> str:
    return own_id(_facts_of(run)) or str(run.id)


def metadata_of(run: Run) -> JsonObject | None:
    given = _facts_of(run).get("metadata")
    return given if isinstance(given, dict) else None


def description_of(run: Run) -> str | None:
    said = _input_of(run).get("description")
    return said if isinstance(said, str) else None


def _facts_of(run: Run) -> JsonObject:
    facts = _input_of(run).get("task")
    return facts if isinstance(facts, dict) else {}


def _input_of(run: Run) -> JsonObject:
    """Of a task; of any other workflow's run nothing is known."""
    return run.input if isinstance(run.input, dict) and run.workflow == WORKFLOW else {}
