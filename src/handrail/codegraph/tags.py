"""What role a module plays: from its path, and from what its code shows."""

import re
from collections.abc import Iterable
from functools import lru_cache

_BY_PATH: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (tag, re.compile(pattern, re.IGNORECASE))
    for tag, pattern in (
        ("migration", r"(^|/)(migrations?|alembic/versions|db/migrate)/[^/]+$"),
        ("test", r"(^|/)(tests|__tests__|spec|specs|e2e)/|(^|/)(test_[^/]*|[^/]*_test|conftest|tests)\.py$"),
        ("test", r"\.(test|spec|e2e-spec)\.[cm]?[jt]sx?$|(^|/)src/test/|(Tests?|IT|Spec)\.(java|cs)$|\.Tests?/"),
        # what Node.js itself takes for tests
        ("test", r"(^|/)(tests?|spec|test-[^/]*)\.[cm]?[jt]sx?$|[-_]test\.[cm]?[jt]sx?$"),
        ("test", r"(^|/)test/.+\.([cm]?[jt]sx?|c|cc|cpp|cxx|h|hh|hpp)$|[^/]_test\.(go|rs|c|cc|cpp|cxx)$"),
        ("test", r"(^|/)test_[^/]*\.(rs|c|cc|cpp|cxx)$|(^|/)tests\.rs$|(^|/)([^/]*_)?(unit)?tests?\.(cc|cpp|cxx)$"),
        ("config", r"(^|/)(settings?|config|configuration|conf|setup|noxfile)\.[a-z]+$|\.config\.[cm]?[jt]s$"),
        ("config", r"(^|/)(settings|config)/"),
        ("controller", r"(^|/)(controllers?|routes?|routers?|views?|endpoints?|handlers?|urls)(/|\.[a-z]+$)"),
        ("controller", r"\.controller\.[jt]s$|Controller\.(java|cs)$"),
        ("service", r"(^|/)(services?|usecases?|use_cases)(/|\.[a-z]+$)|\.service\.[jt]s$|Service\.(java|cs)$"),
        ("entity", r"(^|/)(models?|entities|entity)(/|\.[a-z]+$)|\.entity\.[jt]s$"),
        ("repository", r"(^|/)(repositor(y|ies)|daos?)(/|\.[a-z]+$)|Repository\.(java|cs)$|\.repository\.[jt]s$"),
        ("component", r"(^|/)components?/|\.component\.[jt]sx?$"),
        ("command", r"(^|/)(commands?|cli)(/|\.[a-z]+$)"),
        ("schema", r"(^|/)(schemas?|dtos?|serializers?)(/|\.[a-z]+$)|\.dto\.[jt]s$"),
    )
)  # fmt: skip
_ORDER = (
    "test",
    "migration",
    "controller",
    "entity",
    "repository",
    "service",
    "component",
    "config",
    "command",
    "schema",
)
"""Of several tags, the first of these is the module's kind."""
_SHOWN = frozenset({"controller", "service", "entity", "repository", "component", "migration"})
"""Tags that a definition gives to its module."""


def tags_of(path: str, shown: Iterable[str]) -> tuple[str, ...]:
    """All tags of a module; `shown` are those that its code gives."""
    tags = _by_path(path) | {tag for tag in shown if tag in _SHOWN}
    return tuple(tag for tag in _ORDER if tag in tags)


@lru_cache(maxsize=10_000)
def _by_path(path: str) -> frozenset[str]:
    return frozenset(tag for tag, pattern in _BY_PATH if pattern.search(path))


def kind_of(tags: tuple[str, ...]) -> str:
    return tags[0] if tags else "module"
