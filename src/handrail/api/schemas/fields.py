"""What schemas are made of: bounded fields, and bodies that refuse unknown ones."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field

Text = Annotated[str, Field(max_length=20_000)]
Line = Annotated[str, Field(min_length=1, max_length=500)]
Key = Annotated[str, Field(min_length=1, max_length=200)]
_LONG_ID = "[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}"
HOLD_ID = f"{_LONG_ID}|[Hh]-[1-9][0-9]{{0,17}}"
RUN_ID = f"{_LONG_ID}|[Rr]-[1-9][0-9]{{0,17}}"
HoldReference = Annotated[
    str, Field(pattern=f"^({HOLD_ID})$", description="The id of a hold, long or short: `H-1042`.")
]
Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Role = Annotated[str, Field(pattern="^[a-z][a-z0-9_]*$", max_length=100)]
Email = Annotated[str, Field(max_length=254)]
NewPassword = Annotated[str, Field(max_length=1000, description="At least 10 characters, and hard to guess.")]
# strict, because "no" is not false and "60" is not a number
Flag = Annotated[bool, Field(strict=True)]
# the database's clock counts microseconds
Seconds = Annotated[float, Field(strict=True, ge=1e-6, le=10 * 365 * 86400)]


def _written(value: object) -> object:
    """Not a number, which would be taken for seconds since 1970."""
    if not isinstance(value, str) or not re.match(r"\d{4}-\d\d-\d\d[Tt ]", value):
        raise ValueError("should be a date and a time with an offset, such as 2026-11-17T09:00:00Z")
    return value


def _within_reach(value: datetime) -> datetime:
    """A year more or less is still a date."""
    if not 1900 <= value.year <= 9000:
        raise ValueError("should be between the years 1900 and 9000")
    return value


Moment = Annotated[AwareDatetime, BeforeValidator(_written), AfterValidator(_within_reach)]


class Wire(BaseModel):
    model_config = ConfigDict(extra="forbid")
