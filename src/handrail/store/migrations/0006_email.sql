-- Where a person gets mail; and who of a notice's people has had theirs.
ALTER TABLE principals ADD email text;
ALTER TABLE deliveries ADD reached uuid[] NOT NULL DEFAULT '{}';
