"""What a change reaches and what is at stake, on a small shop with an API, tests, a migration and owners."""

import json
from pathlib import Path

import pytest
from changes_pairs import change
from codegraph_trees import index, put

from handrail.changes.verifying.change import read
from handrail.changes.weighing import migrations, risk
from handrail.changes.weighing.weigh import TouchedFile, touched_by, weigh
from handrail.codegraph.graph import Graph

SHOP = {
    "shop/__init__.py": "",
    "shop/prices.py": """
        def price(item):
            return tax(item) + 1

        def tax(item):
            return 2

        def unused():
            return 3
    """,
    "shop/cart.py": """
        from shop.prices import price

        class Cart:
            def total(self):
                return price("a")
    """,
    "shop/api.py": """
        from fastapi import FastAPI
        from shop.cart import Cart

        app = FastAPI()

        @app.get("/total")
        def total():
            return Cart().total()
    """,
    "shop/banner.py": "from shop import prices\n",
    "shop/migrations/0001_first.py": "operations = []\n",
    "tests/test_cart.py": """
        from shop.cart import Cart

        def test_total():
            assert Cart().total() == 3
    """,
    "tests/test_prices.py": """
        from shop.prices import tax

        def test_tax():
            assert tax("a") == 2
    """,
    "tests/test_banner.py": "import shop.banner\n\n\ndef test_nothing():\n    assert 1 + 1 == 2\n",
    "CODEOWNERS": "* @all\n/shop/prices.py @money\n",
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("shop")


@pytest.fixture(scope="module")
def graph(root: Path) -> Graph:
    return index(root, SHOP).graph


def test_a_changed_line_reaches_what_depends_on_its_symbol(root: Path, graph: Graph) -> None:
    """S2.5."""
    found = weigh(root, graph, [TouchedFile("shop/prices.py", (6,))])
    assert found.symbols == ("shop/prices.py::tax",)
    assert [(each.id, each.depth) for each in found.impact.callers][:3] == [
        ("shop/prices.py::price", 1),
        ("shop/cart.py::Cart.total", 2),
        ("shop/api.py::total", 3),
    ]
    assert [each.id for each in found.impact.endpoints] == ["GET /total"]
    assert {each.id for each in found.impact.tests} == {
        "tests/test_prices.py::test_tax",
        "tests/test_cart.py::test_total",
    }


def test_a_symbol_that_nobody_uses_reaches_nothing(root: Path, graph: Graph) -> None:
    found = weigh(root, graph, [TouchedFile("shop/prices.py", (9,))])
    assert (found.symbols, found.impact.callers, found.impact.endpoints) == (("shop/prices.py::unused",), (), ())


def test_facts_are_numbers_under_the_names_of_the_policy(root: Path, graph: Graph) -> None:
    (root / "old.sql").write_text("SELECT 1;")
    known = ("shop/prices.py", "shop/migrations/0001_first.py", "tests/test_cart.py", "old.sql", "new.sql")
    found = weigh(root, graph, [TouchedFile(path) for path in known])
    assert found.facts == {
        "files": 5,
        "migrations": 1,
        "endpoints": 1,
        "fan_in": 2,
        "risk_score": found.risk_score,
        "tests_changed": 1,
    }
    assert found.unread == ("old.sql",), "what is new is not there to be read"


def test_the_score_is_the_sum_of_its_explained_parts(root: Path, graph: Graph) -> None:
    found = weigh(root, graph, [TouchedFile("shop/prices.py")])
    assert found.risk_score == sum(part.points for part in found.parts) == 2 + 2 + 3
    assert [part.words for part in found.parts if part.points] == [
        "1 file: 2 of at most 20 points",
        "2 modules directly depending on it: 2 of at most 20 points",
        "1 endpoint reached: 3 of at most 15 points",
    ]


def test_a_migration_and_code_without_tests_raise_the_score(root: Path, graph: Graph) -> None:
    plain = weigh(root, graph, [TouchedFile("shop/prices.py")])
    moving = weigh(root, graph, [TouchedFile("shop/prices.py"), TouchedFile("db/migrate/1_a.rb")])
    bare = weigh(root, graph, [TouchedFile("shop/prices.py")], coverage={"shop/prices.py": 0.2})
    assert moving.risk_score == plain.risk_score + 25 + 2
    assert bare.risk_score == plain.risk_score + 12


def test_no_part_exceeds_its_share_and_the_whole_a_hundred() -> None:
    parts = risk.parts_of(risk.Stakes(10**6, 10**6, 10**6, 10**6, 10**6, 1.0, is_measured=True))
    assert all(part.points == part.most for part in parts)
    assert risk.score(parts) == 100


def test_tests_are_ordered_by_plan_then_impact_then_imports_then_all(root: Path, graph: Graph) -> None:
    found = weigh(root, graph, [TouchedFile("shop/prices.py", (6,))], planned_tests=["tests/test_new.py::test_it"])
    assert [(stage["reason"], stage["depth"], stage["tests"]) for stage in found.as_data()["order"]] == [
        ("plan", 0, ["tests/test_new.py::test_it"]),
        ("impact", 1, ["tests/test_prices.py"]),
        ("impact", 3, ["tests/test_cart.py"]),
        ("imports", 0, ["tests/test_banner.py"]),
        ("suite", 0, []),
    ]


def test_owners_are_those_of_each_file(root: Path, graph: Graph) -> None:
    found = weigh(root, graph, [TouchedFile("shop/prices.py"), TouchedFile("shop/cart.py")])
    assert found.owners == {"shop/prices.py": ("@money",), "shop/cart.py": ("@all",)}


def test_the_diagram_shows_what_changes_and_what_it_reaches(root: Path, graph: Graph) -> None:
    lines = weigh(root, graph, [TouchedFile("shop/prices.py", (6,))]).diagram.splitlines()
    assert lines[0] == "flowchart LR"
    assert any('("tax")' in line for line in lines)
    assert any('{{"GET /total"}}' in line for line in lines)


def test_data_for_events_is_json(root: Path, graph: Graph) -> None:
    data = weigh(root, graph, [TouchedFile("shop/prices.py")]).as_data()
    assert json.loads(json.dumps(data)) == data


def test_a_change_knows_the_symbols_of_its_lines(tmp_path: Path) -> None:
    edited = SHOP["shop/prices.py"].replace("return 2", "return 4")
    change(tmp_path, {**SHOP}, {**SHOP, "shop/prices.py": edited})
    touched = touched_by(read(tmp_path / "base", tmp_path / "head", SHOP))
    assert touched == (TouchedFile("shop/prices.py", (6,)),)
    assert weigh(tmp_path / "head", index(tmp_path / "head", {}).graph, touched).symbols == ("shop/prices.py::tax",)


def test_nothing_to_weigh_weighs_nothing(tmp_path: Path) -> None:
    put(tmp_path, {"a.txt": "x"})
    found = weigh(tmp_path, index(tmp_path, {}).graph, [])
    assert set(found.facts.values()) == {0}


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("shop/migrations/0002_more.py", "Django"),
        ("shop/migrations/__init__.py", None),
        ("alembic/versions/ab12_more.py", "Alembic"),
        ("db/migrate/20260101_more.rb", "Rails"),
        ("db/schema.rb", "Rails"),
        ("prisma/migrations/1_a/migration.sql", "Prisma"),
        ("prisma/schema.prisma", "Prisma"),
        ("Shop/Migrations/20260101_More.cs", "Entity Framework"),
        ("src/main/resources/db/migration/V2__more.sql", "Flyway"),
        ("src/main/resources/db/changelog/002.xml", "Liquibase"),
        ("migrations/2026-01-01-000000_more/up.sql", "SQL"),
        ("src/migrations/1-more.ts", "script"),
        ("tests/migrations/test_more.py", None),
        ("docs/migrations.md", None),
        ("queries/report.sql", None),
    ],
)
def test_migrations_are_known_by_where_they_are(path: str, kind: str | None) -> None:
    assert migrations.kind_of(path) == kind
