"""What the derivers call a read, run for real: a database and a shell have the last word."""

from __future__ import annotations

import hashlib
import random
import sqlite3
import subprocess
from collections.abc import Sequence
from pathlib import Path

from handrail.policy.derivers import shell, sql
from handrail.policy.derivers.reading import READ

READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE}
OPERATORS_OF_SQLITE = {"like"}

STATEMENTS = [
    "select a, b from t where a = 1 order by b limit 5",
    "select t.a, u.b from t join u on t.a = u.a where t.b like 'x%'",
    "with q as (select a from t) select a from q union select b from u",
    "select case when a > 1 then 'x' else 'y' end from t",
    "select a from t where exists (select 1 from u where u.a = t.a)",
]
PIECES_OF_SQL = (
    "; -- /* */ ' \" ` [ ] ( ) , . * + || = delete drop table t insert into values (1) update set replace with"
    " recursive as select union all from where pragma attach begin commit vacuum count(*) random() a b u 1 null not in"
    " is like between and or limit offset returning on conflict do nothing explain query plan"
)
COMMANDS = (
    "ls -la",
    "cat x",
    "head -n 1 x",
    "grep -rn main src",
    "find . -name x",
    "sort x",
    "uniq x",
    "git log --oneline",
    "git diff",
    "git show HEAD",
    "git branch",
    "git tag",
    "date",
    "diff x y",
    "wc -l x",
    "file x",
)
PIECES_OF_SHELL = (
    "; | & && > < $( ` \\ ' \" * ? [a] ~ # ! { } ( ) touch rm x y made -o --output=made -exec -delete -fprint - -- = %"
    " ^ @ : , + -O -x -c -i $x ${x} -T -w -p -D -d -m -f -s -r -R new HEAD"
)


def changed(rng: random.Random, text: str, pieces: Sequence[str]) -> str:
    for _ in range(rng.randint(0, 3)):
        at = rng.randint(0, len(text))
        text = text[:at] + rng.choice(("", " ")) + rng.choice(pieces) + rng.choice(("", " ")) + text[at:]
    return text


def test_sqlite_only_reads_for_a_read() -> None:
    rng = random.Random(7)
    database = sqlite3.connect(":memory:")
    database.executescript("create table t (a, b); create table u (a, b); insert into t values (1, 'x'), (2, 'y')")
    done: list[tuple[int, str | None]] = []

    def allow(action: int, _first: str | None, name: str | None, *_rest: str | None) -> int:
        if action not in READING and name not in OPERATORS_OF_SQLITE:
            done.append((action, name))
        return sqlite3.SQLITE_OK

    database.set_authorizer(allow)
    reads = 0
    for _ in range(400):
        statement = changed(rng, rng.choice(STATEMENTS), PIECES_OF_SQL.split())
        if sql.read(statement).operations != READ:
            continue
        try:
            database.execute(statement).fetchmany(10)
        except sqlite3.Error:
            continue
        reads += 1
        assert not done, (statement, done)
    assert reads > 10


def test_a_shell_changes_nothing_for_a_read(tmp_path: Path) -> None:
    rng = random.Random(7)
    folder = tmp_path / "work"
    (folder / "src").mkdir(parents=True)
    for name in ("x", "y", "-o", "-delete", "src/main.py"):
        (folder / name).write_text("main\n1\n")
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    for words in (("init", "-q"), ("add", "-A"), (*identity, "commit", "-qm", "x")):
        subprocess.run(("git", *words), cwd=folder, check=True, env=_environment(folder))
    before = _contents(folder)
    reads = 0
    for _ in range(400):
        command = changed(rng, rng.choice(COMMANDS), PIECES_OF_SHELL.split())
        if shell.read(command).operations != READ:
            continue
        reads += 1
        subprocess.run(
            ("sh", "-c", command), cwd=folder, env=_environment(folder), stdin=subprocess.DEVNULL, capture_output=True
        )
        assert _contents(folder) == before, command
    assert reads > 10


def _environment(folder: Path) -> dict[str, str]:
    return {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(folder), "GIT_PAGER": "cat", "GIT_CONFIG_NOSYSTEM": "1"}


def _contents(folder: Path) -> dict[str, str]:
    """Every file with its hash; git's own index aside, which it refreshes whenever it looks."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != "index")
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
