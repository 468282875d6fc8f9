-- A confirmation or an input may carry no action.
ALTER TABLE holds ALTER COLUMN action DROP NOT NULL;

-- What this service or person claims of an action counts as a fact: an administrator says so.
ALTER TABLE principals ADD COLUMN trusted_claims boolean NOT NULL DEFAULT false;
