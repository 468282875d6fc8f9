-- How many comments a principal made lately.
CREATE INDEX comments_principal ON comments (principal_id, at);
