"""Asks a person before reminders go out.

Run it, then decide in another terminal: `handrail pending`, `handrail approve ID` or `handrail reject ID`.
"""

import asyncio

from handrail_sdk import request_confirmation


async def main() -> None:
    customers = ["ada@example.com", "grace@example.com"]
    answer = await request_confirmation(
        case_id="invoice-2041",
        agent_type="mailer",
        action_description=f"Send the second reminder to {len(customers)} customers",
        affected_items=customers,
        context={"template": "second-reminder"},
    )
    if answer.approved:
        print(f"sending to {', '.join(customers)}")
    else:
        print(f"not sending: {answer.reason}")


if __name__ == "__main__":
    asyncio.run(main())
