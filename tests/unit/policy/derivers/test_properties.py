"""No text makes a deriver fail or wait, and no text that could do more is a read."""

from __future__ import annotations

import re
import time

from hypothesis import given, settings
from hypothesis import strategies as st

from handrail.policy.derivers import names, shell, sql, urls
from handrail.policy.derivers.reading import READ, Reading

COMMANDS = ["ls -la", "cat x", "git log --oneline", "find . -name x", "grep -rn 'a b' src", 'rg "x" -g y', "sort x"]
STATEMENTS = ["select a from t where b = 'c'", "select 1", "select t.a from t join u on t.b = u.b limit 5"]
ADDRESSES = ["https://example.org/a?b=c#d", "http://example.org", "https://a.example.net:443/x"]
OPERATORS = [
    ";",
    "|",
    "||",
    "&",
    "&&",
    ">",
    ">>",
    "<",
    "<<",
    "$(",
    "`",
    "\n",
    "\r",
    "\0",
    "<(",
    "${",
    "!",
    "{",
    "}",
    "(",
]
OPERATIONS = frozenset("read write delete execute configure deploy send fetch export migrate grant".split())  # noqa: SIM905

SIGNS = ["'", '"', "\\", "$x", "*", "[", "]", "~", "#", "-", "--", "/", "@", ":", "%", "=", "\t", " ", "rm", "é"]
OTHERS = ["select ", "drop ", "into ", "/*", "*/", "exec ", ")", ",", ".", "0x7f", "\u200b", "\u3002", "xn--"]
pieces = st.sampled_from([*OPERATORS, *SIGNS, *OTHERS])


def mutated(texts: list[str]) -> st.SearchStrategy[str]:
    """Honest texts with something put in somewhere."""

    def put_in(text: str, place: float, piece: str) -> str:
        at = int(place * len(text))
        return text[:at] + piece + text[at:]

    several = st.lists(pieces | st.characters(), min_size=1, max_size=6).map("".join)
    return st.builds(put_in, st.sampled_from(texts), st.floats(0, 1), several)


def check(reading: Reading) -> None:
    assert reading.operations <= OPERATIONS
    assert reading.operations
    assert reading.reason
    assert len(reading.reason) < 1000
    assert reading.unclear is None or reading.operations != READ


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=300) | mutated(COMMANDS) | st.lists(pieces, max_size=60).map("".join))
def test_any_text_is_read_as_a_command(text: str) -> None:
    check(shell.read(text))


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.text(max_size=20) | st.sampled_from(["bash", "-c", "sudo", "find", "-exec", "xargs", "psql"]), max_size=8
    )
)
def test_any_list_is_read_as_a_command(argv: list[str]) -> None:
    check(shell.read(argv))


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=200) | mutated(STATEMENTS) | st.lists(pieces, max_size=40).map("".join))
def test_any_text_is_read_as_sql(text: str) -> None:
    check(sql.read(text))


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200) | mutated(ADDRESSES) | st.from_regex(r"https?://[^\n]{0,40}"), st.text(max_size=10))
def test_any_text_is_read_as_an_address(text: str, method: str) -> None:
    for reading in (urls.read(text, "GET", ["example.org", "*.example.net"]), urls.read(text, method, [text, method])):
        check(reading)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=100))
def test_folding_any_name_is_stable(name: str) -> None:
    folded = names.fold(name)
    assert names.fold(folded.text).text == folded.text
    assert all(word == word.lower() and word for word in names.words(name))


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(codec="ascii", categories=["L", "N", "P", "S", "Zs"])))
def test_printable_ascii_is_never_changed(name: str) -> None:
    assert names.fold(name) == (name.strip().lower(), False)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(COMMANDS), st.sampled_from(OPERATORS), st.text(max_size=20), st.booleans())
def test_an_operator_makes_a_read_more_than_that(command: str, operator: str, rest: str, spaced: bool) -> None:
    text = f"{command} {operator} {rest}" if spaced else command + operator + rest
    # quotes in the rest cannot close around the operator, which stands before them
    assert shell.read(text).operations != READ


@settings(max_examples=200, deadline=None)
@given(mutated(COMMANDS))
def test_a_read_has_no_sign_of_the_shell_outside_of_quotes(text: str) -> None:
    if shell.read(text).operations == READ:
        bare = re.sub(r"""'[^']*'|"[^"$`\\!]*"|\\.""", "", text)
        assert not re.search(r"[;|&<>$`(){}!#\n\r\t\0]", bare)


@settings(max_examples=200, deadline=None)
@given(mutated(ADDRESSES))
def test_a_read_goes_to_an_allowed_host_by_the_simplest_reading(url: str) -> None:
    if urls.read(url, "GET", ["example.org", "*.example.net"]).operations == READ:
        assert re.match(r"https?://(?:example\.org|[\w.-]+\.example\.net)(?::\d+)?(?:/|$)", url, re.IGNORECASE)


def test_no_text_takes_long() -> None:
    """Processor time, so that a busy machine does not matter; ten times the usual bound, as this one may be slow."""
    for read in (shell.read, sql.read, urls.read, names.fold):
        read("é")
    hostile = [
        *(
            sign * 8000
            for sign in ("(", "[", "{", "`", "'", '"', "\\", "\0", "\n", " ", "a", "*", "é", "-", ";", "1", "/")
        ),
        *(
            word * 1000
            for word in ("ls|", "ls;", "$((", "if ", "sudo ", "a=1 ", "f(){ ", "<<A ", "case ", "- ", "not ")
        ),
        *(
            "find " + "-exec " * 300,
            "find -exec " * 60,
            "psql " + "-c select " * 90,
            "eval " * 300,
            "bash -c " * 300,
            "watch " * 90,
        ),
        *(
            "select a from t " + "join u " * 40,
            "select " + "a and " * 140 + "a",
            "select 1;" * 90,
            "select " + "x->" * 90,
        ),
        *(
            "https://" + "xn--a." * 900,
            "https://" + "ü" * 4000,
            "\ufdfa" * 60_000,
            "a" + "\u0301" * 60_000,
            "aA" * 30_000,
        ),
    ]
    for text in hostile:
        for read in (shell.read, sql.read, urls.read, names.fold, names.words):
            started = time.process_time()
            read(text)
            assert time.process_time() - started < 0.5, (read, text[:20])
