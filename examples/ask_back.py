"""Answers a reviewer's questions while it waits for the decision.

Run it, then in another terminal: `handrail pending`, `handrail comment ID "Which migration does it run?"`, look at the
exchange with `handrail show ID`, and `handrail approve ID`.
"""

import asyncio

from handrail_sdk import Comment, request_confirmation

NOTES = {"migration": "0042_add_index, which only adds an index", "rollback": "deploy 1.4.1 again"}


def answer(asked: Comment) -> str:
    print(f"{asked.by.name} asks: {asked.text}")
    known = [text for word, text in NOTES.items() if word in asked.text.lower()]
    return "; ".join(known) or f"I know nothing about that, only about {' and '.join(NOTES)}"


async def main() -> None:
    result = await request_confirmation(
        case_id="release-1.4.2",
        agent_type="deployer",
        action_description="Deploy shop 1.4.2",
        affected_items=["shop"],
        on_comment=answer,
    )
    print("deploying" if result.approved else f"not deploying: {result.reason}")


if __name__ == "__main__":
    asyncio.run(main())
