"""Java: what one file says, where its names lead, what it serves and stores."""

from pathlib import Path
from textwrap import dedent

from codegraph_trees import edges, graph, served

from handrail.codegraph.facts import Ancestor, Definition, FileFacts
from handrail.codegraph.reading import facts_of


def read(text: str) -> FileFacts:
    return facts_of("src/main/java/com/acme/Shop.java", dedent(text).encode())


def one(facts: FileFacts, qualname: str) -> Definition:
    return next(d for d in facts.definitions if d.qualname == qualname)


def test_definitions_of_every_kind() -> None:
    facts = read("""
        package com.acme;
        /**
         * Sells things.
         */
        @Service
        public abstract class Shop<T extends Item> extends Base<T> implements Open, ns.Closed {
            private static final String PATH = "/p";
            protected int a, b;
            public Shop(Till till) { this.till = till; }
            @Override protected Optional<Receipt> sell(final Item item, int... prices) throws Sold {
                return item != null && a > 0 ? one() : two();
            }
            abstract void close();
            enum Colour { RED, GREEN }
            record Point(int x, Item item) implements Shape { int sum() { return x; } }
            interface Door extends Wood { void open(); }
            @interface Mark { String value(); }
        }
    """)
    assert {d.qualname: d.kind for d in facts.definitions} == {
        "Shop": "class",
        "Shop.constructor": "constructor",
        "Shop.sell": "method",
        "Shop.close": "method",
        "Shop.Colour": "enum",
        "Shop.Point": "record",
        "Shop.Point.sum": "method",
        "Shop.Door": "interface",
        "Shop.Door.open": "method",
        "Shop.Mark": "interface",
        "Shop.PATH": "constant",
        "Shop.a": "field",
        "Shop.b": "field",
        "Shop.Colour.RED": "constant",
        "Shop.Colour.GREEN": "constant",
    }
    shop, sell = one(facts, "Shop"), one(facts, "Shop.sell")
    assert facts.package == "com.acme"
    assert shop.ancestors == (
        Ancestor("extends", "Base"),
        Ancestor("implements", "Open"),
        Ancestor("implements", "ns.Closed"),
    )
    assert (shop.doc, shop.tags, shop.visibility) == ("Sells things.", ("service",), "public")
    assert (sell.return_type, sell.visibility, sell.decorators, sell.complexity) == (
        "Receipt",
        "protected",
        ("Override",),
        3,
    )
    assert [(p.name, p.type) for p in sell.parameters] == [("item", "Item"), ("prices", "")]
    assert (one(facts, "Shop.close").visibility, one(facts, "Shop.Door.open").visibility) == ("internal", "public")


def test_calls_are_canonical() -> None:
    facts = read("""
        class A {
            void f() {
                load(); a.b.c(); new Foo<>(1).go(); super.close(); this.x.y(); ((Bar) z).run();
                list.stream().map(User::name).map(Item::new); "x".trim(); rows[0].close();
            }
        }
    """)
    assert {call.callee for call in facts.calls} == {
        "load", "a.b.c", "Foo", "Foo().go", "super.close", "this.x.y", "Bar().run", "list.stream",
        "list.stream().map", "list.stream().map().map", "User.name", "Item", "String().trim", "rows[].close",
    }  # fmt: skip


def test_names_lead_through_packages_and_static_imports(tmp_path: Path) -> None:
    root = "src/main/java/com/acme"
    found = graph(
        tmp_path,
        {
            "pom.xml": "<project/>",
            f"{root}/Shop.java": """
                package com.acme;
                import com.acme.tools.Saw;
                import com.acme.wood.*;
                import static com.acme.tools.Maths.sum;
                import static com.acme.tools.Names.*;
                import com.acme.tools.Box.Lid;
                import java.util.List;
                class Shop extends Till {
                    private final Saw saw;
                    private Plank plank;
                    void a() { saw.cut(); sum(1); first(); helper(); inherited(); }
                    void b() { com.acme.tools.Saw.sharpen(); new Lid().shut(); var x = new Plank(); x.bend(); }
                    void c(List<Plank> planks) { for (Plank p : planks) p.bend(); planks.size(); }
                    void helper() {}
                }
            """,
            f"{root}/Till.java": "package com.acme;\nclass Till { void inherited() {} }\n",
            f"{root}/Unused.java": "package com.acme;\nclass Unused {}\n",
            f"{root}/Typed.java": "package com.acme;\nclass Typed { Till till; }\n",
            f"{root}/tools/Saw.java": """
                package com.acme.tools;
                public class Saw { public void cut() {} public static void sharpen() {} }
            """,
            f"{root}/tools/Maths.java": "package com.acme.tools;\npublic class Maths { static int sum(int a) {} }\n",
            f"{root}/tools/Names.java": "package com.acme.tools;\npublic class Names { static void first() {} }\n",
            f"{root}/tools/Box.java": """
                package com.acme.tools;
                public class Box { public static class Lid { public void shut() {} } }
            """,
            f"{root}/wood/Plank.java": "package com.acme.wood;\npublic class Plank { public void bend() {} }\n",
        },
    )
    shop = f"{root}/Shop.java"
    calls = {(s.rpartition(".")[2], t.rpartition("/")[2]) for s, t in edges(found, "calls") if s.startswith(shop)}
    assert calls == {
        ("a", "Saw.java::Saw.cut"),
        ("a", "Maths.java::Maths.sum"),
        ("a", "Names.java::Names.first"),
        ("a", "Shop.java::Shop.helper"),
        ("a", "Till.java::Till.inherited"),
        ("b", "Saw.java::Saw.sharpen"),
        ("b", "Box.java::Box.Lid"),
        ("b", "Box.java::Box.Lid.shut"),
        ("b", "Plank.java::Plank"),
        ("b", "Plank.java::Plank.bend"),
        ("c", "Plank.java::Plank.bend"),
    }
    imports = {t.rpartition("/")[2] for s, t in edges(found, "imports") if s == shop}
    assert imports == {"Saw.java", "Maths.java", "Names.java", "Box.java", "Plank.java", "Till.java"}
    assert (f"{root}/Typed.java", f"{root}/Till.java") in edges(found, "imports")
    assert edges(found, "extends") == {(f"{shop}::Shop", f"{root}/Till.java::Till")}
    assert found.modules[shop].name == "com.acme.Shop"
    assert found.modules[shop].externals == ("java.util",)


