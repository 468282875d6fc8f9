-- Messages that people have outside, so that they can be brought up to date: one about a hold for each destination,
-- which is a person or a place that people share. `place` is where the other side keeps it, `told` the notices that it
-- has carried, `face` what it says of the hold.
CREATE TABLE messages (
  id uuid PRIMARY KEY,
  hold_id uuid NOT NULL REFERENCES holds,
  channel text NOT NULL,
  destination text NOT NULL,
  place text NOT NULL,
  told uuid[] NOT NULL,
  face text NOT NULL,
  sent_at timestamptz NOT NULL,
  -- since when it is out of date, where it is; set in the transaction of what it does not say yet
  due_at timestamptz,
  -- when it is tried next; while an attempt is under way, when another may begin if this one is never heard of again
  next_at timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  last_error text,
  -- somebody deleted it, or it can no longer be changed
  lost boolean NOT NULL DEFAULT false,
  UNIQUE (hold_id, channel, destination)
);
CREATE INDEX messages_due ON messages (channel, due_at) WHERE due_at IS NOT NULL AND NOT lost;
CREATE INDEX messages_place ON messages (channel, place);
