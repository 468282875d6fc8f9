-- Standing permissions. The hold of the same id makes one: its action has the terms, its reviews are the makers' words.
-- The columns here are what finding, counting and ending it need. Rows stay when a grant ends.
CREATE TABLE grants (
  hold_id uuid PRIMARY KEY REFERENCES holds,
  owner_id uuid NOT NULL REFERENCES principals,
  agent_id uuid NOT NULL REFERENCES principals,
  action text NOT NULL,
  expires_at timestamptz NOT NULL,
  uses integer NOT NULL DEFAULT 0,
  spent numeric NOT NULL DEFAULT 0,
  -- the last day of UTC on which it was used, and what was spent on it
  day date,
  today numeric NOT NULL DEFAULT 0,
  last_used_at timestamptz,
  -- before its time
  ended_at timestamptz,
  ended_by uuid REFERENCES principals,
  ended_why text
);
CREATE INDEX grants_alive ON grants (agent_id, action, expires_at, hold_id) WHERE ended_at IS NULL;
CREATE INDEX grants_owner ON grants (owner_id) WHERE ended_at IS NULL;

-- What was decided of the same action before.
CREATE INDEX holds_like ON holds (action, opened_at DESC) WHERE status <> 'pending';