def test_equal_names_stay_in_their_own_build(tmp_path: Path) -> None:
    files: dict[str, str] = {}
    for build, manifest in (("one", "pom.xml"), ("two", "build.gradle.kts")):
        files[f"{build}/{manifest}"] = ""
        files[f"{build}/src/A.java"] = "package p;\nclass A { B b; }\n"
        files[f"{build}/src/B.java"] = "package p;\nclass B {}\n"
    assert edges(graph(tmp_path, files), "imports") == {
        ("one/src/A.java", "one/src/B.java"),
        ("two/src/A.java", "two/src/B.java"),
    }


def test_spring_mappings_are_joined(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        {
            "Paths.java": """
                package p;
                class Paths { static final String API = "/api"; static final String ONE = "/{id}"; }
            """,
            "Orders.java": """
                package p;
                @RestController
                @RequestMapping(value = {Paths.API + "/orders", "/v2/orders"}, produces = "application/json")
                class Orders {
                    private static final String LIST = "/all";
                    @GetMapping Mono<Order> root() {}
                    @GetMapping(LIST) Flux<Order> list() {}
                    @PostMapping(path = "/") void add() {}
                    @RequestMapping(value = Paths.ONE, method = {RequestMethod.PUT, RequestMethod.PATCH})
                    void change() {}
                    @RequestMapping("/any") void any() {}
                    void helper() {}
                }
            """,
            "Client.java": """
                package p;
                @FeignClient("x") @RequestMapping("/far") interface Client { @GetMapping("/a") void a(); }
            """,
            "Home.java": 'package p;\n@Controller\nclass Home { @DeleteMapping("gone") void gone() {} }\n',
        },
    )
    orders = {
        ("GET", "", "root"),
        ("GET", "/all", "list"),
        ("POST", "", "add"),
        ("PUT", "/{id}", "change"),
        ("PATCH", "/{id}", "change"),
        ("ANY", "/any", "any"),
    }
    expected: set[tuple[str, str, str | None]] = {("DELETE", "/gone", "Home.java::Home.gone")}
    for prefix in ("/api/orders", "/v2/orders"):
        expected |= {(method, prefix + path, f"Orders.java::Orders.{name}") for method, path, name in orders}
    assert served(found) == expected
    assert {e.framework for e in found.endpoints.values()} == {"spring"}


def test_jpa_and_sql_lead_to_entities_repositories_and_tables(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        {
            "User.java": "package p;\n@Entity\nclass User {}\n",
            "UserRepository.java": """
                package p;
                interface UserRepository extends JpaRepository<User, Long> { User findByName(String name); }
            """,
            "Users.java": """
                package p;
                class Users {
                    private final UserRepository users;
                    void a() { users.save(x); }
                    void b() { entityManager.find(User.class, 1); }
                    void c() { jdbcTemplate.query("SELECT * FROM invoices i " + "JOIN lines", mapper); }
                }
            """,
        },
    )
    assert edges(found, "uses-db") == {
        ("UserRepository.java::UserRepository", "User.java::User"),
        ("Users.java::Users.a", "UserRepository.java::UserRepository"),
        ("Users.java::Users.b", "User.java::User"),
        ("Users.java::Users.c", "table:invoices"),
        ("Users.java::Users.c", "table:lines"),
    }
    assert "entity" in found.modules["User.java"].tags
    assert "repository" in found.modules["UserRepository.java"].tags


def test_junit_tests_lead_to_what_they_run(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        {
            "src/main/java/p/Cart.java": "package p;\npublic class Cart { public void add() {} }\n",
            "src/test/java/p/CartTest.java": """
                package p;
                import org.junit.jupiter.api.Test;
                class CartTest { @Test void adds() { new Cart().add(); } }
            """,
        },
    )
    test, cart = "src/test/java/p/CartTest.java", "src/main/java/p/Cart.java"
    assert edges(found, "tests") == {
        (test, cart),
        (f"{test}::CartTest.adds", f"{cart}::Cart"),
        (f"{test}::CartTest.adds", f"{cart}::Cart.add"),
    }
    assert found.symbols[f"{test}::CartTest.adds"].tags == ("test",)
