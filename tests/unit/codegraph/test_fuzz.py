"""Mutated sources of every language never stop the index: each file is read, or named with a reason.

A language adds its sample to SAMPLES: a file that shows most of what its extractor reads.
"""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from handrail.codegraph.index import Options, build

SAMPLES: dict[str, str] = {
    "app.py": '''
import os, a.b as c
from . import models
from .models import *
from fastapi import APIRouter, FastAPI
__all__ = ["User", "app"]
PREFIX = "/v1" + f"{c}"
app = FastAPI()
router: APIRouter = APIRouter(prefix=PREFIX)
urlpatterns = [path("x/", include("b.urls")), re_path(r"^y$", models.View.as_view())]
class User(models.Model, metaclass=Meta):
    """A user."""
    name: "str | None" = None
    __tablename__ = "users"
    def __init__(self, *args: int, key=None, **rest) -> None:
        super().__init__()
        self.repo = Repo[int]()
    @property
    async def age(self) -> int:
        with open("x") as handle:
            return [x for x in await handle.read() if x and (yield)]
@router.get("/{id}", name="x")
def show(id: int = 1, /, *, deep: bool = False):
    match id:
        case 1: return User.objects.filter(id=id).first()
    session.execute("SELECT * FROM users u JOIN orders")
    return (lambda q: q)(id)[0].go()
app.include_router(router, prefix="/api")
type Alias[T] = list[T]
''',
    "app.tsx": """
import d, { a as b, type T } from "./x.js";
export * as all from "./every"; export { p as q } from "./re";
import fs = require("fs");
/** Users. */
@Controller({ path: "users" })
export default class Users<T> extends Base<T> implements I {
  #secret?: Repository<User> = inject(Store);
  constructor(@InjectRepository(User) private readonly users: Repository<User>) { super(); }
  @Get(":id") async show(@Param() id: string | null): Promise<User> { return this.users!.findOne(id)?.[0] as any; }
}
namespace N { export enum E { A = 1 } }
const { c = 1, e: f } = await import(`./dyn`);
export const app = express(), api = { list() {}, deep: { get: async x => x } };
app.use("/a" + PREFIX, guard, require("./y")); app.route("/x").get(h).post((q, s) => prisma.user.findMany());
describe("t", () => { it.each([1])(`x ${1}`, function () { expect(<Foo.Bar a={1} {...b}/>); }); });
const q = sql`SELECT * FROM ${t} JOIN users`;
""",
    "Orders.java": '''
package com.acme; import static com.acme.Names.*; import com.acme.wood.*;
/** Orders. */
@RestController @RequestMapping(value = {Paths.API + "/orders", "/v2"})
public class Orders<T extends X> extends Base<T> implements Open {
  private final UserRepository users = new Users<>(1) {{ go(); }};
  record Point(int x, Item... y) { Point { } }
  enum E { A { void m() {} }, B; }
  @GetMapping(path = "/{id}") Mono<Order> show(@PathVariable final String id) throws E {
    try (Res r = open()) { for (User u : users.findAll()) u.name(); } catch (A | B e) { return null; }
    return ((Foo) x)[0].stream().map(User::new).map(v -> v && w ? 1 : 2);
  }
  String s = """
    text""" + jdbcTemplate.query("SELECT * FROM a JOIN b");
}
''',
    "Shop.cs": """
global using Acme; using static Acme.Maths; using Box = Acme.Crate;
namespace Acme.Shop { namespace Inner {
/// <summary>Shop.</summary>
[ApiController, Route("api/[controller]")]
public partial record Shop<T>(IClock Clock) : Base<T>(1), IOpen where T : class {
  public DbSet<Order> Orders { get; set; } = null!;
  [HttpGet("{id:int}")] public async Task<Order?> Get([FromBody] Order o = null) => await _db.Orders.FindAsync(1);
  void F() { foreach (var q in a?.B()) { int Inner(int x) => x switch { 1 => 2, _ => 3 }; } base.Close(); }
} } }
var app = WebApplication.CreateBuilder(args).Build();
var api = app.MapGroup($"/api/{x}").MapGroup("y");
api.MapMethods("/m", new[] { "GET" }, (Db db) => db.Set<Order>().FromSqlRaw(@"SELECT * FROM t"));
""",
    "cart.go": """
// Package cart.
package cart

import (
  "fmt"
  al "example.com/m/prices"
  . "x/y"
  _ "z"
)
type Cart[T any] struct { Base; *al.Rule; a, b int `json:"a"`; f func(int) (string, error) }
type S interface { Get(id int) (*Item, error); ~int | Other }
type ID = al.ID
const ( A = iota; B )
var x, y = 1, New[int](2)
func (c *Cart[T]) Total(a, b int, s ...Store) (n int, err error) {
  defer func() { recover() }()
  x, err := c.store.Get(1); z := &Cart[int]{a: 1}; w := v.(*Cart[T])
  for i, e := range c.items { go e.Go(i) }
  switch t := w.(type) { case int: return len(z), nil; default: fmt.Println(t) }
  return al.Of(x)[0].Go(), nil
}
func TestTotal(t *testing.T) { t.Run("x", func(t *testing.T) { New() }) }
""",
    "cart.rs": """
//! Carts.
use crate::a::{self, b as c, d::{*, e}}; use super::super::x; extern crate serde; mod foo; pub use self::foo::Bar;
/// A cart.
#[derive(Debug)] pub struct Cart<'a, T: Base + 'a> where T: X {
  pub(crate) store: Box<dyn Store<T>>, n: Option<&'a str> }
enum E { A(i32), B { x: u8 }, C = 3 }
pub trait Total: Base { const N: usize; type T; fn a(&self) -> Self; fn b() where Self: Sized {} }
impl<'a, T> Total for Cart<'a, T> {
  pub async unsafe fn new(mut a: &mut Store, (b, c): (i32, i32)) -> Result<Self, Error> {
    let x: Foo = Foo::<i32>::make(a)?; let y = Cart { n: None, ..x }; x.go().await; Self::other(); super::f();
    assert_eq!(a::add(1), self.c.total(2), "{}", x);
    if let Some(z) = y && w { vec![1, f(2)]; } match z { _ => |q| q(1) }
  }
}
macro_rules! m { ($x:expr) => { $x }; }
#[cfg(test)] mod tests { use super::*; #[tokio::test] async fn t() { assert!(Cart::new().is_ok()) } }
static S: &str = r#"text"#;
""",
    "cart.cpp": """
#include "a/b.h"
#include <vector>
#include MACRO
#define MOST(x) ((x) > 1 ? 1 : 0)
namespace acme::shop { inline namespace v1 {
template <typename T, int N = 1> class Cart : public virtual Base<T>, private Other {
 public: explicit Cart(int a = 1); ~Cart() noexcept; virtual int total() const = 0;
  static Cart make() { return Cart(1); }
  bool operator==(const Cart& o) const; int (*callback)(int, char**);
  std::unique_ptr<Store<T>> store_{}; enum class E { A, B = 2 };
  friend class X; using Self = Cart<T, N>; int n : 3, m[4];
};
} }
template <> int acme::shop::Cart<int>::total() const { auto [a, b] = f(); for (auto& x : store_->all()) x.go<int>(); }
int Cart::total() try : n(1) { this->go(); return (*p).x->y::z(1) + [&](auto q) { return q(); }(2); }
catch (...) { throw; }
TEST_F(CartTest, Adds) { EXPECT_EQ(f(), 1); }
extern "C" { typedef struct node { struct node *next; } node_t, *list_t; }
""",
    "list.c": """
#include "list.h"
#if defined(X) && \\
    Y
typedef int (*fn)(void *, ...);
static const struct { int a; char *b; } table[] = { { .a = 1, .b = "x" } };
union u { int i; float f; };
int list_add(list_t *list, int (*f)(int), ...) {
  register node_t *n = malloc(sizeof *n); list->head[0].f(n); goto end; end: return (int) *n; }
int old(a, b) int a; char b; { return a; }
#endif
""",
    "pages/api/app.js": """
const { a, b: c } = require("./x"), m = mongoose.model("User", s);
module.exports = { a, b() {}, ...require("./z"), c: require("./w") };
exports.late = function* () { for (const x of y) { if (x && z) continue; } };
class Dog extends mixin(Animal) { static tail = 1; get y() { return super.y; } }
router.get(["/a", `/b/${P.x}`], [guard, wrap(ctrl.show.bind(ctrl))]);
export default memo(function Card({ a, ...rest }, d = 1) { return <>{a ? <B/> : null}</>; });
""",
}
PIECES = [
    *"(){}[]\"'`\\\n\t@<>;*.:#$\x00\u00e9\U0001f600",
    "    ",
    "class ",
    "def ",
    "=>",
    "...",
    "import ",
    "//",
    "/*",
    "new ",
]

mutation = st.tuples(
    st.sampled_from(["delete", "insert", "repeat"]), st.floats(0, 1), st.integers(1, 60), st.sampled_from(PIECES)
)


def mutate(source: str, steps: list[tuple[str, float, int, str]]) -> bytes:
    for what, where, size, piece in steps:
        at = int(where * len(source))
        if what == "delete":
            source = source[:at] + source[at + size :]
        elif what == "insert":
            source = source[:at] + piece * (size % 4 + 1) + source[at:]
        else:
            source = source[: at + size] + source[at:]
    return source.encode("utf-8", "surrogatepass")


@pytest.mark.parametrize("name", SAMPLES)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(mutation, min_size=1, max_size=8), cut=st.integers(0, 3))
def test_mutated_sources_never_stop_the_index(
    tmp_path: Path, name: str, steps: list[tuple[str, float, int, str]], cut: int
) -> None:
    data = mutate(SAMPLES[name], steps)
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_bytes(data[: len(data) - cut])
    index = build(tmp_path, Options(workers=1))
    assert [s.reason for s in index.skipped] in ([], ["binary"])
