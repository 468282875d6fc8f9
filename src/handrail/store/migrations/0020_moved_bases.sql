-- What an approved change became upon a base branch that had moved: said by its run, checked against what was approved.
ALTER TABLE attestations ADD COLUMN moved jsonb;
