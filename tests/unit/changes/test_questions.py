"""Questions about the code, answered from the graph with file and line; and diagrams that are safe to draw."""

from pathlib import Path

import pytest
from codegraph_trees import graph as graph_of

from handrail.changes.weighing import diagrams, questions
from handrail.codegraph.graph import Graph

SHOP = {
    "shop/__init__.py": "",
    "shop/prices.py": "def price(item):\n    return tax(item)\n\n\ndef tax(item):\n    return 2\n",
    "shop/cart.py": (
        "from shop.prices import price\n\n\n"
        "class Cart:\n    def total(self):\n        name = 'a'\n        return price(name)\n"
    ),
    "shop/api.py": (
        "from fastapi import FastAPI\nfrom shop.cart import Cart\n\napp = FastAPI()\n\n\n"
        "@app.get('/total/{id}')\ndef total():\n    return Cart().total()\n"
    ),
    "tests/test_cart.py": "from shop.cart import Cart\n\n\ndef test_total():\n    assert Cart().total()\n",
}


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    return graph_of(tmp_path_factory.mktemp("shop"), SHOP)


def test_where_a_name_is(graph: Graph) -> None:
    assert questions.where_is(graph, "Cart.total").text.splitlines() == [
        "`Cart.total` is defined here (1):",
        "  shop/cart.py:5 method Cart.total",
    ]


def test_callers_are_named_with_the_line_of_the_call(graph: Graph) -> None:
    found = questions.callers(graph, "price")
    assert [(place.path, place.line, place.text) for place in found.places] == [
        ("shop/cart.py", 7, "method Cart.total (calls)")
    ]


def test_callees_and_endpoints(graph: Graph) -> None:
    assert [str(place) for place in questions.callees(graph, "price").places] == [
        "shop/prices.py:5 function tax (calls)"
    ]
    assert [str(place) for place in questions.endpoints(graph, "/total/7").places] == [
        "shop/api.py:7 endpoint GET /total/{id}"
    ]
    assert "No endpoint matches '/nothing'" in questions.endpoints(graph, "/nothing").text


def test_tests_are_found_over_other_code(graph: Graph) -> None:
    assert "tests/test_cart.py:4 function test_total" in questions.tests_of(graph, "tax").text


def test_a_name_that_is_not_there_gets_the_nearest(graph: Graph) -> None:
    assert questions.callers(graph, "prise").text == "The graph knows nothing called 'prise'. Did you mean `price`?"


def test_tools_take_what_a_model_gives_and_answer_in_words(graph: Graph) -> None:
    tools = questions.tools(graph)
    assert set(tools) == {schema["name"] for schema in questions.schemas()}
    assert "shop/cart.py:7" in tools["callers"]({"name": "price"})
    assert "GET /total/{id}" in tools["endpoints"]({})
    for bad in ({}, {"name": 7}, {"name": ""}, {"name": "x" * 500}, {"name": ["a"]}):
        assert tools["callers"](bad) == "Give `name` as text of 1 to 400 characters."
    assert tools["diagram"]({"name": "Cart.total"}).startswith("flowchart LR\n")


def test_a_diagram_is_bounded_and_says_what_it_leaves_out(tmp_path: Path) -> None:
    files = {f"m{n}.py": "import hub\n" for n in range(60)} | {"hub.py": "x = 1\n"}
    text = diagrams.around(graph_of(tmp_path, files), "hub.py")
    assert text.count("-->") == diagrams.MOST_NODES - 1
    assert text.endswith('  more["and 21 more"]\n')


def test_names_cannot_leave_their_label(tmp_path: Path) -> None:
    path = 'a"]; click n0 href "javascript:x"; %%{init}%%`<b>.py'
    text = diagrams.around(graph_of(tmp_path, {path: "x = 1\n"}), path)
    label = text.splitlines()[1]
    assert label.count('"') == 2
    assert not set("<>{}`") & set(label)


@pytest.mark.parametrize(
    "text",
    [
        "flowchart LR\n  a[Cart] --> b[(orders)]\n",
        "```mermaid\nsequenceDiagram\n  A->>B: total<br/>now\n```",
        "classDiagram\n  class Cart {\n    +total() int\n  }\n",
    ],
)
def test_a_model_s_plain_diagram_is_taken(text: str) -> None:
    assert "```" not in diagrams.checked(text)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("flowchart LR\n  a --> b\n  click a href 'x'\n", "click"),
        ("flowchart LR\n%%{init: {'securityLevel': 'loose'}}%%\n  a --> b\n", "directive"),
        ("flowchart LR\n  a[<img src=x onerror=y>] --> b\n", "HTML"),
        ("flowchart LR\n  a[x] --> b\n  style a fill:url(x)\n", "url("),
        ("flowchart LR\n  a[see https://x.test] --> b\n", "address"),
        ("flowchart LR\n  a[\u202ex] --> b\n", "cannot be seen"),
        ("Here is your diagram:\nflowchart LR\n", "does not begin"),
        ("flowchart LR\n" + "  a --> b\n" * 500, "more than"),
        ("---\nconfig: {}\n---\nflowchart LR\n", "does not begin"),
    ],
)
def test_a_model_s_diagram_that_does_more_than_show_is_refused(text: str, word: str) -> None:
    with pytest.raises(diagrams.BadDiagram, match=word.replace("(", r"\(")) as refused:
        diagrams.checked(text)
    assert refused.value.code == "bad_diagram"
