"""Python source in, facts out."""

from textwrap import dedent

from handrail.codegraph import facts
from handrail.codegraph.facts import (
    Ancestor,
    CallSite,
    DatabaseUse,
    Definition,
    FileFacts,
    Import,
    Mount,
    Parameter,
    Route,
    Router,
    Variable,
)
from handrail.codegraph.reading import facts_of


def read(source: str) -> FileFacts:
    return facts_of("m.py", dedent(source).encode())


def definition(found: FileFacts, qualname: str) -> Definition:
    return next(d for d in found.definitions if d.qualname == qualname)


def test_a_function_with_everything() -> None:
    found = read('''
        @cached
        async def load(key: str, *rest: int, store: "Store | None" = None) -> Optional[Row]:
            """Fetch a row.

            More.
            """
            if key and rest:
                return None
    ''')
    load = definition(found, "load")
    assert (load.kind, load.is_async, load.visibility, load.decorators) == ("function", True, "public", ("cached",))
    assert (load.start_line, load.end_line, load.doc) == (2, 9, "Fetch a row.")
    assert (load.returns, load.return_type, load.complexity) == ("Optional[Row]", "Row", 3)
    assert load.signature == 'async def load(key: str, *rest: int, store: "Store | None" = None) -> Optional[Row]'
    assert load.parameters[2] == Parameter("store", '"Store | None"', "Store", "None")


def test_classes_their_members_and_bases() -> None:
    found = read("""
        class Repo(db.Base, Generic[T], metaclass=Meta):
            table: str = "x"
            def __init__(self): ...
            @property
            def size(self) -> int: ...
            def _hidden(self): ...
            class Inner: ...
        class Shape(Protocol): ...
    """)
    kinds = {d.qualname: d.kind for d in found.definitions}
    assert kinds == {
        "Repo": "class",
        "Repo.__init__": "constructor",
        "Repo.size": "property",
        "Repo._hidden": "method",
        "Repo.Inner": "class",
        "Shape": "class",
        "Repo.table": "field",
    }
    assert definition(found, "Repo").ancestors == (Ancestor("extends", "db.Base"),)
    assert definition(found, "Shape").ancestors == (Ancestor("implements", "Protocol"),)
    assert definition(found, "Repo._hidden").visibility == "protected"


def test_every_form_of_import() -> None:
    found = read("""
        import a.b
        import c.d as e
        from . import f
        from ..g import h as i, j
        from k import *
        def lazy():
            import z
    """)
    assert [(i.target, i.names, i.scope) for i in found.imports] == [
        ("a.b", (), -1),
        ("c.d", (("*", "e"),), -1),
        ("z", (), 0),
        (".", (("f", "f"),), -1),
        ("..g", (("h", "i"), ("j", "j")), -1),
        ("k", (("*", ""),), -1),
    ]


def test_calls_are_canonical_expressions_once_a_scope() -> None:
    found = read("""
        def f(self):
            self.store.get(1)
            self.store.get(2)
            make(x)(y).run()
            rows[0].close()
            super().f()
            (await client()).send()
            "text".join(a)
    """)
    assert {c.callee for c in found.calls} == {
        "this.store.get", "make", "make()", "make()().run", "rows[].close", "super.f", "client", "client().send",
        "str().join",
    }  # fmt: skip
    assert next(c for c in found.calls if c.callee == "this.store.get") == CallSite("this.store.get", 3, 0)


def test_what_variables_hold() -> None:
    found = read("""
        app = make()
        class A:
            repo: Repo
            def __init__(self, clock):
                self.clock = clock
                self.pool: Pool = None
                with open_it() as handle: ...
    """)
    assert set(found.variables) == {
        Variable(-1, "app", "", "make()"),
        Variable(0, "repo", "Repo", ""),
        Variable(1, "this.clock", "", "clock"),
        Variable(1, "this.pool", "Pool", ""),
        Variable(1, "handle", "", "open_it()"),
    }


def test_fastapi_routers_mounts_and_routes() -> None:
    found = read("""
        V1 = "/v1"
        app = FastAPI()
        router = APIRouter(prefix=V1 + "/users")
        @router.get("/{id}")
        def show(id): ...
        @app.api_route("/any", methods=["GET", "post"])
        def many(): ...
        app.include_router(router, prefix=f"/api{V1}")
        app.add_api_route("/late", many, methods=["PUT"])
    """)
    assert found.routers == (
        Router("app", -1, "", "fastapi", True),
        Router("router", -1, "/v1/users", "fastapi", False),
    )
    assert found.mounts == (Mount("app", "router", "/api/v1", -1, False),)
    assert [r[:5] for r in found.routes] == [
        ("router", ("GET",), "/{id}", "show", 0),
        ("app", ("GET", "POST"), "/any", "many", 1),
        ("app", ("PUT",), "/late", "many", -1),
    ]


def test_django_url_lists() -> None:
    found = read("""
        extra = [path("ping/", views.ping)]
        urlpatterns = [
            path("", views.Home.as_view(), name="home"),
            re_path(r"^old/(?P<n>[0-9]+)$", csrf_exempt(views.old)),
            path("shop/", include("shop.urls")),
            path("more/", include(extra)),
            path("in/", include([path("side/", views.side)])),
            path("admin/", admin.site.urls),
        ]
        urlpatterns += extra
    """)
    assert [(r.router, r.path, r.handler) for r in found.routes] == [
        ("extra", "ping/", "views.ping"),
        ("urlpatterns", "", "views.Home"),
        ("urlpatterns", "old/(?P<n>[0-9]+)", "views.old"),
        ("urlpatterns", "in/side/", "views.side"),
    ]
    assert [(m.child, m.prefix) for m in found.mounts] == [
        ("module:shop.urls#urlpatterns", "shop/"),
        ("extra", "more/"),
        ("extra", ""),
    ]


def test_database_use_by_entity_and_by_table() -> None:
    found = read("""
        def f(session, cursor):
            User.objects.filter(id=1)
            session.execute(select(models.Order))
            cursor.execute("SELECT * FROM accounts a JOIN users u ON u.id = a.id")
    """)
    assert set(found.database) == {
        DatabaseUse(0, "User", ""),
        DatabaseUse(0, "models.Order", ""),
        DatabaseUse(0, "", "accounts"),
        DatabaseUse(0, "", "users"),
    }


def test_exports_are_the_names_of_all() -> None:
    assert read('__all__ = ["a"]\n__all__ += ["b"]').exports == (("a", "a"), ("b", "b"))
    assert read("a = 1").exports == ()


def test_tests_and_fixtures_are_tagged() -> None:
    found = read("""
        class TestThings:
            def test_one(self): ...
        @pytest.fixture(scope="module")
        def store(): ...
    """)
    assert {d.qualname: d.tags for d in found.definitions} == {
        "TestThings": ("test",),
        "TestThings.test_one": ("test",),
        "store": ("fixture",),
    }


def test_a_broken_file_gives_what_can_be_read() -> None:
    found = read("""
        def whole(): return 1
        def broken(:
        import os
    """)
    assert found.has_errors
    assert definition(found, "whole").start_line == 2


def test_facts_survive_their_encoding() -> None:
    found = read("""
        import a as b
        app = Flask(__name__)
        class A(B):
            @app.route("/x")
            def f(self, x: int = 1) -> str:
                return User.objects.get(id=x)
    """)
    assert facts.decode(facts.encode(found)) == found
    assert isinstance(found.imports[0], Import)
    assert isinstance(found.routes[0], Route)
