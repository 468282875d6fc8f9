-- Which packs were on whose screen, by their hash: a review may name one of them. Not what they said.
CREATE TABLE packs_shown (
  hold_id uuid NOT NULL REFERENCES holds ON DELETE CASCADE,
  principal_id uuid NOT NULL REFERENCES principals,
  hash text NOT NULL,
  digest text NOT NULL,
  words integer NOT NULL,
  shown_at timestamptz NOT NULL,
  PRIMARY KEY (hold_id, principal_id, hash)
);
