-- People who are away, and who decides for them meanwhile. Rows stay when an absence ends.
CREATE TABLE absences (
  id uuid PRIMARY KEY,
  person_id uuid NOT NULL REFERENCES principals,
  stand_in_id uuid NOT NULL REFERENCES principals CHECK (stand_in_id <> person_id),
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL CHECK (ends_at > starts_at),
  -- each narrows what the stand-in decides; an empty one leaves everything in
  levels text[] NOT NULL,
  actions text[] NOT NULL,
  cases text[] NOT NULL,
  set_by uuid NOT NULL REFERENCES principals,
  set_at timestamptz NOT NULL,
  reason text,
  -- before its time
  ended_at timestamptz,
  ended_by uuid REFERENCES principals
);
CREATE INDEX absences_stand_in ON absences (stand_in_id, ends_at) WHERE ended_at IS NULL;
CREATE INDEX absences_person ON absences (person_id, ends_at) WHERE ended_at IS NULL;

-- Whether a stand-in may decide it, as its requirements say: lists and streams show it to them then.
ALTER TABLE holds ADD stand_ins boolean NOT NULL DEFAULT false;
