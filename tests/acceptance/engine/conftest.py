"""A folder for what workflows write, in the place of one that is closed to them."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest
import server as servers


@pytest.fixture
def tmp_path() -> Generator[Path]:
    with servers.folder_for_workflows() as folder:
        yield folder
