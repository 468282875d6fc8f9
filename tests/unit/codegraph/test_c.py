"""C and C++: what one file says, where includes lead, and what the linker joins."""

from pathlib import Path
from textwrap import dedent

import pytest
from codegraph_trees import edges, graph, index, put

from handrail.codegraph.facts import Ancestor, Definition, FileFacts
from handrail.codegraph.graph import Graph
from handrail.codegraph.impact import covering_tests
from handrail.codegraph.reading import facts_of

LIST = {
    "src/list.h": """
        #define MOST 10
        #include <stddef.h>
        typedef struct node { struct node *next; int value; } node_t;
        typedef struct { node_t *head; int (*compare)(int, int); } list_t;
        enum color { RED, GREEN };
        int list_add(list_t *list, int value);
    """,
    "src/list.c": """
        #include "list.h"
        #include <stdlib.h>
        static node_t *make(int value) { return malloc(sizeof(node_t)); }
        int counter = 0;
        /* Adds a value. */
        int list_add(list_t *list, int value) { list->head = make(value); return value > 1 && counter ? 1 : 0; }
    """,
    "src/main.c": '#include "list.h"\nint main(void) { list_t l; return list_add(&l, 1); }\n',
    "tests/test_list.c": '#include "../src/list.h"\nvoid test_add(void) { list_t l; assert(list_add(&l, 2)); }\n',
}
SHOP = {
    "include/shop/cart.hpp": """
        #pragma once
        #include <memory>
        #include "shop/store.hpp"
        namespace acme::shop {
        class Priced { public: virtual int total() const = 0; };
        // A cart.
        class Cart : public Priced {
         public:
          explicit Cart(int n);
          int total() const override;
          static Cart make() { return Cart(1); }
         private:
          int helper(int n);
          std::unique_ptr<Store> store_;
        };
        template <class T> T twice(T t) { return t + t; }
        int free_one(const Cart& cart);
        }
    """,
    "include/shop/store.hpp": "namespace acme::shop { struct Store { int get(int n) { return n; } }; }\n",
    "src/cart.cpp": """
        #include "shop/cart.hpp"
        namespace acme::shop {
        Cart::Cart(int n) {}
        int Cart::total() const { auto x = store_->get(1); return this->helper(x) + twice(2); }
        int Cart::helper(int n) { Store s; return s.get(n); }
        int free_one(const Cart& cart) { return cart.total(); }
        }
    """,
    "app/main.cc": """
        #include <shop/cart.hpp>
        int main() {
          acme::shop::Cart c = acme::shop::Cart::make();
          auto p = new acme::shop::Cart(2);
          return c.total() + acme::shop::free_one(c) + p->total();
        }
    """,
    "tests/cart_test.cc": """
        #include "shop/cart.hpp"
        TEST(CartTest, Adds) { acme::shop::Cart c(1); EXPECT_EQ(c.total(), 3); }
    """,
}


def read(text: str, path: str) -> FileFacts:
    return facts_of(path, dedent(text).encode())


def one(facts: FileFacts, qualname: str) -> Definition:
    return next(d for d in facts.definitions if d.qualname == qualname)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    return graph(tmp_path_factory.mktemp("shop"), SHOP)


def test_definitions_of_c() -> None:
    facts = read(LIST["src/list.h"] + LIST["src/list.c"], "src/list.c")
    assert {d.qualname: d.kind for d in facts.definitions} == {
        "MOST": "constant",
        "node": "struct",
        "list_t": "struct",
        "color": "enum",
        "make": "function",
        "list_add": "function",
        "node.next": "field",
        "node.value": "field",
        "list_t.head": "field",
        "list_t.compare": "field",
        "color.RED": "constant",
        "color.GREEN": "constant",
        "counter": "variable",
    }
    add = one(facts, "list_add")
    assert (add.doc, add.complexity, add.visibility) == ("Adds a value.", 3, "public")
    assert [(p.name, p.type) for p in add.parameters] == [("list", "list_t"), ("value", "")]
    assert one(facts, "make").visibility == "private"


def test_definitions_of_cpp() -> None:
    facts = read(SHOP["include/shop/cart.hpp"], "include/shop/cart.hpp")
    assert {d.qualname: d.kind for d in facts.definitions} == {
        "Priced": "class",
        "Priced.total": "method",
        "Cart": "class",
        "Cart.constructor": "constructor",
        "Cart.total": "method",
        "Cart.make": "method",
        "Cart.helper": "method",
        "twice": "function",
        "Cart.store_": "field",
    }
    cart = one(facts, "Cart")
    assert (cart.doc, cart.ancestors) == ("A cart.", (Ancestor("extends", "Priced"),))
    assert one(facts, "Cart.make").return_type == "Cart"
    assert [(v.name, v.type) for v in facts.variables] == [("store_", "Store")]


