-- Keys of people's own authenticators. One that was removed stays, so that the next one waits.
CREATE TABLE passkeys (
  id uuid PRIMARY KEY,
  principal_id uuid NOT NULL REFERENCES principals,
  credential_id bytea NOT NULL UNIQUE,
  public_key bytea NOT NULL,
  party text NOT NULL,
  label text NOT NULL,
  -- as the authenticator counts them: one that counts backwards is a copy
  signatures bigint NOT NULL,
  created_at timestamptz NOT NULL,
  -- when it may sign decisions
  signs_from timestamptz NOT NULL,
  last_used_at timestamptz,
  removed_at timestamptz
);
CREATE INDEX passkeys_principal ON passkeys (principal_id, created_at);

-- What authenticators were asked to sign; each is used once.
CREATE TABLE passkey_challenges (
  nonce text PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('register', 'sign_in', 'decide')),
  principal_id uuid REFERENCES principals,
  hold_id uuid REFERENCES holds,
  expires_at timestamptz NOT NULL
);
CREATE INDEX passkey_challenges_expiry ON passkey_challenges (expires_at);
