-- Devices of people that web push reaches: where the browser's push service takes messages for each, and the keys by
-- which only the device can read them.
CREATE TABLE push_devices (
  id uuid PRIMARY KEY,
  principal_id uuid NOT NULL REFERENCES principals,
  label text NOT NULL,
  endpoint text NOT NULL UNIQUE,
  public_key bytea NOT NULL,
  auth bytea NOT NULL,
  added_at timestamptz NOT NULL
);
CREATE INDEX push_devices_person ON push_devices (principal_id);
-- The key that proves to push services who sends; one for each database, because devices are bound to it. The private
-- part is sealed with a key outside the database.
CREATE TABLE push_keys (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  id uuid NOT NULL,
  public_key bytea NOT NULL,
  box bytea NOT NULL
);
