-- Notices to people, queued in the transaction of what they tell. `channels` are tried in order; `place` is where it is.
-- `body` is JSON kept as text: every attempt sends the same bytes.
CREATE TABLE deliveries (
  id uuid PRIMARY KEY,
  hold_id uuid NOT NULL REFERENCES holds,
  event text NOT NULL,
  route text NOT NULL,
  channels text[] NOT NULL,
  place integer NOT NULL DEFAULT 0,
  people uuid[] NOT NULL,
  body text NOT NULL,
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'delivered', 'dead')),
  attempts integer NOT NULL DEFAULT 0,
  queued_at timestamptz NOT NULL,
  -- when it is tried next; while an attempt is under way, when another may begin if this one is never heard of again
  next_at timestamptz NOT NULL,
  last_error text,
  delivered_at timestamptz
);
CREATE INDEX deliveries_due ON deliveries (next_at) WHERE status = 'queued';
CREATE INDEX deliveries_dead ON deliveries (id) WHERE status = 'dead';
CREATE INDEX deliveries_hold ON deliveries (hold_id, id);
