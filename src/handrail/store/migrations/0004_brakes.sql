-- Emergency brakes. One without `agent_id` stops everybody; rows stay when they are lifted.
CREATE TABLE brakes (
  id uuid PRIMARY KEY,
  agent_id uuid REFERENCES principals,
  pending text NOT NULL CHECK (pending IN ('freeze', 'deny')),
  reason text NOT NULL,
  set_by uuid NOT NULL REFERENCES principals,
  set_at timestamptz NOT NULL,
  lifted_by uuid REFERENCES principals,
  lifted_at timestamptz
);
CREATE UNIQUE INDEX brakes_on ON brakes (agent_id) NULLS NOT DISTINCT WHERE lifted_at IS NULL;
