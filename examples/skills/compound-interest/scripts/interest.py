"""Future value with compound interest, year by year, in exact decimals."""

from __future__ import annotations

import argparse
import json
from decimal import ROUND_HALF_EVEN, Decimal, getcontext

CENT = Decimal("0.01")


def table(principal: Decimal, rate: Decimal, years: int, times: int, deposit: Decimal) -> list[dict[str, str]]:
    growth = (1 + rate / 100 / times) ** times
    rows: list[dict[str, str]] = []
    balance = principal
    for year in range(1, years + 1):
        interest = balance * (growth - 1)
        balance += interest + deposit
        rows.append({"year": str(year), "interest": money(interest), "balance": money(balance)})
    return rows


def money(amount: Decimal) -> str:
    return str(amount.quantize(CENT, ROUND_HALF_EVEN))


def main() -> None:
    getcontext().prec = 50
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--principal", type=Decimal, required=True)
    options.add_argument("--rate", type=Decimal, required=True, help="percent a year")
    options.add_argument("--years", type=int, required=True)
    options.add_argument("--times-a-year", type=int, default=1)
    options.add_argument("--deposit", type=Decimal, default=Decimal(0))
    given = options.parse_args()
    if given.principal < 0 or not 0 <= given.years <= 200 or not 1 <= given.times_a_year <= 366:
        options.error("principal from 0, years from 0 to 200, times a year from 1 to 366")
    rows = table(given.principal, given.rate, given.years, given.times_a_year, given.deposit)
    final = Decimal(rows[-1]["balance"]) if rows else given.principal
    effective = ((1 + given.rate / 100 / given.times_a_year) ** given.times_a_year - 1) * 100
    paid_in = given.principal + given.deposit * given.years
    result = {
        "final": money(final),
        "interest": money(final - paid_in),
        "effective_rate_percent": money(effective),
        "table": rows,
    }
    print(json.dumps(result, indent=2))


main()
