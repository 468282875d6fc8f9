"""Survives its own death: kill it while it waits, decide, start it again with the same order.

`python reattach.py order-77` asks about the order; started again, it is re-attached to the same question and gets
the decision that was made in the meantime.
"""

import asyncio
import sys

from handrail_sdk import request_confirmation


async def main(order: str) -> None:
    print(f"asking about {order}", flush=True)
    answer = await request_confirmation(
        "refunds", "refunder", f"Refund {order}", [order], {"amount": 80}, idempotency_key=f"refund-{order}"
    )
    because = f" ({answer.reason})" if answer.reason else ""
    print(f"{order}: {'refunded' if answer.approved else 'kept'}{because}")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
