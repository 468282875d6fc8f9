"""Rust: what one file says, and where its names lead: modules, crates, traits, and words inside of macros."""

from pathlib import Path
from textwrap import dedent

import pytest
from codegraph_trees import edges, graph

from handrail.codegraph.facts import Ancestor, Definition, FileFacts
from handrail.codegraph.graph import Graph
from handrail.codegraph.impact import covering_tests, impact_of
from handrail.codegraph.reading import facts_of

SHOP = {
    "Cargo.toml": "[package]\nname = 'my-shop'\n[dependencies]\nserde = '1'\n",
    "src/lib.rs": """
        pub mod cart;
        mod prices;
        pub use cart::Cart;
        /// Sums.
        pub fn total(c: &Cart) -> i32 { c.total() + prices::of(1) }
    """,
    "src/cart/mod.rs": """
        use std::fmt;
        use serde::Serialize;
        use crate::prices::{self, of as price_of, Rule};
        mod store;
        use self::store::Store;

        pub struct Cart { store: Box<Store>, rule: Option<Rule> }
        pub trait Priced { fn total(&self) -> i32; fn twice(&self) -> i32 { self.total() * 2 } }
        impl Cart {
            pub fn new() -> Self { Cart { store: Box::new(Store::open()?), rule: None } }
            fn helper(&self) -> i32 { super::total(self) }
        }
        impl Priced for Cart {
            fn total(&self) -> i32 {
                let s = &self.store;
                println!("{}", s.get(1));
                self.helper() + price_of(2) + self.rule.apply()
            }
        }
        #[cfg(test)]
        mod tests {
            use super::*;
            #[test]
            fn adds() { let c = Cart::new(); assert_eq!(c.total(), price_of(1)); }
        }
    """,
    "src/cart/store.rs": """
        pub struct Store;
        impl Store {
            pub fn open() -> Result<Store, Error> { Ok(Store) }
            pub fn get(&self, n: i32) -> i32 { n }
        }
    """,
    "src/prices.rs": """
        pub struct Rule;
        impl Rule { pub fn apply(&self) -> i32 { of(3) } }
        pub fn of(n: i32) -> i32 { n }
    """,
    "tests/all.rs": """
        use my_shop::{cart::Cart, total};
        #[test]
        fn whole() { let c = Cart::new(); assert_eq!(total(&c), 3); }
    """,
}


def read(text: str) -> FileFacts:
    return facts_of("src/cart.rs", dedent(text).encode())


def one(facts: FileFacts, qualname: str) -> Definition:
    return next(d for d in facts.definitions if d.qualname == qualname)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    return graph(tmp_path_factory.mktemp("shop"), SHOP)


def test_definitions_of_every_kind() -> None:
    facts = read("""
        /// A cart.
        #[derive(Debug)]
        pub struct Cart<T> { pub store: Arc<Mutex<Store>>, n: i32 }
        enum Kind { Small, Big(i32) }
        pub trait Priced: Base { fn price(&self) -> Option<Item>; }
        pub(crate) type Id = u64;
        const MOST: usize = 3;
        impl<T> Priced for Cart<T> {
            pub async fn price(&self, mut a: &Item, b: Vec<Item>) -> Option<Item> { if a && b { x } else { y } }
        }
        impl Elsewhere { fn go() {} }
        mod inner { pub fn deep() {} }
        macro_rules! twice { ($x:expr) => { $x }; }
    """)
    assert {d.qualname: d.kind for d in facts.definitions} == {
        "Cart": "struct",
        "Kind": "enum",
        "Priced": "interface",
        "Priced.price": "method",
        "Id": "type",
        "Cart.price": "method",
        "Elsewhere.go": "method",
        "inner": "namespace",
        "inner.deep": "function",
        "twice": "function",
        "MOST": "constant",
        "Cart.store": "field",
        "Cart.n": "field",
        "Kind.Small": "constant",
        "Kind.Big": "constant",
    }
    cart, price = one(facts, "Cart"), one(facts, "Cart.price")
    assert (cart.doc, cart.decorators, cart.visibility) == ("A cart.", ("derive(Debug)",), "public")
    assert cart.ancestors == (Ancestor("implements", "Priced"),)
    assert one(facts, "Priced").ancestors == (Ancestor("extends", "Base"),)
    assert (price.return_type, price.is_async, price.complexity, price.visibility) == ("Item", True, 3, "public")
    assert [(p.name, p.type) for p in price.parameters] == [("a", "Item"), ("b", "Vec")]
    assert [(v.name, v.type) for v in facts.variables] == [("store", "Store"), ("n", "i32")]


