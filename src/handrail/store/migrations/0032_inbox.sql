-- What decides whether a pending hold needs somebody: whose word is in, which of its requesters cannot decide it, whether
-- a stand-in must have been named by the absent person. `version` counts its changes: a snooze ends with the next one.
ALTER TABLE holds
  ADD COLUMN spoken uuid[] NOT NULL DEFAULT '{}',
  ADD COLUMN barred uuid[] NOT NULL DEFAULT '{}',
  ADD COLUMN in_person boolean NOT NULL DEFAULT false,
  ADD COLUMN version integer NOT NULL DEFAULT 0;
UPDATE holds SET
  spoken = ARRAY(
    SELECT who::uuid FROM json_array_elements(state -> 'reviews') AS review,
      LATERAL (VALUES (review ->> 'by'), (review ->> 'on_behalf_of')) AS both_of (who) WHERE who IS NOT NULL
  ),
  barred = CASE
    WHEN kind = 'input' OR action IS NULL THEN '{}'
    WHEN state ->> 'origin' = 'grant' THEN array_remove(array_remove(ARRAY[starter_id], opener_id), NULL)
    WHEN action = 'skill.register' OR level IN ('high', 'critical')
      OR level = 'medium' AND state #>> '{assessment,requirements,requester_may_decide}' IS DISTINCT FROM 'true'
      THEN array_remove(ARRAY[opener_id, starter_id], NULL)
    ELSE '{}'
  END,
  in_person = 'true' IN (
    coalesce(state #>> '{assessment,requirements,own_credential}', ''),
    coalesce(state #>> '{assessment,requirements,passkey}', '')
  )
WHERE status = 'pending';

-- Who looks at a hold, themself or asked by somebody. It reserves nothing: whoever may decide still may.
CREATE TABLE assignees (
  hold_id uuid PRIMARY KEY REFERENCES holds ON DELETE CASCADE,
  principal_id uuid NOT NULL REFERENCES principals,
  assigned_by uuid NOT NULL REFERENCES principals,
  at timestamptz NOT NULL
);
CREATE INDEX assignees_principal ON assignees (principal_id);

-- What somebody does not want to see in their inbox until then, or until the hold changes.
CREATE TABLE snoozes (
  principal_id uuid NOT NULL REFERENCES principals,
  hold_id uuid NOT NULL REFERENCES holds ON DELETE CASCADE,
  until timestamptz NOT NULL,
  version integer NOT NULL,
  PRIMARY KEY (principal_id, hold_id)
);

-- Filters of the inbox under a person's own names.
CREATE TABLE saved_views (
  id uuid PRIMARY KEY,
  principal_id uuid NOT NULL REFERENCES principals,
  name text NOT NULL,
  filters json NOT NULL,
  saved_at timestamptz NOT NULL,
  UNIQUE (principal_id, name)
);
