"""Which workflows a worker serves, and whose they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from handrail import settings
from handrail.cli.kinds import built_in
from handrail.core.errors import Misconfigured
from handrail.engine.kinds import Kind, Kinds, Owner
from handrail.engine.registry import served

BUILT_IN = built_in(settings.load())


def written(folder: Path, text: str) -> Path:
    file = folder / "handrail.toml"
    file.write_text(text)
    return file


def test_a_workflow_of_the_file_is_theirs_and_gets_no_secret(tmp_path: Path) -> None:
    file = written(tmp_path, '[workflows]\nrelease = "releases:graph"\n')
    [release] = [kind for kind in served(file, BUILT_IN) if kind.name == "release"]
    assert (release.owner, release.secrets, release.admission) == (Owner.theirs, (), None)


@pytest.mark.parametrize("kind", BUILT_IN.all, ids=lambda kind: kind.name)
def test_nobody_takes_the_place_of_a_workflow_that_is_built_in(kind: Kind, tmp_path: Path) -> None:
    file = written(tmp_path, f'[workflows]\n{kind.name} = "mine:graph"\n')
    with pytest.raises(Misconfigured, match=f"'{kind.name}' is built in: choose another name"):
        served(file, BUILT_IN)
    assert [each.name for each in served(file, Kinds())] == [kind.name]


@pytest.mark.parametrize("more", ['owner = "ours"', 'secrets = ["model_key"]', "idle = 5"])
def test_the_file_says_nothing_of_the_rules_for_runs(more: str, tmp_path: Path) -> None:
    file = written(tmp_path, f'[workflows.release]\ngraph = "releases:graph"\n{more}\n')
    with pytest.raises(Misconfigured, match="workflow `release` must be"):
        served(file, BUILT_IN)
