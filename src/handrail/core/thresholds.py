"""Who must approve, put together from several rules so that every one of them is met."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from .risk import Requirements


class Group(NamedTuple):
    """One person with one of these roles. No person counts for two groups."""

    roles: frozenset[str]
    required: bool = False
    """Stands even where escalation adds other roles to those that count."""


Groups = tuple[Group, ...]


def groups(approvals: int, roles: frozenset[str], required: Iterable[frozenset[str]] = ()) -> Groups:
    """`approvals` people with one of `roles`, among them one for each group of `required`."""
    needed = [Group(group, required=True) for group in required]
    return (*needed, *[Group(roles)] * (approvals - len(needed)))


def both(first: Groups, second: Groups) -> Groups:
    """Groups that meet `first` and `second` with as few people as can be seen at once.

    A narrower group stands in for a wider one of the other side: whoever is the cto is also one of tech_lead or cto.
    """
    merged = list(first)
    free = list(range(len(first)))
    for group in sorted(second, key=lambda group: len(group.roles)):
        place = next((i for i in free if _nested(group.roles, merged[i].roles)), None)
        if place is None:
            merged.append(group)
        else:
            free.remove(place)
            merged[place] = Group(group.roles & merged[place].roles, group.required or merged[place].required)
    return tuple(merged)


def _nested(one: frozenset[str], other: frozenset[str]) -> bool:
    return one <= other or other <= one


def limited(wanted: Groups, allowed: frozenset[str]) -> Groups:
    """The groups without the roles that may not approve the level; a group left empty takes anyone who may."""
    return tuple(Group(group.roles & allowed or allowed, group.required) for group in wanted)


def requirements(
    wanted: Groups,
    *,
    rejections: int = 1,
    justification: bool = False,
    own_credential: bool = False,
    passkey: bool = False,
    stand_ins: bool = False,
    grants: bool = False,
) -> Requirements:
    roles = frozenset[str]().union(*(group.roles for group in wanted))
    required = [group.roles for group in wanted if group.required or group.roles != roles]
    return Requirements(
        approvals=len(wanted),
        roles=roles,
        required=tuple(sorted(required, key=sorted)),
        rejections=rejections,
        justification=justification,
        own_credential=own_credential,
        passkey=passkey,
        stand_ins=stand_ins,
        grants=grants,
    )


def narrowed(needed: Requirements, named: frozenset[str]) -> Requirements | None:
    """The same, met only by people with one of the roles named; nothing where they could not meet it."""
    roles = needed.roles & named
    required = tuple(sorted((group & named for group in needed.required), key=sorted))
    return replace(needed, roles=roles, required=required) if roles and all(required) else None


def stricter(one: Requirements, other: Requirements) -> Requirements:
    """Requirements that nobody meets without meeting both."""
    merged = requirements(
        both(_groups_of(one), _groups_of(other)),
        rejections=min(one.rejections, other.rejections),
        justification=one.justification or other.justification,
        own_credential=one.own_credential or other.own_credential,
        passkey=one.passkey or other.passkey,
        stand_ins=one.stand_ins and other.stand_ins,
        grants=one.grants and other.grants,
    )
    return replace(merged, requester_may_decide=one.requester_may_decide and other.requester_may_decide)


def _groups_of(needed: Requirements) -> Groups:
    return groups(max(needed.approvals, len(needed.required)), needed.roles, needed.required)
