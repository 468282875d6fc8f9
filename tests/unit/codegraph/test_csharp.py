"""C#: what one file says, where its names lead, what it serves and stores."""

from pathlib import Path
from textwrap import dedent

from codegraph_trees import edges, graph, served

from handrail.codegraph.facts import Ancestor, Definition, FileFacts
from handrail.codegraph.reading import facts_of


def read(text: str) -> FileFacts:
    return facts_of("Shop.cs", dedent(text).encode())


def one(facts: FileFacts, qualname: str) -> Definition:
    return next(d for d in facts.definitions if d.qualname == qualname)


def test_definitions_of_every_kind() -> None:
    facts = read("""
        namespace Acme.Shop;
        /// <summary>
        /// Sells things.
        /// </summary>
        [Serializable]
        public partial class Shop<T>(IClock clock) : Base<T>(1), IOpen, Ns.Closed where T : class
        {
            private const string Path = "/p";
            private readonly Till _till, _other;
            public int Total => _till.Sum();
            public Shop(Till till) : base(till) { _till = till; }
            [Obsolete("x"), Hot] protected async Task<Receipt?> Sell(Item item, int price = 1)
            {
                int Inner(int a) { return a; }
                return item is null || price > 0 ? Inner(1) : _till ?? null;
            }
        }
        public record Point(int X, Item Item) : IShape;
        struct Pair { }
        interface IOpen : IDoor { void Open(); int Count { get; } }
        enum Colour { Red, Green = 2 }
    """)
    assert {d.qualname: d.kind for d in facts.definitions} == {
        "Shop": "class",
        "Shop.Total": "property",
        "Shop.constructor": "constructor",
        "Shop.Sell": "method",
        "Shop.Sell.Inner": "function",
        "Point": "record",
        "Pair": "struct",
        "IOpen": "interface",
        "IOpen.Open": "method",
        "IOpen.Count": "property",
        "Colour": "enum",
        "Shop.Path": "constant",
        "Shop._till": "field",
        "Shop._other": "field",
        "Colour.Red": "constant",
        "Colour.Green": "constant",
    }
    shop, sell = one(facts, "Shop"), one(facts, "Shop.Sell")
    assert (facts.package, shop.doc, shop.visibility) == ("Acme.Shop", "Sells things.", "public")
    assert shop.ancestors == (
        Ancestor("extends", "Base"),
        Ancestor("implements", "IOpen"),
        Ancestor("extends", "Ns.Closed"),
    )
    assert (sell.return_type, sell.is_async, sell.visibility, sell.complexity) == ("Receipt", True, "protected", 4)
    assert sell.decorators == ('Obsolete("x")', "Hot")
    assert [(p.name, p.type) for p in sell.parameters] == [("item", "Item"), ("price", "")]
    assert (one(facts, "IOpen.Open").visibility, one(facts, "Pair").visibility) == ("public", "internal")


def test_calls_are_canonical() -> None:
    facts = read("""
        class A
        {
            void F()
            {
                Load(); a.B.C(); new Foo<int>(1).Go(); base.Close(); this.x.Y(); ((Bar)z).Run(); q?.Save();
                (await Make()).List<Order>(); "x".Trim(); nameof(x); Generic<int>(); Foo z = new();
            }
        }
    """)
    assert {call.callee for call in facts.calls} == {
        "Load", "a.B.C", "Foo", "Foo().Go", "super.Close", "this.x.Y", "Bar().Run", "q.Save", "Make", "Make().List",
        "String().Trim", "Generic",
    }  # fmt: skip


