"""Skills as rows. Which version is in force is read from the holds that decide on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, LiteralString, NamedTuple
from uuid import UUID

from pydantic import TypeAdapter

from handrail.core.holds import Status
from handrail.core.ids import PrincipalId
from handrail.core.skills import Files, Finding, Manifest, Source, Version
from handrail.store.database import Connection

_manifest: TypeAdapter[Manifest] = TypeAdapter(Manifest)
_source: TypeAdapter[Source] = TypeAdapter(Source)
_findings: TypeAdapter[tuple[Finding, ...]] = TypeAdapter(tuple[Finding, ...])

_VERSIONS: LiteralString = "SELECT v.*, h.status FROM skill_versions v JOIN holds h ON h.id = v.id"
# of each skill the newest version that people approved since it was last deleted
_IN_FORCE: LiteralString = """
SELECT DISTINCT ON (v.skill) v.*, h.status FROM skill_versions v
JOIN holds h ON h.id = v.id JOIN skills s ON s.name = v.skill
WHERE h.status = 'approved' AND v.registered_at > coalesce(s.deleted_at, '-infinity')
"""

_DESCRIBED: LiteralString = f"""
SELECT f.skill, f.manifest->>'description' AS description FROM ({_IN_FORCE} ORDER BY v.skill, v.number DESC) f
"""  # noqa: S608 - both are written here


async def lock(conn: Connection, name: str) -> int:
    """The skill, made where it is new and locked until the transaction ends; the number of its newest version."""
    await conn.execute("INSERT INTO skills (name) VALUES (%s) ON CONFLICT DO NOTHING", (name,))
    await conn.execute("SELECT FROM skills WHERE name = %s FOR UPDATE", (name,))
    found = await conn.execute("SELECT coalesce(max(number), 0) AS n FROM skill_versions WHERE skill = %s", (name,))
    row = await found.fetchone()
    assert row is not None
    return row["n"]


async def insert(conn: Connection, version: Version, files: Files) -> None:
    async with conn.cursor() as cursor:
        await cursor.executemany(
            "INSERT INTO skill_files (content_hash, path, content) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING",
            [(version.content_hash, path, content) for path, content in files.items()],
        )
    await conn.execute(
        """
        INSERT INTO skill_versions
          (id, skill, number, content_hash, manifest, source, findings, safe, registered_at, registered_by)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
        """,
        (
            version.id,
            version.skill,
            version.number,
            version.content_hash,
            _manifest.dump_json(version.manifest).decode(),
            _source.dump_json(version.source).decode(),
            _findings.dump_json(version.findings).decode(),
            version.safe,
            version.registered_at,
            version.registered_by,
        ),
    )


async def in_force(conn: Connection) -> list[Version]:
    """Every skill that can be used, by name."""
    return await _read_all(conn, _IN_FORCE + " ORDER BY v.skill, v.number DESC", ())


class Description(NamedTuple):
    name: str
    description: str


async def descriptions(conn: Connection) -> list[Description]:
    """What every skill in force says that it does."""
    rows = await conn.execute(_DESCRIBED)
    return [Description(row["skill"], row["description"]) for row in await rows.fetchall()]


async def get(conn: Connection, name: str, number: int | None = None) -> Version | None:
    """The version in force; or that of this number, where people approved it and the skill was not deleted since."""
    query = _IN_FORCE + " AND v.skill = %s AND v.number = coalesce(%s, v.number) ORDER BY v.skill, v.number DESC"
    found = await _read_all(conn, query, (name, number))
    return found[0] if found else None


async def versions(conn: Connection, name: str) -> list[Version]:
    """All that were ever proposed, the newest first; also of a skill that was deleted."""
    return await _read_all(conn, _VERSIONS + " WHERE v.skill = %s ORDER BY v.number DESC", (name,))


async def of_ids(conn: Connection, ids: Sequence[UUID]) -> dict[UUID, Version]:
    found = await _read_all(conn, _VERSIONS + " WHERE v.id = ANY(%s)", (list(ids),))
    return {version.id: version for version in found}


async def queue(conn: Connection) -> list[Version]:
    """Candidates that wait for a decision, the oldest first."""
    return await _read_all(conn, _VERSIONS + " WHERE h.status = 'pending' ORDER BY v.registered_at, v.id", ())


async def files(conn: Connection, content_hash: str) -> dict[str, bytes]:
    rows = await conn.execute(
        "SELECT path, content FROM skill_files WHERE content_hash = %s ORDER BY path", (content_hash,)
    )
    return {row["path"]: bytes(row["content"]) for row in await rows.fetchall()}


async def delete(conn: Connection, name: str, at: datetime, by: PrincipalId) -> None:
    await conn.execute("UPDATE skills SET deleted_at = %s, deleted_by = %s WHERE name = %s", (at, by, name))


async def vectors(conn: Connection, embedder: str, text_hashes: Sequence[str]) -> dict[str, bytes]:
    rows = await conn.execute(
        "SELECT text_hash, vector FROM skill_vectors WHERE embedder = %s AND text_hash = ANY(%s)",
        (embedder, list(text_hashes)),
    )
    return {row["text_hash"]: bytes(row["vector"]) for row in await rows.fetchall()}


async def keep_vectors(conn: Connection, embedder: str, vectors: Mapping[str, bytes]) -> None:
    async with conn.cursor() as cursor:
        await cursor.executemany(
            "INSERT INTO skill_vectors (embedder, text_hash, vector) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING",
            [(embedder, text_hash, vector) for text_hash, vector in vectors.items()],
        )


async def _read_all(conn: Connection, query: LiteralString, values: tuple[object, ...]) -> list[Version]:
    rows = await conn.execute(query, values)
    return [_read(row) for row in await rows.fetchall()]


def _read(row: dict[str, Any]) -> Version:
    return Version(
        id=UUID(str(row["id"])),
        skill=row["skill"],
        number=row["number"],
        content_hash=row["content_hash"],
        manifest=_manifest.validate_python(row["manifest"]),
        source=_source.validate_python(row["source"]),
        findings=_findings.validate_python(row["findings"]),
        safe=row["safe"],
        registered_at=row["registered_at"],
        registered_by=PrincipalId(row["registered_by"]),
        status=Status(row["status"]),
    )
