"""What a stage works with: its run, the settings, the run's own copy of the repository and the graph of its code."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncGenerator, Collection, Generator, Iterable
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from handrail.changes import hosting, patches
from handrail.changes.conversing import Voice
from handrail.changes.demo import demo
from handrail.changes.editing.desk import EditedFile
from handrail.changes.editing.syntax import ParseGate
from handrail.changes.editing.toolbox import Toolbox
from handrail.changes.editing.trees import Folder
from handrail.changes.events import ChangeStageBegan
from handrail.changes.kinds import DEMO
from handrail.changes.looking import Looking
from handrail.changes.planning.plan import Plan
from handrail.changes.prompts import version
from handrail.changes.publishing.errors import NotPublished
from handrail.changes.state import State
from handrail.changes.trees import Author, Grove, Tree, TreeError, rebuild
from handrail.changes.trees.errors import FULL, DiskFull, unwritten
from handrail.changes.weighing import questions
from handrail.changes.weighing.weigh import TouchedFile, weigh
from handrail.codegraph.index import Index, Options, build
from handrail.codegraph.repomap import repository_map
from handrail.core.errors import Braked, HandrailError
from handrail.core.events import Event
from handrail.core.holds import ResultOutcome
from handrail.core.runs import Run
from handrail.engine.failures import Failed
from handrail.engine.port import Port, here
from handrail.engine.repositories import allowed_by, mirrors_of
from handrail.models.chat import Part
from handrail.sandbox.repositories import RepositoryAccess
from handrail.settings import Settings

# of the commits that hold each step, and that are composed again before anybody sees them
WORK = "chore: work in progress"
# tokens of the overview that reading a request takes
OVERVIEW = 1_500
# the graph of the last commit that was looked at, whichever run it was for; its folder may be gone
_indexes: dict[str, Index] = {}


@dataclass(frozen=True, slots=True)
class Workbench:
    port: Port

    @classmethod
    def here(cls) -> Workbench:
        return cls(here())

    @classmethod
    def begin(cls, stage: str, *, first: bool = True, attempt: int | None = None, prompt: str = "") -> Workbench:
        """Says that the stage begins, where this is its first step. `prompt` is the one that its model is given."""
        found = cls.here()
        if first:
            told = f"{prompt} {version(prompt)}" if prompt else None
            found.say(ChangeStageBegan(stage=stage, attempt=attempt or None, prompt=told))
        return found

    @property
    def settings(self) -> Settings:
        return self.port.settings

    @property
    def run(self) -> Run:
        return self.port.run

    @property
    def author(self) -> Author:
        return Author(self.settings.git_user_name, self.settings.git_user_email)

    def say(self, event: Event) -> None:
        self.port.say(event)

    def voice(self, part: Part) -> Voice:
        """The model of this part; in the demo, one that follows a script."""
        if self.run.workflow == DEMO:
            return Voice(part, demo.model(), demo.CONTEXT)
        with failing_clearly():
            return Voice.of(self.settings, part)

    @property
    def allowed(self) -> RepositoryAccess:
        """Which repositories may be read."""
        return demo.allowed(allowed_by(self.settings), self.settings)

    async def grove(self, address: str) -> Grove:
        """Where the run's copy of that repository is kept."""
        with failing_clearly():
            hidden = await hosting.reading(address, self.allowed, self.settings)
        return Grove(self.folder("trees"), mirrors_of(self.settings), self.allowed, hidden=hidden)

    def folder(self, name: str) -> Path:
        """One of those that code changes have on this machine; all they hold can be made again."""
        return self.settings.data / "changes" / name

    @asynccontextmanager
    async def tree(self, state: State) -> AsyncGenerator[Tree]:
        """The run's copy of the repository, with exactly the files of its newest state, wherever it was made."""
        known = state.get("tree", {})
        tree = Tree(
            await self.grove(known["repo_url"]),
            known["run"],
            known["repo_url"],
            known["base_branch"],
            known["base_commit"],
            known["branch"],
        )
        with failing_clearly():
            # before the first edit, the newest state is the base itself
            head = state.get("head") or tree.base_commit
            yield await rebuild(tree, base64.b64decode(state.get("bundle", "")), head)

    async def keep(self, tree: Tree, edited: Collection[EditedFile]) -> dict[str, str]:
        """Commits what was edited, also where the repository ignores such files; what the state needs to bring it to
        any worker."""
        await tree.commit(WORK, self.author, {each.path for each in edited}, self.run.created_at)
        return await kept(tree)

    async def settle(self, granted: dict[str, Any] | None, outcome: ResultOutcome, detail: dict[str, Any]) -> None:
        """Says on the hold what came of its approval, which counts no more; what the policy let pass has no hold."""
        if granted and granted["hold_id"]:
            await self.port.record_result(granted["hold_id"], outcome, detail)

    async def index(self, tree: Tree) -> Index:
        """The graph of the code as it was at the base."""
        if tree.base_commit not in _indexes:
            found = await self.index_of(await tree.base_checkout())
            _indexes.clear()
            _indexes[tree.base_commit] = found
        return _indexes[tree.base_commit]

    async def index_of(self, folder: Path) -> Index:
        """The graph of the code in that folder. Files that are known from an earlier one are not read again."""
        # one process: a run's children are not to start others without end
        options = Options(workers=1, cache_folder=self.folder("facts"))
        return await asyncio.to_thread(build, folder, options)


async def kept(tree: Tree) -> dict[str, str]:
    port = here()
    await patches.keep(port.context, port.run, tree)
    return {"head": await tree.head(), "bundle": base64.b64encode(await tree.bundle()).decode()}


def overview(index: Index) -> str:
    """What there is in a repository, in a few lines."""
    return repository_map(index.graph, OVERVIEW)


def map_of(index: Index, names: Iterable[str], tokens: int) -> str:
    """The symbols that matter most around these names, in at most so many tokens."""
    focus = [node for name in names for node in index.graph.find(name)]
    return repository_map(index.graph, tokens, focus)


def named(index: Index, name: str) -> list[str]:
    """Places in the code that go by that name."""
    return index.graph.find(name) if name else []


def files_of(tree: Tree) -> Folder:
    return Folder(tree.path)


def looking(tree: Tree, index: Index) -> Looking:
    return Looking(Toolbox(files_of(tree), ParseGate()), questions.tools(index.graph), questions.schemas())


async def weighed(tree: Tree, index: Index, plan: Plan) -> dict[str, Any]:
    """What a plan reaches, and the facts that the policy decides by."""
    touched = [TouchedFile(path) for path in sorted(plan.paths)]
    found = await asyncio.to_thread(weigh, tree.path, index.graph, touched, planned_tests=plan.tests)
    return found.as_data()


@contextmanager
def failing_clearly() -> Generator[None]:
    """What is wrong with the repository, its host or its tools becomes the run's failure, in the same words."""
    try:
        yield
    except Braked:
        raise
    except (HandrailError, NotPublished, TreeError) as error:
        raise Failed(error.code, str(error)) from error
    except OSError as error:
        if error.errno not in FULL:
            raise
        raise Failed(DiskFull.code, str(unwritten(error))) from error
