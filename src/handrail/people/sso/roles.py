"""What the operator's table gives a person with these groups."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from handrail.people.sso.providers import Provider


@dataclass(frozen=True, slots=True)
class Given:
    """`roles` are those that the person gets. `unlisted` groups give nothing; `unknown` roles are in the table but not
    in the policy, and nobody gets them."""

    roles: frozenset[str]
    unlisted: tuple[str, ...]
    unknown: tuple[str, ...]


def given(provider: Provider, groups: Collection[str], known: Collection[str]) -> Given:
    """Groups are compared letter by letter. `known` are the roles of the policy in force."""
    listed = {role for group in groups for role in provider.roles.get(group, ())}
    return Given(
        frozenset(listed & set(known)),
        tuple(sorted(set(groups) - provider.roles.keys())),
        tuple(sorted(listed - set(known))),
    )
