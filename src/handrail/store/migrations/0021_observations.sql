-- Agents whose holds go through unasked, and are recorded. Rows stay when an observation ends.
CREATE TABLE observations (
  id uuid PRIMARY KEY,
  agent_id uuid NOT NULL REFERENCES principals,
  reason text NOT NULL,
  begun_by uuid NOT NULL REFERENCES principals,
  begun_at timestamptz NOT NULL,
  ended_by uuid REFERENCES principals,
  ended_at timestamptz
);
CREATE UNIQUE INDEX observations_on ON observations (agent_id) WHERE ended_at IS NULL;
