-- Which account of a channel is which person's: linked by a code that the person got while signed in.
CREATE TABLE linked_accounts (
  id uuid PRIMARY KEY,
  channel text NOT NULL,
  account text NOT NULL,
  principal_id uuid NOT NULL REFERENCES principals,
  linked_at timestamptz NOT NULL,
  made_by uuid,
  own_since timestamptz,
  lent_by uuid,
  UNIQUE (channel, account),
  UNIQUE (channel, principal_id)
);
CREATE TABLE link_codes (
  hash bytea PRIMARY KEY,
  channel text NOT NULL,
  principal_id uuid NOT NULL REFERENCES principals,
  expires_at timestamptz NOT NULL,
  made_by uuid,
  own_since timestamptz,
  lent_by uuid
);
-- What came in by a channel, so that each is handled once: two servers may get the same, and anybody may send it again.
CREATE TABLE received (
  channel text NOT NULL,
  key text NOT NULL,
  at timestamptz NOT NULL,
  done boolean NOT NULL DEFAULT false,
  -- the comment that it became, and the message under which it was written
  comment_id bigint,
  message_id uuid,
  PRIMARY KEY (channel, key)
);
CREATE INDEX received_at ON received (at);
CREATE INDEX received_comment ON received (comment_id) WHERE comment_id IS NOT NULL;
