"""Addresses of the database: which of several hosts is meant, and how soon one that is gone is given up."""

from __future__ import annotations

import pytest
from psycopg.conninfo import conninfo_to_dict

from handrail.store.address import located


@pytest.mark.parametrize(
    "url", ["postgresql://me@one,two/name", "postgresql:///name?host=/run/one,/run/two", "hostaddr=10.0.0.1,10.0.0.2"]
)
def test_of_several_hosts_the_one_that_can_be_written_to_is_meant(url: str) -> None:
    assert conninfo_to_dict(located(url))["target_session_attrs"] == "read-write"


def test_one_host_is_taken_as_it_is() -> None:
    assert "target_session_attrs" not in conninfo_to_dict(located("postgresql://me@one/name"))


def test_a_host_that_is_gone_is_given_up_within_seconds() -> None:
    assert conninfo_to_dict(located("postgresql://me@one,two/name"))["connect_timeout"] == "5"


def test_what_the_url_says_itself_counts() -> None:
    found = conninfo_to_dict(
        located("postgresql://me:secret@one,two/name?connect_timeout=2&target_session_attrs=primary")
    )
    assert (found["connect_timeout"], found["target_session_attrs"]) == ("2", "primary")
    assert (found["host"], found["user"], found["password"], found["dbname"]) == ("one,two", "me", "secret", "name")
