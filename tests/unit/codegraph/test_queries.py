"""Questions to a small shop: impact, tests, paths, cycles, tags, diagrams, maps, the JSON document."""

import re
from pathlib import Path

import jsonschema_rs
import pytest
from codegraph_trees import graph, index

from handrail.codegraph import document, mermaid, repomap
from handrail.codegraph.errors import UnknownNode
from handrail.codegraph.graph import Graph
from handrail.codegraph.impact import covering_tests, impact_of, shortest_path, symbols_in
from handrail.codegraph.index import Options, build
from handrail.codegraph.metrics import cycles, module_metrics

SHOP = {
    "pyproject.toml": '[build-system]\nbuild-backend = "hatchling.build"\n',
    "shop/__init__.py": "",
    "shop/prices/__init__.py": "",
    "shop/prices/rates.py": """
        def vat(country):
            if country == "de":
                return 19
            return 20
    """,
    "shop/prices/totals.py": """
        from shop.prices.rates import vat
        class Basket:
            def total(self): return vat("de")
        class GiftBasket(Basket):
            def total(self): return 0
    """,
    "shop/web/__init__.py": "",
    "shop/web/api.py": """
        from fastapi import FastAPI
        from shop.prices.totals import Basket
        app = FastAPI()
        @app.get("/basket/{id}")
        def basket(id: int): return Basket().total()
        @app.get("/health")
        def health(): return "ok"
    """,
    "tests/test_totals.py": """
        from shop.prices.totals import Basket
        def test_total(): assert Basket().total() == 19
    """,
}


@pytest.fixture
def shop(tmp_path: Path) -> Graph:
    return graph(tmp_path, SHOP)


def test_impact_names_callers_endpoints_and_tests(shop: Graph) -> None:
    found = impact_of(shop, shop.find("shop.prices.rates.vat"))
    assert [(r.id.rpartition("::")[2], r.depth) for r in found.callers] == [("Basket.total", 1), ("basket", 2)]
    assert [e.id for e in found.endpoints] == ["GET /basket/{id}"]
    assert [r.id for r in found.tests] == ["tests/test_totals.py::test_total"]
    assert "shop/web/api.py" in found.modules


def test_impact_stops_at_its_depth(shop: Graph) -> None:
    found = impact_of(shop, shop.find("vat"), depth=1)
    assert ([r.depth for r in found.callers], found.endpoints) == ([1], ())


def test_callers_of_a_base_method_may_reach_what_overrides_it(shop: Graph) -> None:
    found = impact_of(shop, shop.find("GiftBasket.total"))
    assert [(r.id, r.confidence) for r in found.callers] == [("shop/web/api.py::basket", 0.5)]


def test_changing_a_module_changes_all_of_its_symbols(shop: Graph) -> None:
    found = impact_of(shop, ["shop/prices/rates.py"])
    assert "shop/web/api.py::basket" in [r.id for r in found.callers]


def test_tests_that_run_a_symbol_over_other_code(shop: Graph) -> None:
    assert [(t.id, t.depth) for t in covering_tests(shop, shop.find("vat")[0])] == [
        ("tests/test_totals.py::test_total", 2)
    ]
    assert covering_tests(shop, shop.find("health")[0]) == []


def test_the_closure_of_modules_by_depth(shop: Graph) -> None:
    """S2.4."""
    rates = ["shop/prices/rates.py"]
    assert shop.get_impacted_modules(rates, 1) == ["shop/prices/totals.py"]
    assert set(shop.get_impacted_modules(rates)) == {
        "shop/prices/totals.py",
        "shop/web/api.py",
        "tests/test_totals.py",
    }


def test_endpoints_by_part_pattern_and_url(shop: Graph) -> None:
    """S2.4."""

    def ids(pattern: str) -> list[str]:
        return [endpoint.id for endpoint in shop.get_endpoints_by_path(pattern)]

    assert ids("basket") == ["GET /basket/{id}"]
    assert ids("/b*") == ["GET /basket/{id}"]
    assert ids("/basket/42") == ["GET /basket/{id}"]
    assert ids("/basket/42/more") == []
    assert len(ids("")) == 2


def test_dependencies_on_both_sides(shop: Graph) -> None:
    """S2.4."""
    found = shop.get_dependencies("shop/prices/totals.py")
    assert found.callees == ("shop/prices/rates.py",)
    assert found.callers == ("shop/web/api.py", "tests/test_totals.py")


def test_modules_by_tag(shop: Graph) -> None:
    """S2.4."""
    assert [m.id for m in shop.get_modules_by_tag("controller")] == ["shop/web/api.py"]
    assert [m.id for m in shop.get_modules_by_tag("test")] == ["tests/test_totals.py"]


def test_symbols_of_changed_lines(shop: Graph) -> None:
    assert [s.qualname for s in symbols_in(shop, "shop/prices/totals.py", 4, 4)] == ["Basket", "Basket.total"]
    assert symbols_in(shop, "shop/prices/totals.py", 100, 200) == []


