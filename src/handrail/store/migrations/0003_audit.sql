-- The log is a chain: `hash` covers the entry before, what happened, and the salted hash of `data`.
-- Events that were numbered before there was a chain are numbered again, in their order.
INSERT INTO event_inbox (at, type, actor_id, hold_id, run_id, case_id, kind, audience_id, opener_id, starter_id, data)
  SELECT at, type, actor_id, hold_id, run_id, case_id, kind, audience_id, opener_id, starter_id, data
  FROM events ORDER BY seq;
DELETE FROM events;
-- `salt` is null where the data was erased: `data_hash` stays, and nobody can guess the data from it.
ALTER TABLE events
  ADD COLUMN salt bytea,
  ADD COLUMN data_hash bytea NOT NULL,
  ADD COLUMN hash bytea NOT NULL;
CREATE INDEX events_actor ON events (actor_id, seq) WHERE actor_id IS NOT NULL;

-- `hash` and `seals`: of the newest entry and seal; `key_id`: whose signature the next seal bears, null before the first.
ALTER TABLE feed_head
  ADD COLUMN hash bytea NOT NULL DEFAULT sha256('handrail audit log v1'),
  ADD COLUMN seals bigint NOT NULL DEFAULT 0,
  ADD COLUMN key_id text;
UPDATE feed_head SET seq = 0;

-- One for each batch of the sequencer: the signature on the hash of its last entry.
CREATE TABLE audit_seals (
  number bigint PRIMARY KEY,
  seq bigint NOT NULL UNIQUE,
  hash bytea NOT NULL,
  at timestamptz NOT NULL,
  key_id text NOT NULL,
  signature bytea NOT NULL
);
