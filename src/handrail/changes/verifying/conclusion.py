"""What the checks of a change came to, without anything that a moved base changes by itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# of a finding; lines move with the base
_FINDING = ("rule", "path", "what", "why", "verdict")
_SUITE = ("tool", "folder", "verdict", "fault", "broken", "still_broken", "missing", "newly_skipped")
_TOOL = ("tool", "folder", "fault", "fault_is_new")


def conclusion(results: Mapping[str, Any], verification: Mapping[str, Any]) -> dict[str, Any]:
    """Equal for two bases where people would decide on the same: each check with its verdict and findings, and what
    fails, is missing or could not be run. How many tests there are, how long they took and what they printed is left
    out."""
    return {
        "verdict": verification.get("verdict", ""),
        "checks": [
            {
                "name": check["name"],
                "verdict": check["verdict"],
                "count": check["count"],
                "findings": sorted([finding[name] for name in _FINDING] for finding in check["findings"]),
            }
            for check in verification.get("checks", [])
        ],
        "suites": [{name: _plain(suite[name]) for name in _SUITE} for suite in results.get("tests", [])],
        "tools": [{name: _plain(tool[name]) for name in _TOOL} for tool in results.get("checks", [])],
    }


def _plain(value: Any) -> Any:
    return [*value] if isinstance(value, tuple | list) else value
