-- What the workers serve. A worker writes its list here at start, so that the API needs none of the users' code.
CREATE TABLE workflows (
  name text PRIMARY KEY,
  description text,
  -- changes when the graph's nodes, edges or schemas do
  version text,
  input_schema json,
  diagram text,
  -- why it cannot run: the traceback of its import
  error text,
  seen_at timestamptz NOT NULL
);

-- One execution of a workflow. The row is also its place in the queue: `ready_at` says when a worker may take it.
CREATE TABLE runs (
  id uuid PRIMARY KEY,
  workflow text NOT NULL,
  version text,
  mode text,
  status text NOT NULL CHECK (status IN
    ('queued', 'running', 'paused', 'completed', 'failed', 'cancelled', 'expired')),
  input json NOT NULL,
  -- the person, service or agent that started it, and the agent that opens its holds
  starter_id uuid NOT NULL REFERENCES principals,
  agent_id uuid NOT NULL REFERENCES principals,
  -- each claim raises the epoch; what a worker writes counts only under the epoch it claimed
  epoch integer NOT NULL DEFAULT 0,
  -- when it may be claimed: now for a queued run, the end of the lease for a running one, null for one that waits or ended
  ready_at timestamptz,
  worker text,
  -- claims since the last checkpoint: a run that kills its workers ends
  attempts integer NOT NULL DEFAULT 0,
  steps integer NOT NULL DEFAULT 0,
  max_steps integer NOT NULL,
  -- seconds at work, not waiting
  worked double precision NOT NULL DEFAULT 0,
  max_seconds double precision NOT NULL,
  tokens_in bigint NOT NULL DEFAULT 0,
  tokens_out bigint NOT NULL DEFAULT 0,
  cost numeric NOT NULL DEFAULT 0,
  max_cost numeric,
  result json,
  error json,
  created_at timestamptz NOT NULL,
  started_at timestamptz,
  ended_at timestamptz,
  -- the last thing that a person or the run did
  active_at timestamptz NOT NULL
);
CREATE INDEX runs_ready ON runs (ready_at) WHERE ready_at IS NOT NULL;
CREATE INDEX runs_newest ON runs (created_at DESC, id DESC);
CREATE INDEX runs_starter ON runs (starter_id, created_at DESC, id DESC);
CREATE INDEX runs_status ON runs (status, created_at DESC, id DESC);

-- Calls to the world outside. Reserved before the call, completed after it; one that was reserved and never
-- completed may have happened.
CREATE TABLE effects (
  run_id uuid NOT NULL REFERENCES runs,
  task text NOT NULL,
  call integer NOT NULL,
  name text NOT NULL,
  -- of the arguments: the same place in another run of the node may want another thing
  digest text NOT NULL,
  key text NOT NULL,
  reserved_at timestamptz NOT NULL,
  completed_at timestamptz,
  result json,
  PRIMARY KEY (run_id, task, call)
);

-- Text of a model as it comes. Chunks go when the message is complete and stands in the log.
CREATE TABLE message_chunks (
  run_id uuid NOT NULL REFERENCES runs,
  message_id text NOT NULL,
  attempt integer NOT NULL,
  start integer NOT NULL,
  kind text NOT NULL,
  text text NOT NULL,
  PRIMARY KEY (run_id, message_id, attempt, start)
);