def test_includes_and_linked_functions_of_c(tmp_path: Path) -> None:
    found = graph(tmp_path, LIST)
    assert edges(found, "imports") == {
        ("src/list.c", "src/list.h"),
        ("src/main.c", "src/list.h"),
        ("tests/test_list.c", "src/list.h"),
    }
    assert edges(found, "calls") == {
        ("src/list.c::list_add", "src/list.c::make"),
        ("src/main.c::main", "src/list.c::list_add"),
        ("tests/test_list.c::test_add", "src/list.c::list_add"),
    }
    assert [r.id for r in covering_tests(found, "src/list.c::make")] == ["tests/test_list.c::test_add"]
    assert found.modules["src/list.c"].externals == ("stdlib.h",)
    assert found.modules["src/list.h"].language == "c"


def test_includes_of_cpp_are_found_by_the_end_of_their_path(shop: Graph) -> None:
    assert edges(shop, "imports") == {
        ("include/shop/cart.hpp", "include/shop/store.hpp"),
        ("src/cart.cpp", "include/shop/cart.hpp"),
        ("app/main.cc", "include/shop/cart.hpp"),
        ("tests/cart_test.cc", "include/shop/cart.hpp"),
    }


def test_a_declared_method_leads_to_its_definition(shop: Graph) -> None:
    assert edges(shop, "calls") >= {
        ("include/shop/cart.hpp::Cart.total", "src/cart.cpp::Cart.total"),
        ("include/shop/cart.hpp::Cart.constructor", "src/cart.cpp::Cart.constructor"),
        ("src/cart.cpp::Cart.total", "include/shop/store.hpp::Store.get"),
        ("src/cart.cpp::Cart.total", "include/shop/cart.hpp::Cart.helper"),
        ("src/cart.cpp::Cart.total", "include/shop/cart.hpp::twice"),
        ("src/cart.cpp::free_one", "include/shop/cart.hpp::Cart.total"),
        ("app/main.cc::main", "include/shop/cart.hpp::Cart.make"),
        ("app/main.cc::main", "include/shop/cart.hpp::Cart.total"),
        ("app/main.cc::main", "src/cart.cpp::free_one"),
    }
    assert edges(shop, "extends") == {("include/shop/cart.hpp::Cart", "include/shop/cart.hpp::Priced")}


def test_a_test_covers_what_is_defined_apart_from_its_class(shop: Graph) -> None:
    found = [reached.id for reached in covering_tests(shop, "src/cart.cpp::Cart.helper")]
    assert found == ["tests/cart_test.cc::CartTest.Adds"]


def test_a_static_function_is_nobody_else_s(tmp_path: Path) -> None:
    files = {"a.c": "static int f(void) { return 1; }\n", "b.c": "int g(void) { return f(); }\n"}
    assert edges(graph(tmp_path, files), "calls") == set()


def test_of_two_functions_of_one_name_the_nearest_is_meant_and_a_tie_is_none(tmp_path: Path) -> None:
    files = {
        "x/a.c": "int f(void) { return 1; }\n",
        "y/a.c": "int f(void) { return 2; }\n",
        "x/b.c": "int g(void) { return f(); }\n",
        "c.c": "int h(void) { return f(); }\n",
    }
    assert edges(graph(tmp_path, files), "calls") == {("x/b.c::g", "x/a.c::f")}


def test_a_header_of_the_system_is_not_one_of_the_repository(tmp_path: Path) -> None:
    found = graph(tmp_path, {"string.h": "int f(void);\n", "a.c": "#include <string.h>\n"})
    assert edges(found, "imports") == set()
    assert found.modules["a.c"].externals == ("string.h",)


def test_a_function_that_appears_elsewhere_is_found_on_update(tmp_path: Path) -> None:
    made = index(tmp_path, {"a.c": "int g(void) { return f(); }\n", "b.c": "int x;\n"})
    put(tmp_path, {"b.c": "int f(void) { return 1; }\n"})
    made.update(["b.c"])
    assert edges(made.graph, "calls") == {("a.c::g", "b.c::f")}
