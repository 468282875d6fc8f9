"""AG-UI, both ways: a hold as an interrupt of your agent, and an interrupt of any AG-UI agent as a hold."""

from __future__ import annotations

import hashlib
from typing import Any

from ag_ui.core import Interrupt, ResumeEntry

from handrail_sdk.client import AsyncHandrail
from handrail_sdk.holds import Hold


def interrupt_of(hold: Hold, link: str, tool_call_id: str | None = None) -> Interrupt:
    """What a run ends with while a call waits. The front end shows the link; who uses it asked, and does not decide.

    What comes back as `resume` is no decision: make the call again, and the gate knows what was decided.
    """
    return Interrupt(
        id=hold.id,
        reason=f"handrail:{hold.kind}",
        message=f"{hold.title}: waits for people to decide.",
        tool_call_id=tool_call_id,
        expires_at=hold.expires_at.isoformat() if hold.expires_at else None,
        metadata={"hold": hold.short_id, "risk": hold.risk, "link": link},
    )


async def answered(interrupt: Interrupt, handrail: AsyncHandrail, thread: str) -> ResumeEntry:
    """People's answer to an interrupt, for the run that continues from it. Waits as long as it takes.

    An interrupt with a schema is a question, answered by its schema; one without is a yes or no: `{"approved": true}`.
    A program that starts again with the same thread finds the answer.
    """
    title = interrupt.message or interrupt.reason
    about: Any = {"reason": interrupt.reason, "tool_call_id": interrupt.tool_call_id, "metadata": interrupt.metadata}
    hold = await handrail.ask(
        "input" if interrupt.response_schema else "confirmation",
        title,
        evidence=about,
        schema=interrupt.response_schema,
        case_id=thread,
        idempotency_key=hashlib.sha256(f"ag-ui\n{thread}\n{interrupt.id}".encode()).hexdigest(),
    )
    if hold.status in ("cancelled", "expired"):
        return ResumeEntry(interrupt_id=interrupt.id, status="cancelled")
    decision = hold.decision
    payload: Any = decision.answer if hold.status == "answered" and decision else None
    if interrupt.response_schema is None:
        payload = {"approved": hold.approved, "reason": decision.reason if decision else None}
    return ResumeEntry(interrupt_id=interrupt.id, status="resolved", payload=payload)
