"""SQL: which statements are plain reads, and what the others do."""

from __future__ import annotations

import pytest

from handrail.policy.derivers import sql
from handrail.policy.derivers.reading import READ

READS = r"""
SELECT 1
SELECT 1;
select a, b from t
select * from users where id = 5
select u.id, u.name from users u where u.active = true order by u.name limit 10
select distinct a from t
select a as name, b "Other" from t
select users.id from public.users
select * from information_schema.tables
select t.* from t join u on t.a = u.a left join v using (b)
select * from t1, t2 where t1.a = t2.a
select a from t where b in (1, 2, 3) and c between 1 and 2 or d like 'x%'
select a from t where b is not null and not c
select a from t where exists (select 1 from u where u.a = t.a)
select a from t where b in (select c from u)
select case when a > 1 then 'big' else 'small' end as size from t
select a + b * 2 - c / 4 from t
select a || b from t
select x.a from (select a from t) as x
with q as (select a from t) select a from q
select a from t union all select b from u
select a from t group by a having a > 1
select a from t order by a desc nulls last offset 5
select a from t where b = ?
select a from t where b = :name
select a from t where b = $1
select a from t where b = %s
select a from t where b = %(name)s
select a from t where b = 'it''s; -- fine /* here */ # too'
select "a"."b" from "a"
SELECT größe FROM maße
select 1 from dual
"""

OTHERS = r"""
SELECT count(*) FROM t                                   => read execute
SELECT now()                                             => read execute
SELECT pg_sleep(10)                                      => read execute
SELECT pg_read_file('/etc/passwd')                       => read execute
SELECT lo_import('/etc/passwd')                          => read execute
SELECT pg_terminate_backend(1)                           => read execute
SELECT dblink('host=x', 'drop table t')                  => read execute
SELECT load_file('/etc/passwd')                          => read execute
SELECT load_extension('x')                               => read execute
SELECT nextval('s')                                      => read execute
SELECT s.nextval FROM dual                               => read execute
SELECT package.function FROM dual                        => read execute
SELECT my_function FROM dual                             => read execute
SELECT other.x FROM t                                    => read execute
SELECT NEXT VALUE FOR s                                  => read execute
SELECT current_user                                      => read execute
SELECT CAST(a AS int) FROM t                             => read execute
SELECT a::int FROM t                                     => read execute
SELECT * FROM generate_series(1, 2)                      => read execute
SELECT * FROM OPENROWSET('x', 'y', 'z')                  => read execute
SELECT * FROM read_csv('https://x.example/y')            => read execute
SELECT * FROM 'https://x.example/y.csv'                  => read execute
SELECT * FROM "https://x.example/y.csv"                  => read execute
SELECT * FROM "data.csv"                                 => read execute
SELECT * FROM server.db.dbo.t                            => read execute
SELECT * FROM t TABLESAMPLE (5)                          => read execute
SELECT * FROM t WITH (UPDLOCK)                           => read execute
SELECT * FROM t FOR UPDATE                               => read write
SELECT * FROM t FOR SHARE                                => read write
SELECT * FROM t FOR NO KEY UPDATE SKIP LOCKED            => read write
SELECT * FROM t LOCK IN SHARE MODE                       => read write
SELECT * INTO u FROM t                                   => read write
SELECT a INTO OUTFILE '/tmp/x' FROM t                    => execute write export
SELECT a INTO DUMPFILE '/tmp/x' FROM t                   => execute write export
WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x    => read delete
WITH x AS (INSERT INTO t VALUES (1) RETURNING *) SELECT * FROM x => read write
WITH x AS (UPDATE t SET a = 1 RETURNING *) SELECT * FROM x => read write
SELECT 1; SELECT 2                                       => read execute
SELECT 1; DROP TABLE t                                   => read delete
SELECT 1;; DROP TABLE t                                  => read delete
EXPLAIN SELECT 1                                         => read execute
EXPLAIN ANALYZE DELETE FROM t                            => read execute delete
SHOW TABLES                                              => read execute
DESCRIBE t                                               => read execute
DELETE FROM t WHERE a = 1                                => delete
DELETE FROM t                                            => delete
DROP TABLE t                                             => delete
DROP DATABASE d                                          => delete
TRUNCATE TABLE t                                         => delete
INSERT INTO t VALUES (1)                                 => write
INSERT INTO t SELECT * FROM u                            => write
UPDATE t SET a = 1 WHERE b = 2                           => write
MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN UPDATE SET b = 1 => write
MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN DELETE => write
SELECT a FROM t x (TABLOCKX, HOLDLOCK)                   => read execute
SELECT a FROM t AS x (UPDLOCK)                           => read execute
SELECT a FROM t UPDLOCK (b)                              => read execute
CREATE TABLE t (a int)                                   => migrate
CREATE TABLE t AS SELECT * FROM u                        => migrate
CREATE OR REPLACE TABLE t (a int)                        => migrate delete
CREATE INDEX i ON t (a)                                  => migrate
CREATE FUNCTION f() RETURNS int AS 'x' LANGUAGE c        => migrate execute
ALTER TABLE t ADD COLUMN b int                           => migrate
ALTER TABLE t DROP COLUMN b                              => migrate delete
GRANT ALL ON t TO u                                      => grant
REVOKE ALL ON t FROM u                                   => grant
CREATE ROLE r                                            => execute migrate grant
CREATE USER u IDENTIFIED BY 'x'                          => execute migrate grant
ALTER USER u WITH SUPERUSER                              => execute migrate grant
SET ROLE postgres                                        => execute configure grant
SET x = 1                                                => configure
USE other                                                => configure
PRAGMA writable_schema = 1                               => configure
COPY t TO '/tmp/x'                                       => export
COPY t TO PROGRAM 'curl x'                               => export execute
COPY t FROM PROGRAM 'curl x'                             => write execute
COPY t FROM 's3://b/k'                                   => write
EXPORT DATA OPTIONS(uri='gs://b/k') AS SELECT 1          => export
UNLOAD ('select 1') TO 's3://b'                          => execute export
CALL f()                                                 => execute
EXEC sp_configure                                        => execute
EXEC xp_cmdshell 'dir'                                   => execute
DO $$ BEGIN DELETE FROM t; END $$                        => execute delete
BEGIN                                                    => execute
VACUUM                                                   => execute migrate
KILL 5                                                   => execute
LOAD DATA INFILE 'x' INTO TABLE t                        => execute write
REPLACE INTO t VALUES (1)                                => execute write
ATTACH DATABASE 'x' AS y                                 => execute migrate
REFRESH MATERIALIZED VIEW v                              => execute migrate
"""

