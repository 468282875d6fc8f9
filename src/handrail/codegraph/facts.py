"""What one file says by itself, before anything is resolved.

A language's `extract` returns a `FileFacts`: it may look at the file's content and path and at nothing else, because
facts are cached by both. They are named tuples so that they cross process borders and the cache as plain JSON arrays.

Expressions (`CallSite.callee`, `Variable.value`, `Route.handler` …) are written in one canonical form for every
language: names joined by dots, `()` after what is called, `[]` after what is indexed, `this` for the current instance
or class, `super` for its base, `?` for a part that is not a name. Examples: `load`, `this.store.get`,
`make_client().users.list`, `super.save`, `rows[].close`. `new Foo(x)` as a callee is `Foo`, as a value `Foo()`.
Types are dotted names without quotes, nullability, promises or arguments (`"Foo" | None` is `Foo`); a type that names
no single class is empty.
"""

from typing import NamedTuple

import msgspec

MODULE_SCOPE = -1
"""The scope of what stands outside every definition; all other scopes are indexes into `FileFacts.definitions`."""

CALLBACK = "callback"
"""The tag of a function that has its name from a title or a path: no code can call it by that name."""


class Parameter(NamedTuple):
    name: str
    annotation: str
    """The annotation as written, for people."""
    type: str
    """The annotation as a canonical type, for resolution."""
    default: str


class Ancestor(NamedTuple):
    relation: str
    """`extends` or `implements`."""
    type: str


class Definition(NamedTuple):
    """A class, function, variable … that other code can name."""

    name: str
    qualname: str
    kind: str
    """class, interface, enum, struct, record, namespace, type, function, method, constructor, property, field,
    constant, variable."""
    parent: int
    start_line: int
    end_line: int
    signature: str
    parameters: tuple[Parameter, ...]
    returns: str
    """The return (or variable's) annotation as written."""
    return_type: str
    """The same as a canonical type."""
    decorators: tuple[str, ...]
    visibility: str
    """public, protected, internal or private."""
    is_async: bool
    doc: str
    ancestors: tuple[Ancestor, ...]
    complexity: int
    tags: tuple[str, ...]
    """controller, service, entity, component, test, fixture … where the code itself shows it."""


class Import(NamedTuple):
    """One import statement. `names` holds (name there, name here); `("*", "")` imports every public name,
    `("*", "ns")` binds the module itself as `ns`. Python's `import a.b` has no names and binds `a`."""

    target: str
    """As written: `..pkg.mod`, `./button`, `@scope/lib`, `java.util.List`, `System.Text`."""
    names: tuple[tuple[str, str], ...]
    line: int
    scope: int
    kind: str
    """import, reexport, require, dynamic, type (erased at run time) or static."""


class CallSite(NamedTuple):
    callee: str
    line: int
    scope: int


class Variable(NamedTuple):
    """What a name holds: `type` where it is declared, else the `value` it is given. `this.x` belongs to the class
    around `scope`; the value is always evaluated in `scope`."""

    scope: int
    name: str
    type: str
    value: str


class Router(NamedTuple):
    """Something that routes hang on: an application, router, blueprint, url list or controller class."""

    name: str
    scope: int
    prefix: str
    framework: str
    is_root: bool
    """True for an application: its routes are served as they are, without being mounted."""


class Mount(NamedTuple):
    """`child` is served below `parent` under `prefix`. `child` may be `module:<import target>#<name>`,
    `every:<framework>` for all root routers of the application that the file starts, or `method:<name>` for the
    router that the method of that name gets as its argument."""

    parent: str
    child: str
    prefix: str
    scope: int
    replaces_prefix: bool
    """True where the mount's prefix takes the place of the child's own (Flask)."""


class Route(NamedTuple):
    router: str
    """The router's expression in `scope`, or empty for one that stands alone (file-based routes)."""
    methods: tuple[str, ...]
    path: str
    handler: str
    """The handler's expression in `scope`; with `handler_definition` set it is only a label."""
    handler_definition: int
    """The index of the handler's definition, or -1 where `handler` has to be resolved."""
    scope: int
    line: int
    framework: str


class DatabaseUse(NamedTuple):
    """`entity` is an expression of a class, or of a set of its instances; `table` a table's name. Where both are given,
    the code says that the entity is stored, and the table is its name where the entity is not found."""

    scope: int
    entity: str
    table: str


class FileFacts(NamedTuple):
    language: str
    loc: int
    definitions: tuple[Definition, ...]
    imports: tuple[Import, ...]
    exports: tuple[tuple[str, str], ...]
    """(name outside, name inside)."""
    calls: tuple[CallSite, ...]
    variables: tuple[Variable, ...]
    routers: tuple[Router, ...]
    mounts: tuple[Mount, ...]
    routes: tuple[Route, ...]
    database: tuple[DatabaseUse, ...]
    tags: tuple[str, ...]
    package: str
    """The package or namespace the file declares (Java, C#), else empty."""
    frameworks: tuple[str, ...]
    has_errors: bool
    """True where the parser had to recover: the facts are then what could be read."""
    paths: tuple[tuple[str, str], ...] = ()
    """(qualified name, value) of string constants that may be part of a route's path. A path or prefix of a route may
    hold `{=name}`: it is filled in with such a constant of another file."""


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(FileFacts)


def encode(facts: FileFacts) -> bytes:
    """One line of JSON."""
    return _encoder.encode(facts)


def decode(data: bytes) -> FileFacts:
    return _decoder.decode(data)
