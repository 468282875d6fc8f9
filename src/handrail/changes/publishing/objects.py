"""A repository's objects without its settings: whatever code of the repository wrote there has no say in a push."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from handrail.changes.publishing.errors import EvidenceMismatch
from handrail.core.errors import CloneRefused
from handrail.core.sizes import MIB
from handrail.sandbox.cloning import SAFE, Git

# of one file that git writes while it publishes; what is pushed was limited when it was fetched and edited
LARGEST = 2000 * MIB
# nothing from elsewhere, whatever it is asked
OFFLINE = {**SAFE, "protocol.https.allow": "never", "protocol.http.allow": "never", "gc.auto": "0"}


@asynccontextmanager
async def objects_of(
    repository: Path, options: Mapping[str, str] = OFFLINE, hidden: Mapping[str, str] | None = None
) -> AsyncGenerator[Git]:
    """git in an empty repository of its own that borrows the objects of that one, a work tree or a bare one.

    Remotes, rewritten addresses, credential helpers and hooks of the other are not seen.
    """
    with tempfile.TemporaryDirectory(prefix="handrail-") as place:
        folder = Path(place)
        found = await _found(repository, "--git-path", "objects", "--git-path", "shallow", "--show-object-format")
        objects, shallow = ((repository / path).resolve() for path in found[:2])
        git = Git(options, folder, LARGEST, hidden)
        await git("init", "--quiet", "--bare", "--template=", f"--object-format={found[2]}", ".")
        (folder / "objects" / "info").mkdir(exist_ok=True)
        (folder / "objects" / "info" / "alternates").write_text(f"{objects}\n")
        # where the history was cut off
        if shallow.exists():
            shutil.copyfile(shallow, folder / "shallow")
        yield git


async def _found(repository: Path, *asked: str) -> list[str]:
    try:
        return (await Git(OFFLINE, repository, LARGEST)("rev-parse", *asked)).splitlines()
    except (CloneRefused, OSError) as error:
        said = error.message if isinstance(error, CloneRefused) else error.strerror
        raise EvidenceMismatch(f"{repository} cannot be read as a git repository ({said})") from None
