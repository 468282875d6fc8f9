"""The log that the pages' own verification is tested with is one that the server's verification finds whole."""

from __future__ import annotations

import json
from pathlib import Path

from handrail.core.audit import PublicKey
from handrail.core.verification import verify

RECORDED = Path(__file__).parents[3] / "web/src/features/audit/recorded/log.json"


def test_both_verifications_agree_on_it() -> None:
    recorded = json.loads(RECORDED.read_text())
    report = verify(recorded["lines"], [PublicKey(bytes.fromhex(recorded["key"]))])
    assert report.whole
    assert (report.entries, report.erased, report.pruned, len(report.sealed_by)) == (14, 1, 2, 2)
