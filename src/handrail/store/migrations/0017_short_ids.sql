-- Numbers for people: H-1042, R-77. Rows that are there get theirs in the order of time.
ALTER TABLE runs ADD COLUMN number bigint;
UPDATE runs SET number = n FROM (SELECT id, row_number() OVER (ORDER BY created_at, id) AS n FROM runs) AS ordered
  WHERE runs.id = ordered.id;
ALTER TABLE runs ALTER COLUMN number SET NOT NULL, ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY;
DO $$ BEGIN PERFORM setval(pg_get_serial_sequence('runs', 'number'), (SELECT count(*) FROM runs) + 1, false); END $$;
CREATE UNIQUE INDEX runs_number ON runs (number);

ALTER TABLE holds ADD COLUMN number bigint, ADD COLUMN run_number bigint;
UPDATE holds SET number = n, run_number = (SELECT runs.number FROM runs WHERE runs.id = holds.run_id)
  FROM (SELECT id, row_number() OVER (ORDER BY opened_at, id) AS n FROM holds) AS ordered WHERE holds.id = ordered.id;
ALTER TABLE holds ALTER COLUMN number SET NOT NULL, ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY;
DO $$ BEGIN PERFORM setval(pg_get_serial_sequence('holds', 'number'), (SELECT count(*) FROM holds) + 1, false); END $$;
CREATE UNIQUE INDEX holds_number ON holds (number);
