"""Tool calls as fenced text."""

import re
from pathlib import Path
from textwrap import dedent

import pytest
from changes_world import Workshop
from hypothesis import given
from hypothesis import strategies as st

from handrail.changes.editing.errors import BadArguments
from handrail.changes.editing.fenced import Call, calls

ANSWER = dedent(
    """\
    First I look at the code:

    ```python
    x = 1
    ```

    ```replace_text path="src/my app.py" hash=abc within=Cart.total
    <<<<<<< OLD
        x = 1

    =======
        x = 2
    >>>>>>> NEW
    ```

    Then the test.

    ````create path=README.md
    # Title
    ```sh
    make
    ```
    ````
    ```read path=a.py lines=1-20
    ```
    ~~~rewrite paths=src/a.py,src/b.py expect_count=2
    <<<<<<< SEARCH
    get($A)
    =======
    fetch($A)
    >>>>>>> REPLACE
    ~~~
    """
)


def test_calls_are_read_in_order_and_prose_is_left_alone() -> None:
    assert calls(ANSWER) == [
        Call("replace_text", {
            "path": "src/my app.py", "hash": "abc", "within": "Cart.total", "old": "    x = 1\n", "new": "    x = 2",
        }),
        Call("create", {"path": "README.md", "text": "# Title\n```sh\nmake\n```"}),
        Call("read", {"path": "a.py", "lines": "1-20"}),
        Call("rewrite", {
            "paths": ["src/a.py", "src/b.py"], "expect_count": "2", "pattern": "get($A)", "replacement": "fetch($A)",
        }),
    ]  # fmt: skip


def test_a_call_is_carried_out_like_any_other(workshop: Workshop) -> None:
    workshop.put("a.py", "def f():\n    return 1\n")
    body = "<<<<<<< OLD\nreturn 1\n=======\nreturn 2\n>>>>>>> NEW"
    text = f"```replace_text path=a.py hash={workshop.hash('a.py')}\n{body}\n```"
    (call,) = calls(text)
    workshop.done(call.name, **call.arguments)
    assert workshop.text("a.py") == "def f():\n    return 2\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("```create path=a.py\nx = 1\n", "not closed"),
        ("```replace_text path=a.py\nx = 1\n```", "exactly one line each"),
        ("```replace_text path=a.py\n<<<<<<< OLD\na\n=======\nb\n=======\nc\n>>>>>>> NEW\n```", "apply_patch"),
        ("```replace_text path=a.py\n=======\n<<<<<<< OLD\n>>>>>>> NEW\n```", "the order is"),
        ('```read path="a.py\n```', "not closed"),
        ("```read a.py\n```", "name=value"),
    ],
)
def test_a_call_that_cannot_be_read_is_refused(text: str, says: str) -> None:
    with pytest.raises(BadArguments, match=says):
        calls(text)


@given(st.text(alphabet="`~<>=\n a", max_size=80).map(lambda tail: f"```replace_text path=a\n{tail}"))
def test_any_text_is_calls_or_a_refusal(text: str) -> None:
    try:
        assert all(call.name == "replace_text" for call in calls(text))
    except BadArguments as refused:
        assert refused.message


def test_the_example_of_the_page_is_a_call() -> None:
    page = (Path(__file__).parents[3] / "docs" / "changes.md").read_text()
    [example] = re.findall(r"^````\n(.*?)^````$", page, re.DOTALL | re.MULTILINE)
    [call] = calls(example)
    assert (call.name, call.arguments["old"], call.arguments["new"]) == (
        "replace_text",
        "    return amount",
        "    return round(amount, 2)",
    )
