"""docs/api.md has every route, as the API's own document has it."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_every_route_stands_in_the_docs() -> None:
    sys.path.insert(0, str(ROOT / "scripts"))
    import routes
    from openapi import document

    assert (ROOT / "docs" / "api.md").read_text() == routes.page(document()), "run `make schema`"
