-- Who a company's provider says a person is: bound by issuer and subject, never by address or name.
CREATE TABLE sso_identities (
  issuer text NOT NULL,
  subject text NOT NULL,
  principal_id uuid NOT NULL UNIQUE REFERENCES principals,
  provider text NOT NULL,
  -- when the provider is asked again, and until when its last word counts
  ask_at timestamptz NOT NULL,
  vouched_until timestamptz NOT NULL,
  -- one server asks at a time: a refresh token that is used twice is revoked
  asking_until timestamptz,
  -- sealed; nothing where the provider gave none
  refresh_token bytea,
  PRIMARY KEY (issuer, subject)
);

-- Sign-ins that were begun and are not finished: each is used once, in the browser that began it.
CREATE TABLE sso_flows (
  state_hash bytea PRIMARY KEY,
  browser_hash bytea NOT NULL,
  provider text NOT NULL,
  nonce text NOT NULL,
  verifier text NOT NULL,
  next text NOT NULL,
  -- the sign-in that this one replaces, and the person whose account is to be linked
  replaces uuid,
  link_to uuid REFERENCES principals,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sso_flows_expiry ON sso_flows (expires_at);

-- Logout tokens that were used.
CREATE TABLE sso_logouts (
  issuer text NOT NULL,
  jti text NOT NULL,
  forget_at timestamptz NOT NULL,
  PRIMARY KEY (issuer, jti)
);

-- The provider's own session, so that ending it there ends it here.
ALTER TABLE sessions ADD provider_session text;