def test_names_lead_through_namespaces_and_usings(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        {
            "App/App.csproj": "<Project/>",
            "App/Usings.cs": "global using Acme.Wood;\n",
            "App/Shop.cs": """
                using Acme.Tools;
                using static Acme.Tools.Maths;
                using Box = Acme.Tools.Crate;
                namespace Acme.App
                {
                    public class Shop : Till, ISell
                    {
                        private readonly Saw _saw;
                        public Plank Plank { get; set; }
                        void A() { _saw.Cut(); Sum(1); Helper(); Inherited(); Box.Open(); }
                        void B(Plank plank) { Acme.Tools.Saw.Sharpen(); plank.Bend(); Plank.Bend(); new Root().Go(); }
                        void Helper() { }
                    }
                }
            """,
            "App/Till.cs": "namespace Acme.App;\npublic class Till { protected void Inherited() { } }\n",
            "App/ISell.cs": "namespace Acme.App;\npublic interface ISell { }\n",
            "App/Root.cs": "namespace Acme;\npublic class Root { public void Go() { } }\n",
            "App/Unused.cs": "namespace Acme.App;\npublic class Unused { }\n",
            "Lib/Saw.cs": """
                namespace Acme.Tools;
                public class Saw { public void Cut() { } public static void Sharpen() { } }
                public static class Maths { public static int Sum(int a) => a; }
                public class Crate { public static void Open() { } }
            """,
            "Lib/Plank.cs": "namespace Acme { namespace Wood { public class Plank { public void Bend() { } } } }\n",
        },
    )
    calls = {(s.rpartition(".")[2], t.partition("/")[2]) for s, t in edges(found, "calls")}
    assert calls == {
        ("A", "Saw.cs::Saw.Cut"),
        ("A", "Saw.cs::Maths.Sum"),
        ("A", "Shop.cs::Shop.Helper"),
        ("A", "Till.cs::Till.Inherited"),
        ("A", "Saw.cs::Crate.Open"),
        ("B", "Saw.cs::Saw.Sharpen"),
        ("B", "Plank.cs::Plank.Bend"),
        ("B", "Root.cs::Root"),
        ("B", "Root.cs::Root.Go"),
    }
    assert {t for s, t in edges(found, "imports") if s == "App/Shop.cs"} == {
        "App/Till.cs",
        "App/ISell.cs",
        "App/Root.cs",
        "Lib/Saw.cs",
        "Lib/Plank.cs",
    }
    assert edges(found, "implements") == {("App/Shop.cs::Shop", "App/ISell.cs::ISell")}
    assert edges(found, "extends") == {("App/Shop.cs::Shop", "App/Till.cs::Till")}


def test_controllers_join_templates_and_tokens(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        {
            "OrdersController.cs": """
                [ApiController]
                [Route("api/[controller]")]
                [Route("v2/orders")]
                public class OrdersController : ControllerBase
                {
                    private const string One = "{id:int}";
                    [HttpGet] public void List() { }
                    [HttpGet(One)] public void Show(int id) { }
                    [HttpPut("[action]")] public void Rename() { }
                    [HttpPost, Route("import")] public void Import() { }
                    [HttpDelete("/purge")] public void Purge() { }
                    [AcceptVerbs("GET", "HEAD")] [Route("~/ping")] public void Ping() { }
                    public void Helper() { }
                }
            """,
            "HomeController.cs": """
                [Area("shop"), Route("[area]/home")]
                public class HomeController : Controller { [HttpGet("", Name = "home")] public void Index() { } }
                [Route("[controller]/[action]")]
                public class Jobs : Controller { [HttpPost("{id}")] public void Run() { } }
            """,
        },
    )
    file, home = "OrdersController.cs::OrdersController", "HomeController.cs::HomeController"
    expected: set[tuple[str, str, str | None]] = {
        ("DELETE", "/purge", f"{file}.Purge"),
        ("GET", "/ping", f"{file}.Ping"),
        ("HEAD", "/ping", f"{file}.Ping"),
        ("GET", "/shop/home", f"{home}.Index"),
        ("POST", "/Jobs/Run/{id}", "HomeController.cs::Jobs.Run"),
    }
    for prefix in ("/api/Orders", "/v2/orders"):
        expected |= {
            ("GET", prefix, f"{file}.List"),
            ("GET", f"{prefix}/{{id:int}}", f"{file}.Show"),
            ("PUT", f"{prefix}/Rename", f"{file}.Rename"),
            ("POST", f"{prefix}/import", f"{file}.Import"),
        }
    assert served(found) == expected
    assert {e.framework for e in found.endpoints.values()} == {"aspnet"}


