"""Where JavaScript and TypeScript code reaches for a database: models by name, entities by class, SQL text by table."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tree_sitter import Node

from handrail.codegraph.facts import MODULE_SCOPE, DatabaseUse
from handrail.codegraph.languages import sql
from handrail.codegraph.languages.javascript.callbacks import arguments
from handrail.codegraph.languages.javascript.expressions import type_argument
from handrail.codegraph.languages.nodes import nth

if TYPE_CHECKING:
    from handrail.codegraph.languages.javascript.extract import File

_PRISMA = re.compile(
    r"(?:^|\.)(?:prisma\w*|\w*[pP]risma|db|tx|client)\.(\w+)\.(?:findMany|findFirst|findUnique|findFirstOrThrow"
    r"|findUniqueOrThrow|create|createMany|update|updateMany|upsert|delete|deleteMany|count|aggregate|groupBy)$"
)
_TAKES_ENTITY = frozenset(
    {
        "getRepository",
        "getTreeRepository",
        "getMongoRepository",
        "InjectRepository",
        "InjectModel",
        "createQueryBuilder",
    }
)
_MANAGER = frozenset(
    {"find", "findOne", "findOneBy", "findBy", "save", "insert", "update", "delete", "count", "remove"}
)
"""Methods of an entity manager, which take the entity first."""
_ACTIVE = frozenset(
    {
        "find", "findOne", "findById", "findByPk", "findAll", "findAndCountAll", "findOrCreate", "findOneAndUpdate",
        "findByIdAndUpdate", "findByIdAndDelete", "findOneAndDelete", "findOneBy", "findBy", "create", "bulkCreate",
        "insertMany", "updateOne", "updateMany", "deleteOne", "deleteMany", "countDocuments", "aggregate", "exists",
        "update", "destroy", "count", "save", "upsert", "createQueryBuilder",
    }
)  # fmt: skip
"""Methods of a model class: Mongoose, Sequelize, TypeORM's active record."""
_TABLES = frozenset({"from", "into", "table", "join", "leftJoin", "innerJoin", "rightJoin"})
_SQL = frozenset(
    {"query", "execute", "raw", "unsafe", "run", "all", "get", "prepare", "$queryRaw", "$executeRaw", "sql"}
)
_KNEX = frozenset({"knex", "db", "trx", "database"})
_HOLDERS = ("Repository<", "Model<", "ModelStatic<", "TreeRepository<", "MongoRepository<")
_MODEL_MAKERS = frozenset({"mongoose.model()", "model()", "sequelize.define()", "connection.model()"})
_WORDS = (b"prisma", b"typeorm", b"knex", b"mongoose", b"sequelize", b"Repository", b"Model", b"SELECT", b"INSERT",
          b"UPDATE", b"DELETE", b"select ", b"insert ", b"update ", b"delete ", b"db.", b"db(")  # fmt: skip
"""A look at the text first: most files never touch a database."""


def read(file: "File") -> tuple[DatabaseUse, ...]:
    if not any(word in file.source for word in _WORDS):
        return ()
    found: dict[DatabaseUse, None] = {}
    holders = _holders(file)
    has_knex = b"knex" in file.source
    for node, callee, scope in file.call_nodes:
        for use in _uses(file, node, callee, scope, holders, has_knex):
            found[use] = None
    return tuple(found)


def models(file: "File") -> set[int]:
    """Start bytes of declarations like `const User = mongoose.model("User", …)`: the name stands for an entity."""
    if b"model" not in file.source and b"define" not in file.source:
        return set()
    return {
        node.start_byte
        for scope, _, node in file.declarators
        if scope == MODULE_SCOPE and file.expression(node.child_by_field_name("value")) in _MODEL_MAKERS
    }


def _uses(
    file: "File", node: Node, callee: str, scope: int, holders: dict[str, str], has_knex: bool
) -> Iterator[DatabaseUse]:
    owner, _, last = callee.rpartition(".")
    prisma = _PRISMA.search(callee)
    if prisma is not None:
        yield DatabaseUse(scope, "", prisma.group(1).lower())
    holder = holders.get(".".join(owner.split(".")[:2]).removesuffix("()"))
    if holder is not None:
        yield DatabaseUse(scope, holder, "")
    given = arguments(node)
    first = given[0] if given else None
    if first is not None and (last in _TAKES_ENTITY or (last in _MANAGER and owner.endswith("anager"))):
        entity = file.expression(first).removesuffix(".name")
        if entity[:1].isupper():
            yield DatabaseUse(scope, entity, "")
    if last in _ACTIVE and owner[:1].isupper() and "(" not in owner:
        yield DatabaseUse(scope, owner, "")
    yield from _text(file, node, callee, scope, has_knex)


def _text(file: "File", node: Node, callee: str, scope: int, has_knex: bool) -> Iterator[DatabaseUse]:
    """Tables in SQL text, tagged templates and query builders."""
    last = callee.rpartition(".")[2]
    listed = node.child_by_field_name("arguments")
    if listed is not None and listed.type == "template_string":
        text = _template(file, listed)
    else:
        given = arguments(node)
        text = _template(file, given[0]) if given and given[0].type == "template_string" else ""
        text = text or (file.string(given[0]) or "" if given and given[0].type in {"string", "identifier"} else "")
    if last in _SQL:
        for table in sql.tables(text):
            yield DatabaseUse(scope, "", table)
    is_builder = callee in _KNEX or last in _KNEX or last in _TABLES
    if has_knex and is_builder and re.fullmatch(r"[A-Za-z_][\w.]*(?: as \w+)?", text):
        yield DatabaseUse(scope, "", text.partition(" ")[0].lower())


def _template(file: "File", node: Node) -> str:
    """A template's text with its substitutions left open."""
    parts = [file.text(child) if child.type == "string_fragment" else " ? " for child in node.named_children]
    return "".join(parts)


def _holders(file: "File") -> dict[str, str]:
    """`this.users` or `users` → the entity of its `Repository<User>` or `Model<User>`."""
    found: dict[str, str] = {}
    for definition in file.definitions.found:
        for parameter in definition.parameters if definition.kind == "constructor" else ():
            if parameter.annotation.startswith(_HOLDERS):
                found[f"this.{parameter.name}"] = type_argument(parameter.annotation)
        for parameter in definition.parameters:
            if parameter.annotation.startswith(_HOLDERS):
                found[parameter.name] = type_argument(parameter.annotation)
    for _, field in file.fields:
        annotation = file.text(field.child_by_field_name("type")).removeprefix(":").strip()
        if annotation.startswith(_HOLDERS):
            name = field.child_by_field_name("name") or field.child_by_field_name("property")
            found[f"this.{file.text(name)}"] = type_argument(annotation)
    for _, name, node in file.declarators:
        value = node.child_by_field_name("value")
        if value is not None and file.expression(value).endswith("getRepository()"):
            call = nth(value) if value.type == "await_expression" else value
            given = arguments(call) if call is not None else []
            found[file.text(name)] = file.expression(given[0]) if given else ""
    return {name: entity for name, entity in found.items() if entity}
