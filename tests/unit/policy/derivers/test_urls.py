"""Addresses: which requests are plain reads, and what the others do."""

from __future__ import annotations

import pytest

from handrail.policy.derivers import urls
from handrail.policy.derivers.reading import READ

ALLOWED = (
    "example.org",
    "*.example.net",
    "example.org:8443",
    "localhost:3000",
    "192.0.2.7",
    "[2001:db8::7]:8080",
    "münchen.example",
    "xn--80ak6aa92e.example",
)

READS = """
https://example.org
http://example.org/
https://EXAMPLE.org/Path?q=1#part
https://example.org:443/
http://example.org:80/
https://example.org:8443/x
https://example.org/@scope/package
https://example.org/a/../b
https://example.org/a%20b?c=%2F
https://example.org/straße
https://a.example.net/
https://a.b.example.net/
http://localhost:3000/health
https://192.0.2.7/
http://[2001:db8::7]:8080/
https://münchen.example/
https://xn--mnchen-3ya.example/
https://xn--80ak6aa92e.example/
"""

NOT_READS = r"""
https://other.example/                        => fetch
https://example.net/                          => fetch
https://badexample.org/                       => fetch
https://example.org.evil.example/             => fetch
https://evilexample.net/                      => fetch
https://example.org:8080/                     => fetch
http://example.org:443/                       => fetch
http://localhost/                             => fetch
http://localhost:3001/                        => fetch
https://192.0.2.8/                            => fetch
http://127.0.0.1/                             => fetch
http://169.254.169.254/latest/meta-data       => fetch
http://metadata.google.internal/              => fetch
ftp://example.org/x                           => fetch
gopher://example.org/x                        => fetch
ws://example.org/                             => fetch
data:text/plain,x                             => fetch
javascript:alert(1)                           => fetch
mailto:ann@example.org                        => send
file:///etc/hosts                             => read fetch
"""

UNCLEAR = r"""
https://me@example.org/
https://me:pw@example.org/
https://example.org@evil.example/
https://example.org:80@evil.example/
https://example.org%40evil.example/
https://example.org\@evil.example/
https:\\example.org/
https://example.org\.evil.example/
https://evil.example\example.org/
https://example.org#@evil.example/
https://example.org?@evil.example/
https://example.org?x=1
https://example.org;evil.example/
https://example.org,evil.example/
https:/example.org/
https:example.org/
https:///example.org/
https:////example.org/
//example.org/
/relative
example.org
example.org/x
 https://example.org/
https://example.org/\x20
https://example .org/
https://exam\tple.org/
https://example.org/\n
https://example.org/\r\nX: y
https://example.org/\x00
https://example.org/\u200b
https://example.org\u3002/
https://example。org/
https://example.org./
https://.example.org/
https://example..org/
https://exa%6dple.org/
https://example.org%00.evil.example/
https://example.org:/
https://example.org:0443/
https://example.org:+443/
https://example.org:65536/
https://example.org:99999999/
https://example.org:443:80/
https://[example.org]/
https://[::1
https://[::ffff:127.0.0.1]/
https://[0:0:0:0:0:0:0:1]/
https://[fe80::1%25eth0]/
https://2130706433/
https://0x7f000001/
https://0x7f.0.0.1/
https://0177.0.0.1/
https://127.1/
https://127.0.1/
https://0/
https://1.2.3.4.5/
https://300.1.1.1/
https://192.0.2.07/
https://192.0.2.7./
https://exаmple.org/
https://xn--exmple-4nf.org/
https://xn--80ak6aa92e.example.net/
https://xn--a.example/
https://exam\u00adple.org/
https://example.org/{x}
https://example.org/<x>
https://example.org/a|b
https://example.org/"x"
https://example.org/%zz
http://
https://
"""


def rows(table: str) -> list[str]:
    marks = {"\\t": "\t", "\\n": "\n", "\\r": "\r", "\\x00": "\0", "\\x20": " "}
    marks |= {"\\u200b": "\u200b", "\\u3002": "\u3002", "\\u00ad": "\u00ad"}
    lines = table.strip("\n").splitlines()
    for written, meant in marks.items():
        lines = [line.replace(written, meant) for line in lines]
    return lines


@pytest.mark.parametrize("url", rows(READS))
@pytest.mark.parametrize("method", ["GET", "HEAD", "get"])
def test_a_get_to_an_allowed_host_is_a_read(url: str, method: str) -> None:
    reading = urls.read(url, method, ALLOWED)
    assert reading.operations == READ, reading
    assert reading.unclear is None
    assert len(reading.hosts) == 1


