"""Names as people read them."""

from __future__ import annotations

import pytest

from handrail.policy.derivers import names


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("deleteUsers", "delete users"),
        ("delete_users", "delete users"),
        ("mcp__github__create_issue", "mcp github create issue"),
        ("prod1", "prod 1"),
        ("eu-prod-1", "eu prod 1"),
        ("production_eu", "production eu"),
        ("HTTPRequest", "http request"),
        ("parseHTTPRequest2xx", "parse http request 2 xx"),
        ("files.read/text:utf8", "files read text utf 8"),
        ("Send Mail", "send mail"),
        ("DROP_TABLE", "drop table"),
        ("löscheNutzer", "lösche nutzer"),
        ("読む", "読む"),
        ("dep\u200bloy", "deploy"),
        ("d\u0435lete_file", "delete file"),
        ("ｄｅｌｅｔｅＵｓｅｒ", "delete user"),
        ("delete\u00a0user", "delete user"),
        ("", ""),
        ("--", ""),
    ],
)
def test_a_name_is_taken_apart_into_words(name: str, words: str) -> None:
    assert names.words(name) == tuple(words.split())


@pytest.mark.parametrize(
    "name",
    [
        "dep\u200bloy",
        "dep\u200dloy",
        "dep\u00adloy",
        "dep\ufe0floy",
        "dep\u2060loy",
        "dep\ufeffloy",
        "dep\u034floy",
        "dep\u3164loy",
        "dep\U000e0061loy",
        "dep\x00loy",
        "dep\tloy",
        "\u202edeploy",
        "d\u0435ploy",
        "depl\u043ey",
        "depl\u03bfy",
        "\u0501eploy",
        "\u0500eploy",
        "\uff44eploy",
        "\U0001d41deploy",
        "\u24d3eploy",
        "d\u0337eploy",
        "d\u0301eploy",
        "de\u20ddploy",
    ],
)
def test_a_look_alike_is_what_it_looks_like_and_counts_as_changed(name: str) -> None:
    folded = names.fold(name)
    assert folded == ("deploy", True) or (folded.changed and folded.text.endswith("eploy"))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Deploy", "deploy"),
        (" deploy ", "deploy"),
        ("DEPLOY-1 (eu)", "deploy-1 (eu)"),
        ("Löschen", "löschen"),
        ("Straße", "straße"),
        ("déploiement", "déploiement"),
        ("読む", "読む"),
        ("삭제", "삭제"),
        ("a" * 5000, "a" * 5000),
    ],
)
def test_case_and_honest_letters_are_no_change(name: str, text: str) -> None:
    assert names.fold(name) == (text, False)


@pytest.mark.parametrize("name", ["пример", "παράδειγμα", "u\u0308ber", "ﬁle", "①", "é" * 5000, "\ud800"])
def test_what_folding_alters_counts_as_changed(name: str) -> None:
    assert names.fold(name).changed


@pytest.mark.parametrize("name", ["DELİVER", "K\u212am", "\u017fend", "ıd"])
def test_letters_that_only_case_makes_ascii_are_folded_too(name: str) -> None:
    folded = names.fold(name)
    assert folded.changed
    assert folded.text.isascii()