UNCLEAR = r"""
SELECT 1 -- x
SELECT 1 --x\nFROM t
SELECT /* x */ 1
SELECT /*! 1 */
SELECT 1 /*!50000 INTO OUTFILE '/tmp/x' */
SELECT /*!99999 1 */ FROM t
SELECT /* /* */ 1 /* */ */
SELECT /*+ x */ 1
SELECT 1 # x
SELECT 1 #\nDROP TABLE t
SELECT '\'; DROP TABLE t; --'
SELECT 'a\\'
SELECT "a'b"
SELECT 'a"b'
SELECT `a'b` FROM t
SELECT ''' OR 1=1
SELECT E'a'
SELECT q'[a]'
SELECT q'!it's!' FROM dual
SELECT N'a'
SELECT U&'a'
SELECT $$a$$
SELECT $x$a$x$
SELECT a$b FROM t
SELECT @a
SELECT @@version
SELECT @a := 1
SELECT * FROM t@remote
SELECT * FROM @stage
SELECT {fn now()}
SELECT 1 SHUTDOWN
SELECT 1 a SHUTDOWN
SELECT a FROM t CHECKPOINT
SELECT a FROM t COMMIT
SELECT a FROM t ROLLBACK
SELECT a FROM t DELETE
SELECT a FROM t DELETE FROM u
SELECT 1 DROP TABLE t
SELECT 1 EXEC xp_cmdshell
SELECT 1\nGO\nDROP TABLE t
SELECT 1 \gexec
SELECT 1 \! rm x
\! rm x
.shell rm x
SELECT 1；DROP TABLE t
SELECT ‘a’
SELECT 1\x00
SELECT\u00a01
SELECT\u200b 1
SELECT\u2028 1
SELECT TOP 5 * FROM t
SELECT `a` FROM `t`
SELECT [a] FROM [t]
SELECT * FROM t PROCEDURE ANALYSE()
some words
SELECT
SELECT FROM
SELEC 1
(
'
"""


def rows(table: str) -> list[str]:
    marks = {"\\n": "\n", "\\x00": "\0", "\\u00a0": "\u00a0", "\\u200b": "\u200b", "\\u2028": "\u2028"}
    lines = table.strip().splitlines()
    for written, meant in marks.items():
        lines = [line.replace(written, meant) for line in lines]
    return lines


