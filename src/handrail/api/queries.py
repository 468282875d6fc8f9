"""Strict queries: a parameter that nobody reads is refused as an unknown field of a body is; none is there twice."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Collection

from fastapi import params
from fastapi.dependencies.models import Dependant
from fastapi.dependencies.utils import get_flat_params
from starlette.datastructures import QueryParams

from handrail.core import errors

LONGEST_NAME = 200


def parameters(dependant: Dependant) -> frozenset[str]:
    """The names that a route reads from its query."""
    return frozenset(field.alias for field in get_flat_params(dependant) if isinstance(field.field_info, params.Query))


def check(query: QueryParams, known: Collection[str]) -> None:
    """Refuses a filter that would be ignored: who sent it would take the answer for a filtered one."""
    for name, times in Counter(name for name, _ in query.multi_items()).items():
        place = name[:LONGEST_NAME]
        if name not in known:
            raise errors.UnknownField(f"`{place}` is not a parameter of this request{_hint(place, known)}", field=place)
        if times > 1:
            raise errors.InvalidField(f"`{place}` is in the query {times} times; send it once", field=place)


def _hint(name: str, known: Collection[str]) -> str:
    if not known:
        return ", which takes none"
    near = difflib.get_close_matches(name, known, 1) or [one for one in sorted(known) if name.startswith(one)]
    return f"; did you mean `{near[0]}`?" if near else f"; it takes {', '.join(sorted(known))}"
