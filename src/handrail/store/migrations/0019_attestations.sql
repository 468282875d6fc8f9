-- Attestations of published changes. A run wishes for one; a process that has the audit key signs it, or says why not.
CREATE TABLE attestations (
  hold_id uuid PRIMARY KEY REFERENCES holds,
  wished_at timestamptz NOT NULL DEFAULT handrail_now(),
  attestation jsonb,
  refusal text
);
CREATE INDEX attestations_wished ON attestations (wished_at) WHERE attestation IS NULL AND refusal IS NULL;
