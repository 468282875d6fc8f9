"""What an expression of one module stands for: a module, class, instance or function somewhere in the repository."""

from enum import IntEnum
from typing import NamedTuple

from handrail.codegraph.facts import MODULE_SCOPE, Definition, FileFacts
from handrail.codegraph.languages.language import Reference
from handrail.codegraph.project import Project
from handrail.codegraph.resolve.names import CLASSES, Names, enclosing_class, names_of

_MAX_STEPS = 30
_MAX_CHAIN = 12
FUNCTIONS = frozenset({"function", "method", "constructor"})

CERTAIN = 1.0
BY_INSTANCE = 0.95
"""A method of this object: a subclass may override it."""
BY_TYPE = 0.9
BY_VALUE = 0.85
BY_ONE_OF_VALUES = 0.6
BY_NAME = 0.4
"""Only one method of the repository has this name."""


class Kind(IntEnum):
    MODULE = 0
    CLASS = 1
    INSTANCE = 2
    FUNCTION = 3
    EXTERNAL = 4
    SUPER = 5
    """The bases of a class, as its own methods reach them."""


class Value(NamedTuple):
    kind: Kind
    module: str
    """For EXTERNAL the dotted name outside."""
    definition: int
    """The definition, for a class, instance or function."""
    confidence: float

    def at_most(self, confidence: float) -> "Value":
        return self if self.confidence <= confidence else Value(self.kind, self.module, self.definition, confidence)


_UNKNOWN = Value(Kind.EXTERNAL, "", 0, 0.0)
"""In the memo: not asked for yet."""


