"""Which files change a database: by where frameworks keep them."""

from __future__ import annotations

import re

_FORMS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("Alembic", r"(^|/)(alembic|migrations)/versions/[^/]+\.py$"),
        ("Django", r"(^|/)migrations/(?!__init__)[^/]+\.py$"),
        ("Rails", r"(^|/)db/(migrate/[^/]+\.rb|schema\.rb|structure\.sql)$"),
        ("Prisma", r"(^|/)prisma/(migrations/.+\.sql|schema\.prisma|schema/[^/]+\.prisma)$|(^|/)schema\.prisma$"),
        ("Entity Framework", r"(^|/)migrations/[^/]+\.cs$"),
        ("Flyway", r"(^|/)[VUR][\d._]*__[^/]+\.(sql|java)$"),
        ("Liquibase", r"(^|/)(db/)?(changelog|changelogs|liquibase)/.+\.(xml|ya?ml|json|sql)$"),
        ("SQL", r"(^|/)(migrations?|migrate|schema[-_]migrations|drizzle|upgrades)/(.+/)?[^/]+\.(sql|exs)$"),
        ("script", r"(^|/)(migrations|database/migrations)/[^/]+\.([cm]?[jt]s|go|php|kt|java)$"),
    )
)
_TEST = re.compile(r"(^|/)(tests?|__tests__|spec)/|(^|/)test_[^/]*$|\.(test|spec)\.\w+$", re.IGNORECASE)


def kind_of(path: str) -> str | None:
    """The framework whose migration a file is, or its schema; None for any other file."""
    if _TEST.search(path):
        return None
    return next((name for name, pattern in _FORMS if pattern.search(path)), None)
