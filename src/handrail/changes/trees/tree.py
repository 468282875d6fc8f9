"""A run's work tree: its files, its branch, and everything that is done to them."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from handrail.changes.trees import (
    changing,
    committing,
    diffs,
    laying,
    leaving_out,
    listing,
    rebasing,
    restoring,
    sources,
)
from handrail.changes.trees.committing import Author
from handrail.changes.trees.diffs import FileDiff
from handrail.changes.trees.errors import BadName, unwritten
from handrail.changes.trees.groves import RUN, Grove, Repository
from handrail.changes.trees.leaving_out import LeftOut
from handrail.changes.trees.rebasing import Conflict
from handrail.changes.trees.sources import Base, Drift


@dataclass(frozen=True, slots=True)
class Tree:
    """`path` holds the files, and nothing of git. What is not committed is lost with the worker; the rest can be built
    again anywhere from `base_commit` and `bundle()`."""

    grove: Grove
    run: str
    address: str
    base_branch: str
    base_commit: str
    branch: str

    @property
    def folder(self) -> Path:
        return self.grove.of(self.run)

    @property
    def path(self) -> Path:
        return self.folder / "tree"

    @property
    def repository(self) -> Path:
        """The bare repository with the run's commits, for pushing one of them."""
        return self.folder / "git"

    def as_data(self) -> dict[str, Any]:
        base = {"base_branch": self.base_branch, "base_commit": self.base_commit}
        return {"run": self.run, "repo_url": self.address, **base, "branch": self.branch}

    async def head(self) -> str:
        return await self._git.text("rev-parse", "--verify", f"refs/heads/{self.branch}^{{commit}}")

    async def head_tree(self) -> str:
        """The hash of all files of the newest commit: equal where the files are."""
        return await self._git.text("rev-parse", "--verify", f"refs/heads/{self.branch}^{{tree}}")

    async def changed(self) -> list[str]:
        """Files that differ from the newest commit; without what `.gitignore` leaves out."""
        return await changing.changed(self._git)

    async def commit(
        self, message: str, author: Author, paths: Collection[str] | None = None, when: datetime | None = None
    ) -> str:
        """Commits what has changed, or of it only `paths`; the new commit. The rest stays as it is in the tree."""
        head = await self.head()
        found = await changing.changes(self._git, self.path, paths, self.grove.largest_change)
        made = await committing.commit(self._git, head, found, message, author, when)
        await self._move(made, head)
        # of the list alone: files that were not committed stay as they are
        await self._git.text("read-tree", "-i", "-m", made)
        await self._git.run("update-index", "-q", "--refresh")
        return made

    async def unwind(self) -> None:
        """Takes the branch back to its base. The files stay as they are, to be committed in other portions."""
        await self._move(self.base_commit, await self.head())
        await self._git.text("read-tree", "--reset", "-i", self.base_commit)
        await self._git.run("update-index", "-q", "--refresh")

    async def diff(self, base: str | None = None) -> list[FileDiff]:
        """From the base, or another commit of this run, to the newest commit."""
        return await diffs.diff(self._git, base or self.base_commit, await self.head())

    async def patch(self) -> bytes:
        """The same from the base, for `git apply`: exact, and with what is binary."""
        return await diffs.patch(self._git, self.base_commit, await self.head())

    async def read(self, path: str, commit: str | None = None) -> bytes | None:
        """A file of the newest commit, or of another; none where it has no such file."""
        ended = await self._git.run("cat-file", "blob", f"{commit or await self.head()}:{path}")
        return None if ended.code else ended.stdout

    async def restore(self) -> None:
        """Makes the files exactly those of the newest commit: what tests have left behind is gone, ignored or not."""
        head = await self.head()
        if not await restoring.restored(self._git, head, self.path):
            await laying.remove(self.path)
            await self._lay_out(head, "tree", "index")

    async def checkout(self, commit: str, name: str) -> Path:
        """Another folder with exactly the files of a commit, such as the base to compare with. One that is here is used
        again: in a large repository, writing the files takes longer than anything else."""
        if not RUN.fullmatch(name) or name in {"git", "tree"}:
            raise BadName(f"{name[:80]!r} cannot be the name of a folder beside the tree")
        place, index = self.folder / name, f"index-{name}"
        if place.is_dir() and await restoring.restored(
            Repository(self.repository, self.grove, place, index), commit, place
        ):
            return place
        await laying.remove(place)
        return await self._lay_out(commit, name, index)

    async def base_checkout(self) -> Path:
        return await self.checkout(self.base_commit, "base")

    async def drop(
        self, left_out: Sequence[LeftOut], message: str, author: Author, when: datetime | None = None
    ) -> str:
        """The branch again from its base, as one commit without those files or hunks; the new head."""
        old = await self.head()
        changes = await leaving_out.remaining(self._git, await self.diff(), left_out)
        made = await committing.commit(self._git, self.base_commit, changes, message, author, when)
        await self._move(made, old)
        await self.restore()
        return made

    async def drift(self) -> Drift:
        """Whether the base branch has moved or is gone."""
        return await sources.drift(self.grove, self._git, self.address, Base(self.base_branch, self.base_commit))

    async def rebase(self, onto: str) -> Tree | list[Conflict]:
        """The same commits upon another commit of the base branch, as `drift` names it: the tree with its new base.
        Where they conflict, nothing is changed."""
        old = await self.head()
        if not await self._git.has(onto):
            await sources.bring_commit(self.grove, self._git, self.address, self.base_branch, onto)
        made = await rebasing.rebased(self._git, self.base_commit, old, onto)
        if isinstance(made, list):
            return made
        listing.check(await listing.entries(self._git, made), self.grove.most_files, self.grove.allowed.limits.size)
        await self._move(made, old)
        moved = replace(self, base_commit=onto)
        await moved.restore()
        return moved

    async def bundle(self) -> bytes:
        """The run's commits in one file, to be kept with the run; empty where there are none yet."""
        if await self.head() == self.base_commit:
            return b""
        return await self._git.bytes(
            "bundle", "create", "--quiet", "-", f"{self.base_commit}..refs/heads/{self.branch}"
        )

    async def offer(self, folder: Path) -> tuple[Path, str]:
        """The branch as a file in that folder, and the command that takes it into a checkout: nothing is written there
        by Handrail."""
        file = folder / f"{self.branch.replace('/', '-')}.bundle"
        content = await self.bundle()
        await asyncio.to_thread(file.write_bytes, content)
        return file, f"git fetch {file} {self.branch}:{self.branch}"

    async def close(self) -> None:
        """Removes the tree with its branch. The mirror is kept."""
        await laying.remove(self.folder)

    @property
    def _git(self) -> Repository:
        return Repository(self.repository, self.grove, self.path)

    async def _move(self, to: str, expected: str) -> None:
        await self._git.text("update-ref", f"refs/heads/{self.branch}", to, expected)

    async def _lay_out(self, commit: str, name: str, index: str) -> Path:
        place = self.folder / name
        place.mkdir(mode=0o755)
        repository = Repository(self.repository, self.grove, place, index)
        try:
            await laying.lay_out(repository, commit, place)
        except OSError as error:
            raise unwritten(error) from error
        return place
