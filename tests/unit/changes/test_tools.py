"""Each tool: what it does, and when it refuses."""

from textwrap import dedent

import pytest
from changes_world import Workshop

from handrail.changes.editing.tools import search

MODULE = dedent(
    '''\
    """Prices."""

    from decimal import Decimal

    RATE = Decimal("0.2")


    class Price:
        # what it costs
        @property
        def gross(self):
            return self.net * (1 + RATE)

        @gross.setter
        def gross(self, value):
            self.net = value / (1 + RATE)


    def load(path):
        return open(path).read()
    '''
)


@pytest.fixture
def prices(workshop: Workshop) -> Workshop:
    workshop.put("prices.py", MODULE)
    return workshop


def test_read_gives_text_that_can_be_quoted_and_a_hash(prices: Workshop) -> None:
    head, _, body = prices.done("read", path="prices.py").text.partition("\n")
    assert head == f"prices.py hash={prices.hash('prices.py')} lines 1-20 of 20"
    assert f"{body}\n" == MODULE


def test_read_gives_a_symbol_with_its_decorators(prices: Workshop) -> None:
    body = prices.done("read", path="prices.py", symbol="Price.gross#2").text.split("\n", 1)[1]
    assert body.strip().splitlines()[0] == "@gross.setter"
    assert len(body.splitlines()) == 3


def test_read_gives_lines(prices: Workshop) -> None:
    assert prices.done("read", path="prices.py", lines="3-3").text.endswith("line 3 of 20\nfrom decimal import Decimal")


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ({"path": "gone.py"}, "no_file", "There is no file gone.py"),
        ({"path": "prices.py", "lines": "5-99"}, "bad_arguments", "lines 1 to 20"),
        ({"path": "prices.py", "lines": "0-1"}, "bad_arguments", "lines 1 to 20"),
        ({"path": "prices.py", "symbol": "Cart"}, "no_symbol", "It defines: `RATE`, `Price`"),
        ({"path": "prices.py", "symbol": "gross"}, "ambiguous", "`Price.gross#2` lines 14-16"),
        ({"path": "prices.py", "symbol": "load", "lines": "1-2"}, "bad_arguments", "not both"),
    ],
)
def test_read_refuses(prices: Workshop, arguments: dict[str, str], code: str, says: str) -> None:
    answer = prices.refused("read", **arguments)
    assert answer.code == code
    assert says in answer.text


def test_a_file_too_long_to_read_is_answered_by_its_outline(workshop: Workshop) -> None:
    workshop.put("long.py", "".join(f"def f{number}():\n    pass\n\n\n" for number in range(500)))
    text = workshop.done("read", path="long.py").text
    assert "too long to show at once" in text
    assert "\nlines 1-2: function f0\n" in text
    assert text.endswith("function f399\nand 100 more")


def test_a_stale_hash_is_refused(prices: Workshop) -> None:
    old = prices.hash("prices.py")
    prices.put("prices.py", f"{MODULE}\n")
    answer = prices.refused("replace_text", path="prices.py", hash=old, old='RATE = Decimal("0.2")', new="RATE = 1")
    assert answer.code == "stale_hash"
    assert prices.hash("prices.py") in answer.text


def test_an_edit_gives_the_new_hash_and_the_diff(prices: Workshop) -> None:
    """S2.7."""
    answer = prices.done("replace_text", path="prices.py", old='RATE = Decimal("0.2")', new="RATE = 1")
    (edited,) = answer.edited
    assert edited.hash == prices.hash("prices.py")
    assert f"hash={edited.hash}" in answer.text
    assert '-RATE = Decimal("0.2")\n+RATE = 1\n' in edited.diff


def test_a_symbol_is_replaced_with_its_decorators_and_reindented(prices: Workshop) -> None:
    source = "@property\ndef gross(self):\n    if self.free:\n        return 0\n    return self.net\n"
    answer = prices.refused("replace_symbol", path="prices.py", symbol="Price.gross", source=source)
    assert answer.code == "ambiguous"
    prices.done(
        "replace_symbol",
        path="prices.py",
        symbol="Price.gross#2",
        source="@gross.setter\ndef gross(self, v):\n    pass",
    )
    assert "    # what it costs\n    @property" in prices.text("prices.py")
    assert "    @gross.setter\n    def gross(self, v):\n        pass\n\n\ndef load" in prices.text("prices.py")


def test_a_symbol_that_shares_its_line_is_not_replaced(workshop: Workshop) -> None:
    workshop.put("a.js", "const a = 1, b = 2;\nrun(); function f() { return 1; }\nexport const g = () => 2;\n")
    assert workshop.refused("replace_symbol", path="a.js", symbol="a", source="const a = 3;").code == "ambiguous"
    assert workshop.refused("replace_symbol", path="a.js", symbol="f", source="function f() {}").code == "ambiguous"
    workshop.done("replace_symbol", path="a.js", symbol="g", source="export const g = () => 3;")
    assert workshop.text("a.js").endswith("export const g = () => 3;\n")


