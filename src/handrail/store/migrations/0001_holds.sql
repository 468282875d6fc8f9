-- The only clock. Tests shift it; nothing else writes here.
CREATE TABLE clock (shift interval NOT NULL DEFAULT '0');
INSERT INTO clock DEFAULT VALUES;
CREATE FUNCTION handrail_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS
  'SELECT clock_timestamp() + shift FROM clock';

CREATE TABLE principals (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('person', 'service', 'agent')),
  roles text[] NOT NULL DEFAULT '{}',
  password_hash text,
  active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX principals_name ON principals (lower(name));

-- Tokens, browser sessions and one-time codes are random; only their SHA-256 is kept.
CREATE TABLE tokens (
  id uuid PRIMARY KEY,
  principal_id uuid NOT NULL REFERENCES principals,
  hash bytea NOT NULL UNIQUE,
  label text,
  scopes text[] NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
CREATE INDEX tokens_principal ON tokens (principal_id);

CREATE TABLE sessions (
  hash bytea PRIMARY KEY,
  principal_id uuid NOT NULL REFERENCES principals,
  csrf_token text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_principal ON sessions (principal_id);

CREATE TABLE sign_in_codes (
  hash bytea PRIMARY KEY,
  principal_id uuid NOT NULL REFERENCES principals,
  expires_at timestamptz NOT NULL
);

-- The sets of roles that may decide. There are few, and each hold names one: so what a person may see is an
-- exact index range for each of the person's audiences, however many holds wait.
CREATE TABLE audiences (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  roles text[] NOT NULL UNIQUE
);

-- `state` is the whole hold, verbatim (json, not jsonb: jsonb rewrites numbers, and digests cover them); the other columns are what queries and the sweep need of it.
CREATE TABLE holds (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  status text NOT NULL,
  level text NOT NULL,
  title text NOT NULL,
  action text NOT NULL,
  case_id text,
  run_id uuid,
  opener_id uuid NOT NULL REFERENCES principals,
  starter_id uuid REFERENCES principals,
  audience_id integer NOT NULL REFERENCES audiences,
  opened_at timestamptz NOT NULL,
  decided_at timestamptz,
  -- urgency: 0 critical … 3 low; due_at: infinity where there is no deadline
  urgency smallint NOT NULL,
  due_at timestamptz NOT NULL,
  -- the next thing the clock will do: escalate or expire
  alarm_at timestamptz,
  search tsvector NOT NULL,
  state json NOT NULL
);
-- Pending by urgency, decided by time, each for the three ways in which a hold is somebody's to see.
CREATE INDEX holds_inbox ON holds (audience_id, urgency, due_at, id) WHERE status = 'pending';
CREATE INDEX holds_inbox_opener ON holds (opener_id, urgency, due_at, id) WHERE status = 'pending';
CREATE INDEX holds_inbox_starter ON holds (starter_id, urgency, due_at, id)
  WHERE status = 'pending' AND starter_id IS NOT NULL;
CREATE INDEX holds_decided ON holds (audience_id, status, opened_at DESC, id DESC) WHERE status <> 'pending';
CREATE INDEX holds_decided_opener ON holds (opener_id, status, opened_at DESC, id DESC) WHERE status <> 'pending';
CREATE INDEX holds_decided_starter ON holds (starter_id, status, opened_at DESC, id DESC)
  WHERE status <> 'pending' AND starter_id IS NOT NULL;
CREATE INDEX holds_alarm ON holds (alarm_at) WHERE alarm_at IS NOT NULL;
CREATE INDEX holds_case ON holds (case_id, opened_at, id) WHERE case_id IS NOT NULL;
CREATE INDEX holds_run ON holds (run_id, opened_at, id) WHERE run_id IS NOT NULL;
CREATE INDEX holds_search ON holds USING gin (search);

-- Revisions that an amendment replaced.
CREATE TABLE hold_revisions (
  hold_id uuid NOT NULL REFERENCES holds,
  revision integer NOT NULL,
  digest text NOT NULL,
  state json NOT NULL,
  replaced_at timestamptz NOT NULL,
  PRIMARY KEY (hold_id, revision)
);

CREATE TABLE comments (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  hold_id uuid NOT NULL REFERENCES holds,
  principal_id uuid NOT NULL REFERENCES principals,
  at timestamptz NOT NULL,
  text text NOT NULL
);
CREATE INDEX comments_hold ON comments (hold_id, id);

CREATE TABLE idempotency_keys (
  principal_id uuid NOT NULL REFERENCES principals,
  operation text NOT NULL,
  key text NOT NULL,
  body_hash text NOT NULL,
  subject_id uuid NOT NULL,
  PRIMARY KEY (principal_id, operation, key)
);

-- Commands insert here in their own transaction; the sequencer alone moves rows to `events` and numbers them.
CREATE TABLE event_inbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  type text NOT NULL,
  actor_id uuid,
  hold_id uuid,
  run_id uuid,
  case_id text,
  kind text,
  audience_id integer,
  opener_id uuid,
  starter_id uuid,
  data json NOT NULL
);

-- Append-only. `seq` is dense: a late commit gets a later number, so a cursor never misses one.
CREATE TABLE events (
  seq bigint PRIMARY KEY,
  at timestamptz NOT NULL,
  type text NOT NULL,
  actor_id uuid,
  hold_id uuid,
  run_id uuid,
  case_id text,
  kind text,
  audience_id integer,
  opener_id uuid,
  starter_id uuid,
  data json NOT NULL
);
CREATE INDEX events_hold ON events (hold_id, seq) WHERE hold_id IS NOT NULL;
CREATE INDEX events_run ON events (run_id, seq) WHERE run_id IS NOT NULL;
CREATE INDEX events_case ON events (case_id, seq) WHERE case_id IS NOT NULL;

CREATE TABLE feed_head (seq bigint NOT NULL);
INSERT INTO feed_head VALUES (0);