def effects(table: str) -> list[tuple[str, str]]:
    return [(statement.strip(), effect.strip()) for statement, effect in (row.split("=>") for row in rows(table))]


@pytest.mark.parametrize("statement", rows(READS))
def test_one_select_that_calls_nothing_is_a_read(statement: str) -> None:
    reading = sql.read(statement)
    assert reading.operations == READ, reading
    assert reading.unclear is None
    assert "database" in reading.resources


@pytest.mark.parametrize(("statement", "operations"), effects(OTHERS))
def test_what_a_statement_does(statement: str, operations: str) -> None:
    assert sql.read(statement).operations == set(operations.split())


@pytest.mark.parametrize("statement", rows(UNCLEAR))
def test_what_databases_may_read_differently_is_unclear(statement: str) -> None:
    reading = sql.read(statement)
    assert reading.unclear
    assert reading.operations != READ


@pytest.mark.parametrize("statement", ["", " ", ";", "\n", "--", "/*", "garbage", "SELECT '"])
def test_what_does_not_parse_may_do_anything(statement: str) -> None:
    reading = sql.read(statement)
    assert "execute" in reading.operations
    assert reading.unclear


def test_words_of_a_comment_count_as_some_databases_run_them() -> None:
    assert "delete" in sql.read("SELECT 1 /*!50000 ; DROP TABLE users */").operations


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("DELETE FROM users", "DELETE from users without WHERE"),
        ("UPDATE users SET a = 1", "UPDATE on users without WHERE"),
        ("DELETE FROM users WHERE id = 1", "DELETE from users"),
        ("SELECT a FROM t JOIN u ON t.a = u.a", "SELECT from t, u"),
        ("SELECT count(*) FROM t", "SELECT from t with the function count"),
        ("SELECT 1; DROP TABLE t", "2 statements: SELECT, DROP TABLE on t"),
        ("SELECT * FROM t FOR UPDATE", "SELECT from t and locks rows"),
    ],
)
def test_reasons_name_tables_and_never_values(statement: str, reason: str) -> None:
    assert sql.read(statement).reason == reason
    assert "s3cret" not in repr(sql.read(statement + " WHERE k = 's3cret'"))


@pytest.mark.parametrize(
    ("statement", "is_secret"),
    [
        ("SELECT * FROM pg_shadow", True),
        ("SELECT * FROM pg_authid", True),
        ("SELECT * FROM mysql.user", True),
        ("SELECT password_hash FROM users", True),
        ("SELECT api_key FROM customers", True),
        ("SELECT value FROM oauth_access_tokens", True),
        ("SELECT * FROM secrets", True),
        ("SELECT name FROM users", False),
        ("SELECT prompt_tokens FROM calls", False),
    ],
)
def test_tables_and_columns_of_secrets_are_named(statement: str, is_secret: bool) -> None:
    assert ("credential" in sql.read(statement).resources) is is_secret


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT a FROM t " + "JOIN u " * 40,
        "SELECT " + "(" * 5000,
        "SELECT " + "[" * 15,
        "SELECT " + "NOT " * 2000 + "a",
        "SELECT " + "- " * 2000 + "1",
        "SELECT " + "CASE WHEN a THEN " * 500,
        "SELECT " + "a, " * 5000 + "a",
        "SELECT 1 UNION " * 90 + "SELECT 1",
        "\n" * 60_000 + "SELECT 1",
        "SELECT " + "a" * 70_000,
    ],
)
def test_a_statement_that_takes_long_to_parse_is_unclear(statement: str) -> None:
    reading = sql.read(statement)
    assert reading.unclear
    assert reading.operations != READ


def test_other_numbers_make_no_other_statement() -> None:
    readings = {sql.read(f"SELECT name FROM orders WHERE id IN ({n}, {n + 1}) LIMIT {n}") for n in range(3)}
    assert len(readings) == 1


@pytest.mark.parametrize("table", ["sales_2024", '"sales-2024"', '"2024"', "y.2024_sales"])
def test_a_number_in_a_name_is_never_another(table: str) -> None:
    readings = {sql.read(f"DELETE FROM {table.replace('2024', year)} WHERE id = 7") for year in ("2024", "2025")}
    assert len(readings) == 2 or "2024" not in repr(readings)