def test_a_string_over_lines_is_not_moved(prices: Workshop) -> None:
    source = 'def gross(self, value):\n    self.text = """\none\ntwo\n"""\n'
    answer = prices.refused("replace_symbol", path="prices.py", symbol="Price.gross#2", source=source)
    assert "string over several lines" in answer.text
    documented = '@gross.setter\ndef gross(self, value):\n    """Set it.\n\n    By its value.\n    """\n'
    prices.done("replace_symbol", path="prices.py", symbol="Price.gross#2", source=documented)
    assert "        By its value.\n" in prices.text("prices.py")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"after": "load", "text": "def save(path):\n    pass"}, "read()\n\n\ndef save(path):\n    pass\n"),
        ({"before": "load", "text": "def save(path):\n    pass"}, "def save(path):\n    pass\n\n\ndef load"),
        ({"after": "RATE", "text": "BASE = 1"}, 'RATE = Decimal("0.2")\nBASE = 1\n'),
        (
            {"before": "Price.gross#2", "text": "def net(self):\n    return 1"},
            "\n\n    def net(self):\n        return 1\n\n    @g",
        ),
        ({"before": "start", "text": "# head"}, '# head\n"""Prices."""'),
        ({"after": "end", "text": "X = 1"}, "read()\nX = 1\n"),
        ({"after": "line 5", "text": "X = 1"}, 'RATE = Decimal("0.2")\nX = 1\n'),
    ],
)
def test_insert_keeps_indentation_and_distance(prices: Workshop, arguments: dict[str, str], expected: str) -> None:
    prices.done("insert", path="prices.py", **arguments)
    assert expected in prices.text("prices.py")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"text": "X = 1"}, "Say where"),
        ({"text": "X = 1", "before": "load", "after": "load"}, "Say where"),
        ({"text": " \n", "before": "load"}, "empty"),
        ({"text": "X = 1", "before": "nothing"}, "defines no `nothing`"),
        ({"text": "X = 1", "after": "99"}, "lines 1 to 20"),
    ],
)
def test_insert_refuses(prices: Workshop, arguments: dict[str, str], says: str) -> None:
    assert says in prices.refused("insert", path="prices.py", **arguments).text


@pytest.mark.parametrize(
    ("path", "before", "statement", "after"),
    [
        ("a.py", "import os\n\nx = 1\n", "import sys", "import os\nimport sys\n\nx = 1\n"),
        ("a.py", '"""Doc."""\nx = 1\n', "import os", '"""Doc."""\nimport os\nx = 1\n'),
        ("a.py", "#!/usr/bin/env python\nx = 1\n", "import os", "#!/usr/bin/env python\nimport os\nx = 1\n"),
        ("a.py", "", "import os", "import os\n"),
        (
            "a.py", '"""Doc."""\nimport os\n', "from __future__ import annotations",
            '"""Doc."""\nfrom __future__ import annotations\nimport os\n',
        ),
        (
            "a.py", "from a import (\n    b,\n)\nx = 1\nimport late\n", "import os",
            "from a import (\n    b,\n)\nimport os\nx = 1\nimport late\n",
        ),
        (
            "a.ts", '"use strict";\nimport a from "a";\nconst x = 1;\n', 'import { b } from "./b";',
            '"use strict";\nimport a from "a";\nimport { b } from "./b";\nconst x = 1;\n',
        ),
        (
            "A.java", "package shop;\n\nclass A {}\n", "import java.util.List;",
            "package shop;\nimport java.util.List;\n\nclass A {}\n",
        ),
        (
            "A.cs", "using System;\n\nclass A {}\n", "using System.Text;",
            "using System;\nusing System.Text;\n\nclass A {}\n",
        ),
    ],
)  # fmt: skip
def test_an_import_comes_after_the_others(
    workshop: Workshop, path: str, before: str, statement: str, after: str
) -> None:
    workshop.put(path, before)
    workshop.done("ensure_import", path=path, statement=statement)
    assert workshop.text(path) == after
    again = workshop.done("ensure_import", path=path, statement=statement)
    assert workshop.text(path) == after
    assert "already" in again.text


@pytest.mark.parametrize(
    ("before", "statement"),
    [
        ("from a import b, c\n", "from a import c"),
        ("import a.b as ab\n", "import a.b as ab"),
        ("from a import b as x\n", "from a import b as x"),
    ],
)
def test_an_import_that_is_there_is_not_added(workshop: Workshop, before: str, statement: str) -> None:
    workshop.put("a.py", before)
    workshop.done("ensure_import", path="a.py", statement=statement)
    assert workshop.text("a.py") == before


@pytest.mark.parametrize(
    ("before", "statement"),
    [
        ("from a import b as x\n", "from a import b"),
        ("def f():\n    import os\n", "import os"),
        ("import a\n", "import a as b"),
    ],
)
def test_an_import_under_another_name_or_inside_is_another(workshop: Workshop, before: str, statement: str) -> None:
    workshop.put("a.py", before)
    workshop.done("ensure_import", path="a.py", statement=statement)
    assert statement in workshop.text("a.py").splitlines()


