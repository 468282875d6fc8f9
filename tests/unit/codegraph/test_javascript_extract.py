"""What one JavaScript or TypeScript file says by itself."""

from textwrap import dedent

from handrail.codegraph.facts import MODULE_SCOPE, Ancestor, Definition, FileFacts, Import, Variable
from handrail.codegraph.reading import facts_of


def read(text: str, path: str = "src/m.ts") -> FileFacts:
    return facts_of(path, dedent(text).encode())


def one(facts: FileFacts, qualname: str) -> Definition:
    return next(d for d in facts.definitions if d.qualname == qualname)


def kinds(facts: FileFacts) -> dict[str, str]:
    return {d.qualname: d.kind for d in facts.definitions}


def test_definitions_of_every_kind() -> None:
    facts = read("""
        export abstract class Shop<T> extends Base<T> implements Open, ns.Closed {
          static count = 0;
          #secret = () => 1;
          constructor(private readonly till: Till) { super(); }
          get total(): number { return 1; }
          protected async sell(item: Item, price = 1): Promise<Receipt> { return this.till.add(item); }
          abstract close(): void;
        }
        interface Open extends Door { open(at: Date): void; sign: string }
        enum Colour { Red }
        type Alias = string;
        namespace Tools { export function saw() {} }
        export const api = { list() {}, find: async (id: number) => id, deep: { er() {} }, data: 1 };
        const wrapped = memo(function Inner() {});
        function* steps() {}
        let LIMIT = 1;
    """)
    assert kinds(facts) == {
        "Shop": "class",
        "Shop.#secret": "method",
        "Shop.constructor": "constructor",
        "Shop.total": "property",
        "Shop.sell": "method",
        "Shop.close": "method",
        "Open": "interface",
        "Open.open": "method",
        "Colour": "enum",
        "Tools": "namespace",
        "Tools.saw": "function",
        "api": "constant",
        "api.list": "method",
        "api.find": "method",
        "api.deep": "constant",
        "api.deep.er": "method",
        "wrapped": "function",
        "steps": "function",
        "LIMIT": "constant",
        "Shop.count": "field",
        "Open.sign": "field",
        "Alias": "type",
    }
    shop, sell = one(facts, "Shop"), one(facts, "Shop.sell")
    assert shop.ancestors == (
        Ancestor("extends", "Base"),
        Ancestor("implements", "Open"),
        Ancestor("implements", "ns.Closed"),
    )
    assert (sell.return_type, sell.is_async, sell.visibility) == ("Receipt", True, "protected")
    assert [(p.name, p.type, p.default) for p in sell.parameters] == [("item", "Item", ""), ("price", "", "1")]
    assert (shop.visibility, one(facts, "steps").visibility) == ("public", "internal")
    assert Variable(2, "this.till", "Till", "") in facts.variables


def test_javascript_classes_and_commonjs() -> None:
    facts = read(
        """
        class Dog extends animals.Animal { bark() {} tail = 1 }
        module.exports = { Dog, feed() {}, walk: function () {}, name: dog, ...require("./cat") };
        exports.late = () => 1;
        """,
        "m.js",
    )
    assert facts.language == "javascript"
    assert one(facts, "Dog").ancestors == (Ancestor("extends", "animals.Animal"),)
    assert {"Dog.bark", "Dog.tail", "feed", "walk", "late"} <= set(kinds(facts))
    assert dict(facts.exports) == {"Dog": "Dog", "feed": "feed", "walk": "walk", "name": "dog", "late": "late"}
    assert facts.imports == (Import("./cat", (("*", ""),), 3, MODULE_SCOPE, "require"),)


def test_every_form_of_import_and_export() -> None:
    facts = read("""
        import d, { a as b, type T } from "./x.js";
        import type { Q } from "./q";
        import * as ns from "ns";
        import fs = require("fs");
        import "./side";
        export { p as q, default } from "./re";
        export * from "./all";
        export * as all from "./every";
        const { c, e: f } = await import("./dynamic");
        const g = require("./g").part;
        let later: import("./types").Later;
        export { b as renamed };
        export default class Foo {}
    """)
    found = [(i.target, i.names, i.kind) for i in facts.imports]
    assert found == [
        ("./x.js", (("default", "d"), ("a", "b"), ("T", "T")), "import"),
        ("./q", (("Q", "Q"),), "type"),
        ("ns", (("*", "ns"),), "import"),
        ("fs", (("*", "fs"),), "require"),
        ("./side", (), "import"),
        ("./re", (("p", "q"), ("default", "default")), "reexport"),
        ("./all", (("*", ""),), "reexport"),
        ("./every", (("*", "all"),), "reexport"),
        ("./dynamic", (("c", "c"), ("e", "f")), "dynamic"),
        ("./g", (("part", "g"),), "require"),
        ("./types", (), "dynamic"),
    ]
    assert dict(facts.exports) == {"q": "q", "default": "Foo", "all": "all", "renamed": "b"}


