-- Where a way in comes from: who made it (nobody: the operator, or before this was kept), since when it is the
-- person's own, and who had lent them what they made it their own with.
ALTER TABLE tokens
  ADD made_by uuid REFERENCES principals,
  ADD own_since timestamptz,
  ADD lent_by uuid REFERENCES principals;

ALTER TABLE sessions
  ADD id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  ADD by_link boolean NOT NULL DEFAULT false,
  ADD made_by uuid REFERENCES principals,
  ADD own_since timestamptz,
  ADD lent_by uuid REFERENCES principals;

ALTER TABLE sign_in_codes
  ADD made_by uuid REFERENCES principals,
  ADD own_since timestamptz,
  ADD lent_by uuid REFERENCES principals;

-- Of the password.
ALTER TABLE principals
  ADD made_by uuid REFERENCES principals,
  ADD own_since timestamptz,
  ADD lent_by uuid REFERENCES principals;
