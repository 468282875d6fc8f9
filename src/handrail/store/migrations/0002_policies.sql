-- Every policy that was ever in force, as its files; the newest is in force. Never changed, never deleted.
CREATE TABLE policies (
  version integer PRIMARY KEY,
  files json NOT NULL,
  reason text,
  applied_by uuid REFERENCES principals,
  applied_at timestamptz NOT NULL
);