def test_calls_are_canonical() -> None:
    facts = read(
        """
        function f(this_: X) {
          load(); a?.b!.c(); new Foo<Bar>().go(); (await make()).users[0].list(); "x".trim(); super_.x();
          return <Card.Title><Button/><div/></Card.Title>;
        }
        """,
        "m.tsx",
    )
    assert {call.callee for call in facts.calls} == {
        "load", "a.b.c", "Foo", "Foo().go", "make", "make().users[].list", "String().trim", "super_.x",
        "Card.Title", "Button",
    }  # fmt: skip
    assert all(call.scope == 0 for call in facts.calls)
    assert one(read("export function Page() { return <p/>; }", "p.tsx"), "Page").tags == ("component",)


def test_types_name_one_class() -> None:
    facts = read("""
        let a: Foo | null, b: Promise<Foo>, c: Foo[], d: Foo | Bar, e: Partial<ns.Foo>, f: string, g = <any>x as Foo;
        function h(): this {}
    """)
    found = {variable.name: variable.type for variable in facts.variables}
    assert found == {"a": "Foo", "b": "Foo", "c": "Array", "e": "ns.Foo", "f": "String", "g": "Foo"}


def test_tests_and_inline_handlers_have_names() -> None:
    facts = read("""
        describe("cart", () => {
          it.each([1])("adds %i", async () => { add(); });
          test(`empties ${name}`, function () {});
        });
        router.route("/x").get(show).post((request, response) => { save(); });
        app.get("/y", guard, async () => {});
        cache.get("key", () => {});
    """)
    assert kinds(facts) == {
        "cart": "function",
        "cart.adds %i": "function",
        "cart.empties ${name}": "function",
        "POST /x": "function",
        "GET /y": "function",
    }
    assert {
        call.callee: facts.definitions[call.scope].name for call in facts.calls if call.callee in {"add", "save"}
    } == {
        "add": "adds %i",
        "save": "POST /x",
    }
    assert one(facts, "cart.adds %i").tags == ("test", "callback")


def test_decorators_and_documentation() -> None:
    facts = read("""
        /**
         * Sells things.
         * @public
         */
        @Injectable()
        export class Shop {
          @Input() name!: string;
          /** Opens it. */
          @Get(":id") @Public
          open(@Param("id") id: string) {}
        }
    """)
    shop, opened = one(facts, "Shop"), one(facts, "Shop.open")
    assert (shop.decorators, shop.doc, shop.tags, shop.start_line) == (
        ("Injectable()",),
        "Sells things.",
        ("service",),
        6,
    )
    assert (opened.decorators, opened.doc) == (('Get(":id")', "Public"), "Opens it.")
    assert one(facts, "Shop.name").decorators == ("Input()",)


def test_complexity_counts_branches() -> None:
    facts = read("function f(a, b) { if (a && b) { for (;;) {} } return a ?? b ? 1 : 2; }\n")
    assert one(facts, "f").complexity == 6


def test_database_use() -> None:
    facts = read("""
        import { Repository } from "typeorm";
        import knex from "knex";
        class Users {
          constructor(@InjectRepository(User) private readonly users: Repository<User>) {}
          one() { return this.users.findOne(1); }
          two() { return prisma.order.findMany(); }
          three() { return knex("carts").join("items as i"); }
          four() { return pool.query(`SELECT * FROM invoices i JOIN ${x} WHERE 1`); }
          five() { return Account.findById(1); }
          six() { return manager.getRepository(Tag).find(); }
          seven() { return db.get("nothing"); }
        }
        const Account = mongoose.model<IAccount>("Account", schema);
    """)
    found = [(facts.definitions[use.scope].name, use.entity, use.table) for use in facts.database]
    assert found == [
        ("constructor", "User", ""),
        ("one", "User", ""),
        ("two", "", "order"),
        ("three", "", "carts"),
        ("three", "", "items"),
        ("four", "", "invoices"),
        ("five", "Account", ""),
        ("six", "Tag", ""),
    ]
    assert (one(facts, "Account").kind, one(facts, "Account").tags) == ("class", ("entity",))


def test_broken_files_give_what_can_be_read() -> None:
    facts = read("export function fine() {}\nclass { ( = ;\nfunction last() {}\n")
    assert facts.has_errors
    assert "fine" in kinds(facts)
