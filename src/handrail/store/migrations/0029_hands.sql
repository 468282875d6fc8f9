-- In which browser a person signed in or registered a passkey, as the hash of the secret that it keeps; and which account
-- each link was to, also once it is removed: by them it shows where one hand stands behind two approvers.
ALTER TABLE sign_ins ADD device bytea;
ALTER TABLE passkeys ADD device bytea;
CREATE TABLE account_history (
  link_id uuid PRIMARY KEY,
  channel text NOT NULL,
  account text NOT NULL
);
INSERT INTO account_history SELECT id, channel, account FROM linked_accounts;
CREATE TABLE hold_warnings (
  hold_id uuid NOT NULL REFERENCES holds,
  sign text NOT NULL,
  -- in the order of their ids
  people uuid[] NOT NULL,
  channel text,
  at timestamptz NOT NULL,
  PRIMARY KEY (hold_id, sign, people)
);
