-- A reply names the comment that it answers, so that a program can tell what it has answered.
ALTER TABLE comments ADD COLUMN reply_to bigint REFERENCES comments;