def test_what_is_no_import_is_not_added(workshop: Workshop) -> None:
    workshop.put("a.py", "x = 1\n")
    assert workshop.refused("ensure_import", path="a.py", statement="print('hi')").code == "bad_arguments"
    workshop.put("a.md", "x\n")
    assert workshop.refused("ensure_import", path="a.md", statement="import x").code == "bad_arguments"


def test_rewrite_changes_every_place_of_a_shape(workshop: Workshop) -> None:
    workshop.put("a.py", "é = get(1, 2,  3)\nx = get(é)\nget = 1\n# get(4, 5)\n")
    workshop.put("b/c.py", "def f():\n    return get(a, b)\n")
    workshop.done(
        "rewrite", pattern="get($A, $$$REST)", replacement="fetch($$$REST, key=$A)", paths=["**/*.py"], expect_count=2
    )
    assert workshop.text("a.py") == "é = fetch(2,  3, key=1)\nx = get(é)\nget = 1\n# get(4, 5)\n"
    assert workshop.text("b/c.py") == "def f():\n    return fetch(b, key=a)\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"pattern": "get($A)", "expect_count": 3}, "has 2 places, not 3"),
        ({"pattern": "absent($A)", "expect_count": 1}, "has 0 places, not 1"),
        ({"pattern": "get($A)", "replacement": "get($B)", "expect_count": 2}, "$B, which the pattern has not"),
        ({"pattern": "get($A)", "paths": ["nowhere/**"], "expect_count": 2}, "No file is named"),
        ({"pattern": "get($A)", "paths": [], "expect_count": 2}, "`paths` is empty"),
        ({"pattern": "get($A)", "expect_count": 0}, "greater than or equal to 1"),
        ({"pattern": "get($A)", "replacement": "get($A", "expect_count": 2}, "would no longer parse"),
        ({"pattern": "", "expect_count": 2}, "The pattern cannot be read"),
    ],
)
def test_rewrite_refuses(workshop: Workshop, arguments: dict[str, object], says: str) -> None:
    workshop.put("a.py", "x = get(1)\ny = get(2)\n")
    answer = workshop.refused("rewrite", **{"replacement": "fetch($A)", "paths": ["**"], **arguments})
    assert says in answer.text


def test_create_delete_and_move(workshop: Workshop) -> None:
    workshop.done("create", path="a/b.txt", text="one\ntwo")
    assert workshop.text("a/b.txt") == "one\ntwo\n"
    assert workshop.refused("create", path="a/b.txt", text="x").code == "file_exists"
    workshop.put("c.txt", "x\n")
    assert workshop.refused("move", path="a/b.txt", to="c.txt").code == "file_exists"
    assert workshop.refused("move", path="a/b.txt", to="../b.txt").code == "bad_path"
    workshop.done("move", path="a/b.txt", to="d.txt")
    assert workshop.snapshot() == {"c.txt": b"x\n", "d.txt": b"one\ntwo\n"}
    assert workshop.refused("delete", path="c.txt", hash="0" * 16).code == "stale_hash"
    workshop.done("delete", path="c.txt")
    assert workshop.refused("delete", path="c.txt", hash="0" * 16).code == "no_file"


def test_a_binary_file_can_be_moved_and_deleted(workshop: Workshop) -> None:
    workshop.put("a.png", b"\x89PNG\0\xff")
    answer = workshop.done("move", path="a.png", to="b.png")
    assert "Binary file b.png" in answer.text
    workshop.done("delete", path="b.png")
    assert workshop.snapshot() == {}


def test_search_names_the_symbol_around(prices: Workshop) -> None:
    text = prices.done("search", text="1 + RATE").text
    assert text.splitlines() == [
        "prices.py:12: [Price.gross]         return self.net * (1 + RATE)",
        "prices.py:16: [Price.gross#2]         self.net = value / (1 + RATE)",
    ]
    assert prices.done("search", text=r"def \w+\(path", is_regex=True).text.startswith("prices.py:19: [load]")
    assert prices.done("search", text="nothing of it").text == "Nothing found."


def test_search_shows_a_hundred_lines_and_says_so(workshop: Workshop) -> None:
    workshop.put("a.txt", "x\n" * 500)
    lines = workshop.done("search", text="x", paths=["a.txt"]).text.splitlines()
    assert len(lines) == 101
    assert "Narrow the search" in lines[-1]


@pytest.mark.parametrize(("text", "says"), [("(", "cannot be read"), ("", "empty"), (r"(x+x+)+(x+x+)+y", "too long")])
def test_search_refuses(workshop: Workshop, monkeypatch: pytest.MonkeyPatch, text: str, says: str) -> None:
    monkeypatch.setattr(search, "_SECONDS", 0.2)
    workshop.put("a.txt", "x" * 40_000 + "\n")
    assert says in workshop.refused("search", text=text, is_regex=True).text
