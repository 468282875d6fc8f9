"""docs/protocol.md: the server keeps it, and its vector is right."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
from sdk_office import Office

from handrail.cli.conformance import Checks
from handrail_sdk import Action, digest

DOCUMENT = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text()


def test_a_server_of_ours_keeps_the_protocol(office: Office) -> None:
    ran = office.server.run("conformance", office.server.url, token=office.agent)
    assert ran.exit == 0, ran.out + ran.err
    assert {line[:4] for line in ran.out.splitlines()} == {"ok  "}
    assert len(ran.out.splitlines()) == 13
    assert office.pending(text="Conformance") == []


def test_a_server_that_says_yes_to_everything_does_not() -> None:
    def yes(_: httpx.Request) -> httpx.Response:
        return httpx.Response(201, json={"id": "1", "status": "approved", "digest": "0", "revision": 1, "risk": "low"})

    with httpx.Client(transport=httpx.MockTransport(yes), base_url="http://any") as http:
        checks = Checks(http)
        checks.run()
    failed = {name for name, problem in checks.found if problem}
    assert {"another key finds it used", "another digest is refused", "the digest is that of the question"} <= failed


def test_what_is_no_server_of_handrail_fails_the_first_check() -> None:
    with httpx.Client(
        transport=httpx.MockTransport(lambda _: httpx.Response(200, text="hi")), base_url="http://any"
    ) as http:
        checks = Checks(http)
        checks.run()
    assert checks.found[0][1] is not None


def test_the_vector_of_the_document_is_right() -> None:
    [found] = re.findall(r"`([0-9a-f]{64})`", DOCUMENT)
    assert found == digest("approval", "Delete temp-7", Action("delete_files", {"path": "/tmp/temp-7", "count": 3}))
