"""Log lines: ids and no secrets, for people and for machines."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Generator
from pathlib import Path
from typing import Literal

import pytest
import structlog

from handrail import logs, settings
from handrail.core.errors import Misconfigured


@pytest.fixture(autouse=True)
def restored() -> Generator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    yield
    for handler in root.handlers:
        if isinstance(handler, logging.FileHandler):
            handler.close()
    root.handlers, root.level = handlers, level
    structlog.reset_defaults()
    structlog.contextvars.clear_contextvars()


@pytest.mark.parametrize("log_format", ["json", "console"])
def test_secrets_never_show(capsys: pytest.CaptureFixture[str], log_format: Literal["json", "console"]) -> None:
    logs.configure(settings.load(log_format=log_format))
    log = structlog.stdlib.get_logger("test")
    token = "hr_0123456789abcdefghij"
    log.info("one", token="open-sesame", password="open-sesame", note=f"sent {token} away")
    logging.getLogger("library").warning("cannot reach postgresql://ann:open-sesame@db/handrail with %s", token)
    try:
        raise ValueError(f"bad {token}")
    except ValueError:
        log.exception("two")
    written = capsys.readouterr().err
    assert "ValueError" in written
    assert "sesame" not in written
    assert token not in written


def test_a_line_for_machines_is_one_object_with_the_ids_in_force(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure(settings.load(log_format="json"))
    structlog.contextvars.bind_contextvars(request_id="r1", hold_id="h1")
    structlog.stdlib.get_logger("test").info("done", status=200)
    line = json.loads(capsys.readouterr().err)
    assert (line["request_id"], line["hold_id"], line["event"], line["status"]) == ("r1", "h1", "done", 200)


def test_lines_below_the_level_are_not_written(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure(settings.load(log_level="warning"))
    structlog.stdlib.get_logger("test").info("quiet")
    structlog.stdlib.get_logger("test").warning("loud")
    written = capsys.readouterr().err
    assert "loud" in written
    assert "quiet" not in written


def test_looking_for_secrets_takes_no_longer_than_the_text_is_long() -> None:
    began = time.process_time()
    logs.SECRET_TEXT.sub(logs.HIDDEN, "http://" + "a:" * 50_000)
    assert time.process_time() - began < 1
    assert (
        logs.SECRET_TEXT.sub("…", "postgresql://app:pass:word@db/x http://:key@db") == "postgresql://…@db/x http://…@db"
    )


def test_a_file_gets_the_same_lines_for_machines_also_after_it_was_moved_away(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "handrail.log"
    logs.configure(settings.load(log_file=file))
    structlog.contextvars.bind_contextvars(session_id="s1")
    log = structlog.stdlib.get_logger("test")
    log.info("one", token="open-sesame")
    file.rename(tmp_path / "handrail.log.1")
    log.info("two")
    first, second = ((tmp_path / name).read_text() for name in ("handrail.log.1", "handrail.log"))
    assert (json.loads(first)["event"], json.loads(second)["event"]) == ("one", "two")
    assert json.loads(first)["session_id"] == "s1" and "sesame" not in first
    assert "one" in capsys.readouterr().err


def test_a_log_file_that_cannot_be_written_stops_the_start_and_names_the_setting(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match="HANDRAIL_LOG_FILE"):
        logs.configure(settings.load(log_file=tmp_path / "none" / "handrail.log"))
