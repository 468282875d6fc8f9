-- Where people signed in from: shown to them, so that they notice a sign-in that was not theirs. It outlives its session.
CREATE TABLE sign_ins (
  -- that of the session
  id uuid PRIMARY KEY,
  principal_id uuid NOT NULL REFERENCES principals,
  how text NOT NULL,
  address text NOT NULL,
  -- what it says of itself
  browser text,
  at timestamptz NOT NULL
);
CREATE INDEX sign_ins_principal ON sign_ins (principal_id, at DESC);
