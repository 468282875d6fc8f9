"""Which repositories may be read, by the settings, and where their mirrors are."""

from __future__ import annotations

from pathlib import Path

from handrail.core.sizes import MIB
from handrail.sandbox.cloning import CloneLimits
from handrail.sandbox.repositories import RepositoryAccess
from handrail.settings import Settings


def allowed_by(settings: Settings) -> RepositoryAccess:
    limits = CloneLimits(settings.git_seconds, settings.git_megabytes * MIB, frozenset(settings.git_private_hosts))
    return RepositoryAccess(limits, settings.repository_roots, settings.git_ssh_key, settings.git_known_hosts)


def mirrors_of(settings: Settings) -> Path:
    return settings.data / "mirrors"