def test_the_shortest_path_and_none(shop: Graph) -> None:
    start, end = "GET /basket/{id}", "shop/prices/rates.py::vat"
    assert [e.target.rpartition("::")[2] for e in shortest_path(shop, start, end)] == ["basket", "Basket.total", "vat"]
    assert shortest_path(shop, end, start) == []


def test_unknown_ids_are_named(shop: Graph) -> None:
    for ask in (lambda: shop.get_impacted_modules(["nope"]), lambda: shortest_path(shop, "nope", "nope")):
        with pytest.raises(UnknownNode, match="'nope'"):
            ask()


def test_names_that_people_use(shop: Graph) -> None:
    symbol = ["shop/prices/totals.py::Basket.total"]
    assert shop.find("shop/prices/totals.py::Basket.total") == symbol
    assert shop.find("Basket.total") == symbol
    assert shop.find("shop.prices.totals.Basket.total") == symbol
    assert shop.find("totals.py") == shop.find("shop.prices.totals") == ["shop/prices/totals.py"]
    assert shop.find("nobody") == []


def test_metrics_count_dependents(shop: Graph) -> None:
    found = module_metrics(shop)
    rates, api = found["shop/prices/rates.py"], found["shop/web/api.py"]
    assert (rates.fan_in, rates.fan_out, api.fan_in, api.fan_out) == (1, 0, 0, 1)
    assert rates.centrality > api.centrality


def test_cycles_are_groups_of_modules(tmp_path: Path) -> None:
    files = {"a.py": "import b\n", "b.py": "import c\n", "c.py": "import a\n", "d.py": "import a\n"}
    assert cycles(graph(tmp_path, files)) == [["a.py", "b.py", "c.py"]]


def test_a_flowchart_draws_the_slice_and_nothing_else(shop: Graph) -> None:
    text = mermaid.flowchart(shop, ["GET /basket/{id}", "shop/web/api.py::basket", "shop/prices/rates.py"])
    assert text.startswith("flowchart LR\n")
    assert 'n0{{"GET /basket/#123;id#125;"}}' in text
    assert "  n0 ==> n1\n" in text
    assert re.findall(r"n\d", text.split("\n")[-2]) == ["n0", "n1"]


def test_a_class_diagram_shows_members_and_bases(shop: Graph) -> None:
    text = mermaid.class_diagram(shop, [s.id for s in shop.symbols.values() if s.kind == "class"])
    assert "+total()" in text
    assert "c1 --|> c0" in text


def test_labels_cannot_break_out_of_a_diagram(tmp_path: Path) -> None:
    found = graph(tmp_path, {'a"]; click n0 x.py': "x = 1\n"})
    text = mermaid.flowchart(found, found.modules)
    assert text == 'flowchart LR\n  n0["a#quot;]; click n0 x.py"]\n'


def test_the_map_keeps_its_budget_and_ranks_what_is_used(shop: Graph) -> None:
    for budget in (10, 40, 200):
        assert repomap.tokens(repomap.repository_map(shop, budget)) <= budget
    small, whole = repomap.repository_map(shop, 20), repomap.repository_map(shop, 500)
    assert "class Basket" in small
    assert "health" not in small
    assert "health" in whole
    assert "test_total" not in whole


def test_the_map_turns_to_its_focus(tmp_path: Path) -> None:
    files = {f"m{n}.py": f"def f{n}(): ...\ndef g{n}(): f{n}()\n" for n in range(20)}
    found = graph(tmp_path, files)
    assert "f13" in repomap.repository_map(found, 15, ["m13.py::g13"])


def test_the_document_follows_its_schema(tmp_path: Path) -> None:
    found = document.document(index(tmp_path, SHOP))
    jsonschema_rs.Draft202012Validator(document.schema(), validate_formats=True).validate(found)
    assert found["project"] == {
        "name": tmp_path.name,
        "languages": {"python": {"modules": 7, "loc": 18}},
        "frameworks": ["fastapi"],
        "buildTools": ["hatchling"],
    }
    ids = {node["id"] for key in ("modules", "symbols", "endpoints") for node in found[key]}
    assert {edge["from"] for edge in found["edges"]} | {edge["to"] for edge in found["edges"]} <= ids
    assert {f["path"]: len(f["endpoints"]) for f in found["features"]} == {
        "shop/": 0,
        "shop/prices/": 0,
        "shop/web/": 2,
    }


def test_the_threshold_leaves_modules_and_drops_symbols(tmp_path: Path) -> None:
    found = document.document(index(tmp_path, SHOP), fan_threshold=2, include_features=False)
    jsonschema_rs.Draft202012Validator(document.schema(), validate_formats=True).validate(found)
    assert len(found["modules"]) == 7
    assert {s["moduleId"] for s in found["symbols"]} == {"shop/prices/totals.py"}
    assert found["features"] == []


def test_an_empty_repository_is_a_document_too(tmp_path: Path) -> None:
    found = document.document(build(tmp_path, Options(workers=1)))
    jsonschema_rs.Draft202012Validator(document.schema(), validate_formats=True).validate(found)
    assert (found["modules"], found["edges"], found["gitSha"]) == ([], [], None)
    assert repomap.repository_map(build(tmp_path, Options(workers=1)).graph, 100) == ""
