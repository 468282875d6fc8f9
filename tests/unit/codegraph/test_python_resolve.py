"""Python imports and calls across files."""

from pathlib import Path

from codegraph_trees import edges, graph


def test_imports_lead_to_the_most_specific_module(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        {
            "shop/__init__.py": "",
            "shop/cart.py": "import shop.prices\nfrom shop import stock\nfrom .prices import total\n",
            "shop/prices.py": "def total(): ...\n",
            "shop/stock/__init__.py": "from ..prices import *\nfrom . import shelf\n",
            "shop/stock/shelf.py": "import json\n",
        },
    )
    assert edges(found, "imports") == {
        ("shop/cart.py", "shop/prices.py"),
        ("shop/cart.py", "shop/stock/__init__.py"),
        ("shop/stock/__init__.py", "shop/prices.py"),
        ("shop/stock/__init__.py", "shop/stock/shelf.py"),
    }
    assert found.modules["shop/stock/shelf.py"].externals == ("json",)
    assert found.modules["shop/stock/__init__.py"].name == "shop.stock"


def test_src_layouts_namespace_packages_and_scripts(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        {
            "src/acme/billing/__init__.py": "",
            "src/acme/billing/api.py": "from acme.billing import core\n",
            "src/acme/billing/core.py": "",
            "src/acme/loose.py": "import acme.billing.core\n",
            "tests/test_api.py": "from acme.billing.api import core\n",
            "scripts/run.py": "import helper\n",
            "scripts/helper.py": "",
        },
    )
    assert edges(found, "imports") == {
        ("src/acme/billing/api.py", "src/acme/billing/core.py"),
        ("src/acme/loose.py", "src/acme/billing/core.py"),
        ("tests/test_api.py", "src/acme/billing/api.py"),
        ("scripts/run.py", "scripts/helper.py"),
    }


def test_a_module_named_like_the_standard_library_does_not_catch_its_imports(tmp_path: Path) -> None:
    found = graph(tmp_path, {"app/__init__.py": "", "app/logging.py": "", "app/main.py": "import logging\n"})
    assert edges(found, "imports") == set()
    assert found.modules["app/main.py"].externals == ("logging",)


def test_equal_package_names_stay_in_their_own_service(tmp_path: Path) -> None:
    service = {"app/__init__.py": "", "app/db.py": "", "app/main.py": "from app import db\n"}
    found = graph(tmp_path, {f"{name}/{path}": text for name in ("one", "two") for path, text in service.items()})
    assert edges(found, "imports") == {("one/app/main.py", "one/app/db.py"), ("two/app/main.py", "two/app/db.py")}


def test_a_root_that_is_itself_a_package(tmp_path: Path) -> None:
    files = {"__init__.py": "", "a.py": "from kit.b import x\n", "b.py": "import mypy, a\n", "mypy.py": "import mypy\n"}
    found = graph(tmp_path / "kit", files)
    assert edges(found, "imports") == {("a.py", "b.py")}
    assert found.modules["a.py"].name == "kit.a"


def test_calls_through_imports_aliases_and_reexports(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        {
            "lib/__init__.py": "from .impl import work as labour\n",
            "lib/impl.py": "def work(): ...\n",
            "main.py": """
                import lib
                import lib.impl as engine
                from lib import labour
                from lib.impl import *
                def a(): labour()
                def b(): lib.labour()
                def c(): engine.work()
                def d(): work()
            """,
        },
    )
    assert edges(found, "calls") == {(f"main.py::{name}", "lib/impl.py::work") for name in "abcd"}


def test_methods_through_self_annotations_attributes_and_bases(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        {
            "store.py": """
                class Root:
                    def save(self): ...
                class Store(Root):
                    def get(self) -> "Store": ...
            """,
            "app.py": """
                import store
                from store import Store
                class App:
                    def __init__(self, given: Store | None):
                        self.given = given
                        self.made = store.Store()
                    def own(self): self.helper()
                    def helper(self): self.given.get()
                    def inherited(self): self.made.save()
                def annotated(s: Store): s.get()
                def assigned():
                    s = Store()
                    s.get()
                def chained(s: Store): s.get().save()
            """,
        },
    )
    assert edges(found, "calls") == {
        ("app.py::App.__init__", "store.py::Store"),
        ("app.py::App.own", "app.py::App.helper"),
        ("app.py::App.helper", "store.py::Store.get"),
        ("app.py::App.inherited", "store.py::Root.save"),
        ("app.py::annotated", "store.py::Store.get"),
        ("app.py::assigned", "store.py::Store"),
        ("app.py::assigned", "store.py::Store.get"),
        ("app.py::chained", "store.py::Store.get"),
        ("app.py::chained", "store.py::Root.save"),
    }
    assert edges(found, "extends") == {("store.py::Store", "store.py::Root")}


