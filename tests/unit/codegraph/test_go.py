"""Go: what one file says, and where its names lead within a package and to others."""

from pathlib import Path
from textwrap import dedent

import pytest
from codegraph_trees import edges, graph, index, put

from handrail.codegraph.facts import Ancestor, Definition, FileFacts
from handrail.codegraph.graph import Graph
from handrail.codegraph.impact import covering_tests
from handrail.codegraph.reading import facts_of

SHOP = {
    "go.mod": "module example.com/shop\n\ngo 1.22\n",
    "cart/cart.go": """
        package cart

        import (
            "fmt"
            "example.com/shop/prices"
            yaml "gopkg.in/yaml.v3"
        )

        // Cart holds items.
        type Cart struct {
            Base
            store *Store
            rule  prices.Rule
        }

        func New(s *Store) *Cart { return &Cart{store: s} }

        func (c *Cart) Total(n int) (int, error) {
            fmt.Println(n)
            item, err := c.store.Get(n)
            if err != nil && n > 1 { return 0, err }
            yaml.Marshal(item)
            return prices.Of(item) + c.rule.Apply(), nil
        }
    """,
    "cart/store.go": """
        package cart

        type Store struct{}
        type Base struct{}
        func (b Base) Touch() {}
        func (s *Store) Get(n int) (string, error) { return helper(), nil }
        func (c *Cart) Extra() { c.Touch(); c.Total(1) }
        func helper() string { return "" }
    """,
    "prices/prices.go": """
        package prices
        type Rule struct{}
        func (r Rule) Apply() int { return 1 }
        func Of(s string) int { return 2 }
    """,
    "prices/unused.go": "package prices\n\nfunc Unused() {}\n",
    "cart/cart_test.go": """
        package cart
        import "testing"
        func TestTotal(t *testing.T) { c := New(&Store{}); c.Total(1) }
    """,
}


def read(text: str, path: str = "cart/cart.go") -> FileFacts:
    return facts_of(path, dedent(text).encode())


def one(facts: FileFacts, qualname: str) -> Definition:
    return next(d for d in facts.definitions if d.qualname == qualname)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    return graph(tmp_path_factory.mktemp("shop"), SHOP)


def test_definitions_of_every_kind() -> None:
    facts = read("""
        package cart
        const Most, least = 1, 2
        var Limit int
        // Cart holds items.
        // They have prices.
        type Cart struct { Base; *pkg.Other; items []Item; Name string }
        type Getter interface { Get(id int) (*Item, error); Closer }
        type ID int
        type Path string
        func (p Path) Clean() Path { return p }
        func (c *Cart) total(a, b int, rest ...string) (*Item, error) {
            if a > b && b > 0 { return nil, nil }
            for range c.items { }
            return nil, nil
        }
        func (s *Elsewhere) Method() {}
        func New() *Cart { return &Cart{} }
    """)
    assert {d.qualname: d.kind for d in facts.definitions} == {
        "Cart": "struct",
        "Getter": "interface",
        "Getter.Get": "method",
        "ID": "type",
        "Path": "struct",
        "Path.Clean": "method",
        "Cart.total": "method",
        "Elsewhere.Method": "method",
        "New": "function",
        "Most": "constant",
        "least": "constant",
        "Limit": "variable",
        "Cart.items": "field",
        "Cart.Name": "field",
    }
    cart, total = one(facts, "Cart"), one(facts, "Cart.total")
    assert cart.ancestors == (Ancestor("extends", "Base"), Ancestor("extends", "pkg.Other"))
    assert (cart.doc, cart.visibility, total.visibility) == ("Cart holds items.", "public", "internal")
    assert (total.return_type, total.complexity) == ("Item", 4)
    assert [(p.name, p.type) for p in total.parameters] == [("a", "int"), ("b", "int"), ("rest", "")]
    assert facts.definitions[total.parent].qualname == "Cart"


def test_calls_are_canonical() -> None:
    facts = read("""
        package a
        func f() { load(); a.b.c(); New[int](1).Go(); (&Foo{}).Run(); rows[0].Close(); x.(*Bar).Do(); go g() }
    """)
    assert {call.callee for call in facts.calls} == {
        "load", "a.b.c", "New().Go", "New", "Foo().Run", "Foo", "rows[].Close", "Bar().Do", "g",
    }  # fmt: skip


def test_imports_lead_to_the_files_that_define_what_is_used(shop: Graph) -> None:
    assert edges(shop, "imports") == {
        ("cart/cart.go", "cart/store.go"),
        ("cart/cart.go", "prices/prices.go"),
        ("cart/store.go", "cart/cart.go"),
        ("cart/cart_test.go", "cart/cart.go"),
        ("cart/cart_test.go", "cart/store.go"),
    }
    assert shop.modules["cart/cart.go"].externals == ("fmt", "gopkg.in/yaml.v3")


def test_calls_are_followed_through_fields_packages_and_embedded_types(shop: Graph) -> None:
    assert edges(shop, "calls") >= {
        ("cart/cart.go::New", "cart/cart.go::Cart"),
        ("cart/cart.go::Cart.Total", "cart/store.go::Store.Get"),
        ("cart/cart.go::Cart.Total", "prices/prices.go::Of"),
        ("cart/cart.go::Cart.Total", "prices/prices.go::Rule.Apply"),
        ("cart/store.go::Cart.Extra", "cart/store.go::Base.Touch"),
        ("cart/store.go::Cart.Extra", "cart/cart.go::Cart.Total"),
        ("cart/store.go::Store.Get", "cart/store.go::helper"),
    }
    assert edges(shop, "extends") == {("cart/cart.go::Cart", "cart/store.go::Base")}
    assert shop.modules["cart/cart.go"].calls.unresolved == 0


def test_tests_are_known_and_cover_what_they_run(shop: Graph) -> None:
    assert ("cart/cart_test.go::TestTotal", "cart/cart.go::Cart.Total") in edges(shop, "tests")
    assert [r.id for r in covering_tests(shop, "prices/prices.go::Of")] == ["cart/cart_test.go::TestTotal"]


def test_two_modules_and_a_name_of_the_same_package_in_each(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        {
            "a/go.mod": "module example.com/a\n",
            "a/x.go": 'package a\nimport "example.com/b/util"\nfunc F() { util.Help(); own() }\n',
            "a/y.go": "package a\nfunc own() {}\n",
            "b/go.mod": "module example.com/b\n",
            "b/util/u.go": "package util\nfunc Help() {}\nfunc own() {}\n",
        },
    )
    assert edges(found, "calls") == {("a/x.go::F", "b/util/u.go::Help"), ("a/x.go::F", "a/y.go::own")}


def test_a_function_that_appears_in_the_package_is_found_on_update(tmp_path: Path) -> None:
    made = index(tmp_path, {"a.go": "package a\nfunc F() { later() }\n", "b.go": "package a\n"})
    assert edges(made.graph, "calls") == set()
    put(tmp_path, {"b.go": "package a\nfunc later() {}\n"})
    made.update(["b.go"])
    assert edges(made.graph, "calls") == {("a.go::F", "b.go::later")}
