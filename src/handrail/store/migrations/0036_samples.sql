-- Low actions that ran unasked and were drawn to be looked at afterwards; and what the person found who did.
CREATE TABLE samples (
  hold_id uuid PRIMARY KEY REFERENCES holds ON DELETE CASCADE,
  drawn_at timestamptz NOT NULL,
  looked_at timestamptz,
  looked_by uuid REFERENCES principals,
  finding boolean,
  reason text
);
CREATE INDEX samples_open ON samples (drawn_at) WHERE looked_at IS NULL;
CREATE INDEX samples_found ON samples (looked_at DESC) WHERE finding;