class Tables:
    """The name tables of all modules, made when first asked for."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._names: dict[str, Names] = {}

    def of(self, module: str) -> Names | None:
        names = self._names.get(module)
        if names is None:
            facts = self.project.modules.get(module)
            if facts is None:
                return None
            names = self._names[module] = self._read(module, facts)
        return names

    def _read(self, module: str, facts: FileFacts) -> Names:
        return names_of(module, facts, self.project.language_of(module), self.project.resolver_of(module))

    def forget(self, module: str) -> None:
        self._names.pop(module, None)

    def forget_all(self) -> None:
        self._names.clear()


class Evaluator:
    """Evaluates expressions for one module and remembers which other modules it looked into (`touched`), and for which
    names (`asked`)."""

    def __init__(self, tables: Tables, module: str) -> None:
        self._tables = tables
        self._project = tables.project
        self._memo: dict[tuple[str, int, str], Value | None] = {}
        self._home = module
        self._own = tables.of(module)
        self.touched: set[str] = set()
        self.asked: set[tuple[str, str]] = set()
        """(module, name): what was looked for in other modules, found or not."""
        self.has_generics = tables.project.language_of(module).members_in_scope
        """True where an outside method may well answer with an object of ours, or be an extension of ours."""

    def evaluate(self, module: str, scope: int, expression: str) -> Value | None:
        """None where the expression cannot be decided."""
        own = self._own
        if scope != MODULE_SCOPE and module == self._home and own is not None and own.is_everywhere(expression):
            scope = MODULE_SCOPE
        key = (module, scope, expression)
        value = self._memo.get(key, _UNKNOWN)
        if value is _UNKNOWN:
            self._memo[key] = None  # what depends on itself is undecided
            value = self._memo[key] = self._chain(module, scope, expression)
        return value

    def names(self, module: str, name: str) -> Names | None:
        """The names of a module, to look for one of them."""
        if module == self._home:
            return self._own
        self.touched.add(module)
        self.asked.add((module, name))
        return self._tables.of(module)

    def definition(self, value: Value) -> Definition:
        return self._project.modules[value.module].definitions[value.definition]

    def _chain(self, module: str, scope: int, expression: str) -> Value | None:
        if "?" in expression or "[" in expression or len(self._memo) > 100_000:
            return None
        owner, dot, last = expression.rpartition(".")
        called = last.endswith("()")
        name = last[:-2] if called else last
        if called and name.endswith(")"):
            inner = self.evaluate(module, scope, expression[:-2])
            return self._call(inner) if inner is not None else None
        if not dot:
            value = self._name(module, scope, name)
        elif expression.count(".") > _MAX_CHAIN:
            return None
        else:
            base = self.evaluate(module, scope, owner)
            value = self.member(base, name) if base is not None else None
        return self._call(value) if called and value is not None else value

    def _name(self, module: str, scope: int, name: str) -> Value | None:
        names = self.names(module, name)
        if names is None:
            return None
        if name == "this" or name == "super":  # noqa: PLR1714 - a set would be made and hashed for every name
            return self._this(module, names, scope, name)
        if names.members_in_scope or name in names.nested:
            found, value = self._local(module, names, scope, name)
            return value if found else self._outer(module, names, scope, name)
        if scope != MODULE_SCOPE:
            return self.evaluate(module, MODULE_SCOPE, name)
        return self._outer(module, names, scope, name)

    def _outer(self, module: str, names: Names, scope: int, name: str) -> Value | None:
        """A name that no scope inside the module explains."""
        value = self._top(module, names, name, set())
        if value is not None or name in names.bindings or name in names.members.get(MODULE_SCOPE, ()):
            return value
        implicit = self._project.resolver_of(module).implicit(module, name)
        if implicit is not None:
            return self.reference(implicit, set())
        if name in names.builtins:
            return Value(Kind.EXTERNAL, name, 0, CERTAIN)
        return self._inherited(module, names, scope, name)

    def _inherited(self, module: str, names: Names, scope: int, name: str) -> Value | None:
        """A bare name that nothing here explains: a member of the class's outside base."""
        owner = enclosing_class(names.facts, scope) if names.members_in_scope else MODULE_SCOPE
        return self.member(Value(Kind.INSTANCE, module, owner, BY_INSTANCE), name) if owner != MODULE_SCOPE else None

    def _this(self, module: str, names: Names, scope: int, name: str) -> Value | None:
        index = enclosing_class(names.facts, scope)
        if index == MODULE_SCOPE:
            return None
        this = Value(Kind.INSTANCE, module, index, BY_INSTANCE)
        if name == "this":
            return this
        if not names.facts.definitions[index].ancestors:
            return Value(Kind.EXTERNAL, "object", 0, CERTAIN)
        return this._replace(kind=Kind.SUPER)

    def _local(self, module: str, names: Names, scope: int, name: str) -> tuple[bool, Value | None]:
        """A name of the scopes around; functions do not see the names of the class around them, unless the language
        says so."""
        inner = scope
        while scope != MODULE_SCOPE:
            definition = names.facts.definitions[scope]
            if definition.kind in CLASSES and scope != inner:
                if names.members_in_scope:
                    member = self.member(Value(Kind.INSTANCE, module, scope, BY_INSTANCE), name)
                    if member is not None and member.kind is not Kind.EXTERNAL:
                        return True, member
            else:
                found, value = self._in_scope(module, names, scope, name)
                if found:
                    return True, value
            scope = definition.parent
        return False, None

    def _in_scope(self, module: str, names: Names, scope: int, name: str) -> tuple[bool, Value | None]:
        index = names.members.get(scope, {}).get(name)
        if index is not None:
            return True, self._defined(module, names, index)
        if (scope, name) in names.variables:
            return True, self._variable(module, names, scope, name)
        for parameter in names.facts.definitions[scope].parameters:
            if parameter.name == name:
                outer = names.facts.definitions[scope].parent
                return True, self._instance_of(module, outer, parameter.type, BY_TYPE)
        return False, None

    def _top(self, module: str, names: Names, name: str, seen: set[tuple[str, str]]) -> Value | None:
        """A name at the top of a module: defined there, imported into it, or by way of a wildcard."""
        if (module, name) in seen or len(seen) > _MAX_STEPS:
            return None
        seen.add((module, name))
        index = names.members.get(MODULE_SCOPE, {}).get(name)
        if index is not None:
            return self._defined(module, names, index)
        reference = names.bindings.get(name)
        if reference is not None:
            return self.reference(reference, seen)
        for wildcard in names.wildcards:
            value = self.exported(wildcard, name, seen)
            if value is not None:
                return value
        return None

    def reference(self, reference: Reference, seen: set[tuple[str, str]] | None = None) -> Value | None:
        if not reference.module:
            return Value(Kind.EXTERNAL, reference.name, 0, CERTAIN)
        if not reference.name:
            return Value(Kind.MODULE, reference.module, 0, CERTAIN)
        name, *inner = reference.name.split(".")
        value = self.exported(reference.module, name, seen if seen is not None else set())
        for part in inner:  # a nested type, or a member that a static import names
            value = self.member(value, part) if value is not None else None
        return value

    def exported(self, module: str, name: str, seen: set[tuple[str, str]]) -> Value | None:
        """What other modules see under `name` of `module`, which may be a folder or package."""
        names = self.names(module, name)
        if names is not None:
            inside = names.exports.get(name, name)
            if inside != name:
                self.asked.add((module, inside))
            value = self._top(module, names, inside, seen)
            if value is not None:
                return value
        resolver = self._project.resolver_of(module if names is not None else self._home)
        member = resolver.member(module, name)
        if member is None or (member.module, member.name) in seen:
            return None
        return self.reference(member, seen)

    def _defined(self, module: str, names: Names, index: int) -> Value | None:
        definition = names.facts.definitions[index]
        if definition.kind in CLASSES:
            return Value(Kind.CLASS, module, index, CERTAIN)
        if definition.kind in FUNCTIONS:
            return Value(Kind.FUNCTION, module, index, CERTAIN)
        if index in names.members:  # an object or namespace: its members are reached by its name
            return Value(Kind.INSTANCE, module, index, CERTAIN)
        if definition.return_type:
            return self._instance_of(module, definition.parent, definition.return_type, BY_TYPE)
        return self._variable(module, names, definition.parent, definition.name)

    def _variable(self, module: str, names: Names, scope: int, name: str) -> Value | None:
        given = names.variables.get((scope, name), ())
        for variable in given:
            if variable.type:
                return self._instance_of(module, variable.scope, variable.type, BY_TYPE)
        confidence = BY_VALUE if len(given) == 1 else BY_ONE_OF_VALUES
        for variable in given:
            value = self.evaluate(module, variable.scope, variable.value)
            if value is not None:
                return value.at_most(confidence)
        return None

    def _instance_of(self, module: str, scope: int, type_name: str, confidence: float) -> Value | None:
        if not type_name:
            return None
        if type_name == "this":
            return self._name(module, scope, "this")
        value = self.evaluate(module, scope, type_name)
        if value is None or value.kind is Kind.EXTERNAL:
            return value
        if value.kind is not Kind.CLASS:
            return None
        return Value(Kind.INSTANCE, value.module, value.definition, min(value.confidence, confidence))

    def member(self, value: Value, name: str) -> Value | None:
        if value.kind is Kind.EXTERNAL:
            return Value(Kind.EXTERNAL, f"{value.module}.{name}", 0, value.confidence)
        if value.kind is Kind.MODULE:
            return self.exported(value.module, name, set())
        if value.kind is Kind.FUNCTION:
            return None
        found = self._class_member(value, name, set())
        return found.at_most(value.confidence) if found is not None else None

    def _class_member(self, value: Value, name: str, seen: set[tuple[str, int]]) -> Value | None:
        if (value.module, value.definition) in seen or len(seen) > _MAX_STEPS:
            return None
        seen.add((value.module, value.definition))
        names = self.names(value.module, name)
        if names is None:
            return None
        if value.kind is not Kind.SUPER:
            index = names.members.get(value.definition, {}).get(name)
            if index is not None:
                return self._defined(value.module, names, index)
            if (value.definition, name) in names.variables:
                return self._variable(value.module, names, value.definition, name)
        outside: Value | None = None
        for base in self._ancestors(value):
            if base.kind is Kind.EXTERNAL:
                outside = outside or base._replace(module=f"{base.module}.{name}", confidence=BY_TYPE)
                continue
            found = self._class_member(base, name, seen)
            if found is not None:
                return found
        return outside

    def _ancestors(self, value: Value) -> list[Value]:
        """The classes that a class names as its bases."""
        definition = self.definition(value)
        bases = [self.evaluate(value.module, definition.parent, a.type) for a in definition.ancestors]
        return [base for base in bases if base is not None and (base.kind is Kind.CLASS or base.kind is Kind.EXTERNAL)]

    def _call(self, value: Value) -> Value | None:
        if value.kind is Kind.CLASS:
            return Value(Kind.INSTANCE, value.module, value.definition, value.confidence)
        if value.kind is Kind.EXTERNAL:
            return Value(Kind.EXTERNAL, f"{value.module}()", 0, value.confidence)
        if value.kind is Kind.FUNCTION:
            definition = self.definition(value)
            result = self._instance_of(value.module, definition.parent, definition.return_type, BY_TYPE)
            return result.at_most(value.confidence) if result is not None else None
        return None