def test_uses_are_taken_apart() -> None:
    facts = read("""
        use crate::a::{self, b as c, d::{e, f::*}};
        use super::x;
        use std::io as _;
        mod foo;
        mod tests { use super::*; use super::super::y; }
    """)
    assert {(i.target, *i.names[0]) for i in facts.imports} == {
        ("$crate", "a", "a"),
        ("$crate.a", "b", "c"),
        ("$crate.a.d", "e", "e"),
        ("$crate.a.d.f", "*", ""),
        ("$super", "x", "x"),
        ("$self.foo", "*", "foo"),
        ("$self", "*", ""),
        ("$super", "y", "y"),
    }


def test_calls_are_canonical_and_read_inside_of_macros() -> None:
    facts = read("""
        fn f() {
            load(); a::b::c(); Foo::<i32>::make()?.go().await; self.x.y(); Self::other(); crate::z();
            assert_eq!(total(1), cart.sum(vec![g(2)]));
        }
    """)
    assert {call.callee for call in facts.calls} == {
        "load", "a.b.c", "Foo.make", "Foo.make().go", "this.x.y", "this.other", "$crate.z",
        "assert_eq", "total", "cart.sum", "g",
    }  # fmt: skip


def test_modules_and_uses_lead_to_files(shop: Graph) -> None:
    assert edges(shop, "imports") == {
        ("src/lib.rs", "src/cart/mod.rs"),
        ("src/lib.rs", "src/prices.rs"),
        ("src/cart/mod.rs", "src/cart/store.rs"),
        ("src/cart/mod.rs", "src/prices.rs"),
        ("tests/all.rs", "src/cart/mod.rs"),
        ("tests/all.rs", "src/lib.rs"),
    }
    assert shop.modules["src/cart/mod.rs"].externals == ("serde", "std")
    assert shop.modules["src/cart/store.rs"].name == "my_shop::cart::store"


def test_calls_are_followed_through_fields_traits_and_modules(shop: Graph) -> None:
    assert edges(shop, "calls") >= {
        ("src/lib.rs::total", "src/cart/mod.rs::Cart.total"),
        ("src/lib.rs::total", "src/prices.rs::of"),
        ("src/cart/mod.rs::Cart.new", "src/cart/store.rs::Store.open"),
        ("src/cart/mod.rs::Cart.helper", "src/lib.rs::total"),
        ("src/cart/mod.rs::Cart.total", "src/cart/mod.rs::Cart.helper"),
        ("src/cart/mod.rs::Cart.total", "src/cart/store.rs::Store.get"),
        ("src/cart/mod.rs::Cart.total", "src/prices.rs::of"),
        ("src/cart/mod.rs::Cart.total", "src/prices.rs::Rule.apply"),
        ("src/prices.rs::Rule.apply", "src/prices.rs::of"),
    }
    assert edges(shop, "implements") == {("src/cart/mod.rs::Cart", "src/cart/mod.rs::Priced")}
    assert {module.calls.unresolved for module in shop.modules.values()} == {0}


def test_tests_beside_the_code_and_in_files_of_their_own_cover_it(shop: Graph) -> None:
    found = {reached.id for reached in covering_tests(shop, "src/prices.rs::of")}
    assert found == {"src/cart/mod.rs::tests.adds", "tests/all.rs::whole"}
    callers = {reached.id for reached in impact_of(shop, ["src/prices.rs::of"]).callers}
    assert "src/cart/mod.rs::tests.adds" not in callers


def test_crates_of_a_workspace_see_each_other(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        {
            "a/Cargo.toml": "[package]\nname = 'a'\n[dependencies]\nb-core = {path = '../b'}\n",
            "a/src/main.rs": "use b_core::deep::help;\nfn main() { help(); b_core::top(); }\n",
            "b/Cargo.toml": "[package]\nname = 'b-core'\n",
            "b/src/lib.rs": "pub mod deep;\npub fn top() {}\n",
            "b/src/deep.rs": "pub fn help() { super::top() }\n",
        },
    )
    assert edges(found, "calls") == {
        ("a/src/main.rs::main", "b/src/deep.rs::help"),
        ("a/src/main.rs::main", "b/src/lib.rs::top"),
        ("b/src/deep.rs::help", "b/src/lib.rs::top"),
    }
