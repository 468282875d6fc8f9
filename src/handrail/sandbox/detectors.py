"""Detectors of secrets in text from outside, those of `detect-secrets`.

Left out are those that guess by the look of a word, since hashes, ids and test data look the same, and public
addresses, which are no secrets.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
from detect_secrets.plugins.base import RegexBasedDetector

_LEFT_OUT = frozenset({"Base64HighEntropyString", "HexHighEntropyString", "KeywordDetector", "IPPublicDetector"})


@cache
def detectors() -> tuple[RegexBasedDetector, ...]:
    kinds = get_mapping_from_secret_type_to_class().values()
    made: list[Any] = [kind() for kind in kinds if kind.__name__ not in _LEFT_OUT]
    return tuple(one for one in made if isinstance(one, RegexBasedDetector))
