"""sqlglot, held to a number of steps: it tries one reading after another, and eight joins may take it a second."""

from __future__ import annotations

import logging
from functools import cache
from typing import Any

from sqlglot.dialects.dialect import Dialect
from sqlglot.expressions.core import Expr
from sqlglot.parser import Parser

# it logs statements that it does not know, which may hold secrets
logging.getLogger("sqlglot").setLevel(logging.CRITICAL)


class TooCostlyError(Exception):
    """Not one of sqlglot's errors: these it catches itself, to try the next reading."""


class Meter:
    """How many steps are left for all parsers of one statement; about 20 µs each."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def step(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise TooCostlyError


def parse(statement: str, dialect: str | None, meter: Meter) -> list[Expr]:
    """The statements of a text in a dialect; None is sqlglot's own."""
    language, parser = _parser(dialect)
    roots = parser(meter, dialect=language).parse(language.tokenize(statement), statement)
    return [root for root in roots if root is not None]


@cache
def _parser(name: str | None) -> tuple[Dialect, Any]:
    language = Dialect.get_or_raise(name)
    base: type[Parser] = language.parser_class

    class Metered(base):
        def __init__(self, meter: Meter, **options: Any) -> None:
            self._meter = meter
            super().__init__(**options)

        def _advance(self, times: int = 1) -> None:
            self._meter.step()
            super()._advance(times)

    return language, Metered
