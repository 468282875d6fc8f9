"""Who must say yes, put together from several rules so that every one of them is met."""

from __future__ import annotations

from collections.abc import Iterable

from handrail.core.risk import Requirements

Groups = tuple[frozenset[str], ...]
"""One person for each group, with one of its roles; no person counts twice."""


def groups(approvals: int, roles: frozenset[str], required: Iterable[frozenset[str]]) -> Groups:
    """`approvals` people with one of `roles`, among them one for each group of `required`."""
    needed = tuple(required)
    return (*needed, *[roles] * (approvals - len(needed)))


def both(first: Groups, second: Groups) -> Groups:
    """Groups that meet `first` and `second` with as few people as can be seen at once.

    A narrower group stands in for a wider one of the other side: whoever is the cto is also one of tech_lead or cto.
    """
    merged = list(first)
    free = list(range(len(first)))
    for group in sorted(second, key=len):
        place = next((i for i in free if group <= merged[i] or merged[i] <= group), None)
        if place is None:
            merged.append(group)
        else:
            free.remove(place)
            merged[place] = min(group, merged[place], key=len)
    return tuple(merged)


def limited(wanted: Groups, allowed: frozenset[str]) -> Groups:
    """The groups without the roles that may not approve the level; a group left empty takes anyone who may."""
    return tuple(group & allowed or allowed for group in wanted)


def requirements(wanted: Groups, *, rejections: int, justification: bool) -> Requirements:
    roles = frozenset[str]().union(*wanted)
    return Requirements(
        approvals=len(wanted),
        roles=roles,
        required=tuple(sorted((group for group in wanted if group != roles), key=sorted)),
        rejections=rejections,
        justification=justification,
    )