@pytest.mark.parametrize("row", rows(NOT_READS))
def test_other_addresses_are_fetched(row: str) -> None:
    url, operations = (part.strip() for part in row.split("=>"))
    assert urls.read(url, "GET", ALLOWED).operations == set(operations.split())


@pytest.mark.parametrize("url", rows(UNCLEAR))
def test_what_two_readers_could_read_differently_is_unclear(url: str) -> None:
    reading = urls.read(url, "GET", ALLOWED)
    assert reading.unclear, reading
    assert reading.operations != READ


@pytest.mark.parametrize("url", rows(READS))
def test_nothing_is_a_read_where_no_host_is_allowed(url: str) -> None:
    assert urls.read(url).operations != READ
    assert urls.read(url, "GET", ["", "*", "*.", ".", "org", "https://example.org"]).operations != READ


@pytest.mark.parametrize(
    ("method", "operations"),
    [
        ("POST", "send"),
        ("PUT", "send"),
        ("PATCH", "send"),
        ("DELETE", "delete"),
        ("delete", "delete"),
        ("OPTIONS", "fetch"),
        ("TRACE", "send"),
        ("MOVE", "send"),
        ("GET\r\nX: y", "send"),
        ("", "send"),
        ("GET POST", "send"),
        ("\uff27ET", "send"),
    ],
)
def test_other_methods_do_more_than_read(method: str, operations: str) -> None:
    reading = urls.read("https://example.org/", method, ALLOWED)
    assert reading.operations == set(operations.split())
    assert reading.hosts == {"example.org"}


@pytest.mark.parametrize(
    ("url", "resources"),
    [
        ("https://example.org/", ""),
        ("http://localhost/", "internal"),
        ("http://intranet/", "internal"),
        ("http://db.internal/", "internal"),
        ("http://web.default.svc.cluster.local/", "internal"),
        ("http://10.1.2.3/", "internal"),
        ("http://172.16.0.1/", "internal"),
        ("http://192.168.1.1/", "internal"),
        ("http://100.64.0.1/", "internal"),
        ("http://127.0.0.1/", "internal"),
        ("http://0.0.0.0/", "internal"),
        ("http://[::1]/", "internal"),
        ("http://[fe80::1]/", "internal"),
        ("http://[fc00::1]/", "internal"),
        ("http://[::ffff:10.0.0.1]/", "internal"),
        ("http://[64:ff9b::a00:1]/", "internal"),
        ("http://[2002:a00:1::]/", "internal"),
        ("http://2130706433/", "internal"),
        ("http://0x7f.1/", "internal"),
        ("http://me@127.0.0.1/", "internal"),
        ("http://169.254.169.254/", "credential internal"),
        ("http://2852039166/", "credential internal"),
        ("http://0xa9fea9fe/", "credential internal"),
        ("http://[::ffff:169.254.169.254]/", "credential internal"),
        ("http://[fd00:ec2::254]/", "credential internal"),
        ("http://metadata.google.internal/", "credential internal"),
        ("http://169.254.169.254.nip.io/", "credential internal"),
        ("http://x@169.254.169.254/", "credential internal"),
        ("ftp://10.0.0.1/", "internal"),
        ("http://93.184.215.14/", ""),
        ("file:///etc/hosts", "file"),
        ("file:///home/ann/.ssh/id_rsa", "file credential"),
        ("file:///home/ann/%2essh/id_rsa", "file credential"),
    ],
)
def test_hosts_inside_and_files_are_named(url: str, resources: str) -> None:
    assert urls.read(url).resources == set(resources.split())


@pytest.mark.parametrize(
    ("url", "hosts"),
    [
        ("https://example.org@evil.example/", "evil.example"),
        ("https://example.org\\@evil.example/", "example.org evil.example"),
        ("https://me:pw@evil.example:8080/", "evil.example"),
        ("https:/evil.example/", "evil.example"),
        ("https://2130706433/", "2130706433"),
        ("ftp://evil.example/x", "evil.example"),
    ],
)
def test_an_odd_address_names_each_host_that_it_may_lead_to(url: str, hosts: str) -> None:
    assert set(hosts.split()) <= urls.read(url, "POST").hosts


def test_an_address_names_its_host_and_never_what_it_carries() -> None:
    for url in (
        "https://s3cret.part@example.org/",
        "https:/example.org/s3cret.x",
        "https://example.org/?token=s3cret",
        "https://u:s3cret@example.org/",
        "https://example.org/s3cret|x",
    ):
        assert "s3cret" not in repr(urls.read(url, "GET", ALLOWED))