def test_super_reaches_every_base(tmp_path: Path) -> None:
    source = """
        class A: ...
        class B:
            def go(self): ...
        class C(A, B):
            def go(self): super().go()
    """
    found = graph(tmp_path, {"m.py": source})
    assert edges(found, "calls") == {("m.py::C.go", "m.py::B.go")}


def test_what_is_not_decided_is_said_to_be_unresolved(tmp_path: Path) -> None:
    source = """
        import json
        def f(thing, other):
            thing.start_engine()
            other.get()
            json.dumps(1)
            "a".join([])
            len(thing)
        class Car:
            def start_engine(self): ...
    """
    found = graph(tmp_path, {"m.py": source})
    calls = {call.callee: call for call in found.calls_of("m.py")}
    assert (calls["thing.start_engine"].target, calls["thing.start_engine"].confidence) == (
        "m.py::Car.start_engine",
        0.4,
    )
    assert (calls["other.get"].target, calls["other.get"].external) == (None, None)
    assert calls["json.dumps"].external == "json.dumps"
    assert calls["str().join"].external == "str().join"
    counts = found.modules["m.py"].calls
    assert (counts.resolved, counts.external, counts.unresolved) == (1, 3, 1)


def test_names_that_lead_in_circles_end(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        {
            "a.py": "from b import x\nfrom b import *\nx()\ny = z\nz = y\ny.go()\n",
            "b.py": "from a import x\nfrom a import *\n",
            "c.py": "class A(B): ...\nclass B(A):\n    def f(self): self.g()\n",
        },
    )
    assert edges(found, "calls") == set()


def test_database_use_reaches_the_entity(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        {
            "models.py": """
                from django.db import models
                class Stamped(models.Model): ...
                class User(Stamped): ...
            """,
            "views.py": """
                from models import User
                def index(request): return User.objects.all()
                def raw(cursor): cursor.execute("DELETE FROM sessions")
            """,
        },
    )
    assert edges(found, "uses-db") == {
        ("views.py::index", "models.py::User"),
        ("views.py::raw", "table:sessions"),
    }
    assert "entity" in found.symbols["models.py::User"].tags
    assert found.modules["models.py"].kind == "entity"


def test_tests_point_at_what_they_call(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        {
            "calc.py": "def add(a, b): return a + b\n",
            "tests/test_calc.py": "from calc import add\ndef test_add():\n    assert add(1, 2) == 3\n",
        },
    )
    assert edges(found, "tests") == {
        ("tests/test_calc.py::test_add", "calc.py::add"),
        ("tests/test_calc.py", "calc.py"),
    }


def test_whoever_calls_what_is_decorated_goes_through_the_decorator(tmp_path: Path) -> None:
    found = graph(
        tmp_path,
        {
            "guards.py": """
                def audited(function):
                    def wrapper(*args):
                        record()
                        return function(*args)
                    return wrapper

                def limited(times):
                    def outer(function):
                        return function
                    return outer

                def record(): ...
            """,
            "app.py": """
                from guards import audited, limited

                @audited
                def pay(): ...

                class Cart:
                    @limited(3)
                    def buy(self): pay()

                    @staticmethod
                    def free(): ...
            """,
        },
    )
    calls = edges(found, "calls")
    assert {
        ("app.py::pay", "guards.py::audited"),
        ("guards.py::audited", "guards.py::audited.wrapper"),
        ("guards.py::audited.wrapper", "guards.py::record"),
        ("app.py::Cart.buy", "guards.py::limited"),
        ("guards.py::limited", "guards.py::limited.outer"),
    } <= calls
    assert not {target for source, target in calls if source == "app.py::Cart.free"}