def test_minimal_apis_join_groups_and_extension_methods(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        {
            "Program.cs": """
                var builder = WebApplication.CreateBuilder(args);
                var app = builder.Build();
                app.MapGet("/", () => "hello");
                var api = app.MapGroup("/api").WithTags("api");
                api.MapPost("/orders/{id}", Orders.Create).RequireAuthorization();
                api.MapGroup("/deep").MapGroup("er").MapDelete("x", Orders.Create);
                api.MapMethods("/both", new[] { "GET", "PUT" }, Orders.Create);
                api.MapCarts();
                app.Run();
            """,
            "Orders.cs": "public static class Orders { public static void Create(int id) { } }\n",
            "Carts.cs": """
                public static class Carts
                {
                    public static void MapCarts(this IEndpointRouteBuilder routes)
                    {
                        var group = routes.MapGroup("carts");
                        group.MapGet("{id}", (int id) => Find(id));
                        routes.MapPut("late", Find);
                    }
                    static void Find(int id) { }
                }
            """,
        },
    )
    create = "Orders.cs::Orders.Create"
    assert served(found) == {
        ("GET", "/", "Program.cs::GET /"),
        ("POST", "/api/orders/{id}", create),
        ("DELETE", "/api/deep/er/x", create),
        ("GET", "/api/both", create),
        ("PUT", "/api/both", create),
        ("GET", "/api/carts/{id}", "Carts.cs::Carts.MapCarts.GET {id}"),
        ("PUT", "/api/late", "Carts.cs::Carts.Find"),
    }


def test_entity_framework_and_sql_lead_to_entities_and_tables(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        {
            "Order.cs": "namespace Shop;\npublic class Order { }\n",
            "ShopContext.cs": """
                namespace Shop;
                public class ShopContext : DbContext { public DbSet<Order> Orders { get; set; } }
            """,
            "Orders.cs": """
                namespace Shop;
                public class Orders
                {
                    private readonly ShopContext _db;
                    void A() { _db.Orders.Where(o => o.Id == 1); }
                    void B() { _db.Set<Order>().Add(x); }
                    void C() { connection.QueryAsync<Order>("SELECT * FROM invoices"); }
                    void D() { _db.Missing.Find(1); }
                }
            """,
        },
    )
    assert edges(found, "uses-db") == {
        ("ShopContext.cs::ShopContext.Orders", "Order.cs::Order"),
        ("Orders.cs::Orders.A", "Order.cs::Order"),
        ("Orders.cs::Orders.B", "Order.cs::Order"),
        ("Orders.cs::Orders.C", "table:invoices"),
        ("Orders.cs::Orders.D", "table:missing"),
    }


def test_xunit_and_nunit_tests_lead_to_what_they_run(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        {
            "Shop/Cart.cs": "namespace Shop;\npublic class Cart { public void Add() { } }\n",
            "Shop.Tests/CartTests.cs": """
                using Xunit;
                namespace Shop.Tests;
                public class CartTests
                {
                    [Fact] public void Adds() { var cart = new Cart(); cart.Add(); }
                    [Test] void Other() { }
                }
            """,
        },
    )
    test, cart = "Shop.Tests/CartTests.cs", "Shop/Cart.cs"
    assert edges(found, "tests") == {
        (test, cart),
        (f"{test}::CartTests.Adds", f"{cart}::Cart"),
        (f"{test}::CartTests.Adds", f"{cart}::Cart.Add"),
    }
    assert found.symbols[f"{test}::CartTests.Other"].tags == ("test",)
