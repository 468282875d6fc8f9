-- How a person wants to be notified: channels in order, and when to be left alone.
CREATE TABLE channel_choices (
  principal_id uuid PRIMARY KEY REFERENCES principals,
  channels text[],
  quiet_from time,
  quiet_to time,
  timezone text NOT NULL
);
-- Holds whose people were reminded of this deadline.
CREATE TABLE reminders (
  hold_id uuid NOT NULL REFERENCES holds,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (hold_id, expires_at)
);
CREATE INDEX holds_deadline ON holds (due_at) WHERE status = 'pending';
