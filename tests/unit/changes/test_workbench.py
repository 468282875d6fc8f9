"""What goes wrong in a stage ends its run in the words of what went wrong."""

from pathlib import Path

import pytest

from handrail.changes.trees.errors import RepositoryEmpty
from handrail.changes.workbench import failing_clearly
from handrail.engine.failures import Failed


def test_a_disk_that_is_full_is_named_wherever_it_shows() -> None:
    with pytest.raises(Failed) as caught, failing_clearly():
        Path("/dev/full").write_bytes(b"a copy for the tests")
    assert (caught.value.code, "free some space" in str(caught.value)) == ("disk_full", True)


def test_a_refusal_keeps_its_code_and_any_other_error_is_no_refusal(tmp_path: Path) -> None:
    with pytest.raises(Failed) as caught, failing_clearly():
        raise RepositoryEmpty("The repository has no commit")
    assert caught.value.code == "repository_empty"
    with pytest.raises(FileNotFoundError), failing_clearly():
        (tmp_path / "gone").read_bytes()
