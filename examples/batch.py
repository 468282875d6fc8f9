"""Asks once for many items and gets a decision for each of them.

Decide in another terminal: `handrail answer ID --approve inv-1 --reject inv-2 --reject inv-3`.
"""

import asyncio

from handrail_sdk import request_confirmations


async def main() -> None:
    invoices = [
        {"item_id": "inv-1", "customer": "Ada", "amount": 120},
        {"item_id": "inv-2", "customer": "Grace", "amount": 9000},
        {"item_id": "inv-3", "customer": "Alan", "amount": 40},
    ]
    result = await request_confirmations("month-end", "biller", "Send these invoices", invoices)
    for decision in result.decisions:
        print(decision.item_id, "goes out" if decision.approved else f"stays: {decision.reason}")


if __name__ == "__main__":
    asyncio.run(main())
