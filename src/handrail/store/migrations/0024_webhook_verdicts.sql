-- By which a person's own program signs what they decide; sealed with a key outside the database.
ALTER TABLE linked_accounts ADD secret bytea;
