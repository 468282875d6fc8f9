"""Tables that a text of SQL names."""

import re

_TABLE = re.compile(r"\b(?:FROM|INTO|UPDATE|JOIN|TABLE)\s+[\"`\[]?([A-Za-z_][\w.]*)", re.IGNORECASE)
_STATEMENT = re.compile(r"\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|ALTER|DROP|TRUNCATE)\b", re.IGNORECASE)


def tables(text: str) -> list[str]:
    """Lower-case names of tables; none where the text is no statement."""
    return [name.lower() for name in _TABLE.findall(text)] if _STATEMENT.match(text) else []
