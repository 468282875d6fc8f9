-- Passwords tried, by what is counted together (a hash: what people type as a name may be their password). In the
-- database, so that all replicas count as one.
CREATE TABLE sign_in_attempts (
  counted bytea PRIMARY KEY,
  tries integer NOT NULL,
  last_at timestamptz NOT NULL
);
CREATE INDEX sign_in_attempts_age ON sign_in_attempts (last_at);

-- Browsers in which a person has signed in before: their tries are counted apart from those of strangers.
CREATE TABLE sign_in_devices (
  hash bytea NOT NULL,
  principal_id uuid NOT NULL REFERENCES principals,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (hash, principal_id)
);
CREATE INDEX sign_in_devices_principal ON sign_in_devices (principal_id);
