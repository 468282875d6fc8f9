-- A skill by its name. Its versions, with their decisions, say which one is in force.
CREATE TABLE skills (
  name text PRIMARY KEY,
  -- versions that were registered before do not count any more
  deleted_at timestamptz,
  deleted_by uuid REFERENCES principals
);

-- Each content that was ever proposed for a skill. Its hold has the same id and holds the decision: nothing of that is
-- written here, so the two cannot differ.
CREATE TABLE skill_versions (
  id uuid PRIMARY KEY,
  skill text NOT NULL REFERENCES skills,
  number integer NOT NULL,
  -- of all files, paths and contents
  content_hash text NOT NULL,
  manifest json NOT NULL,
  source json NOT NULL,
  findings json NOT NULL,
  safe boolean NOT NULL,
  registered_at timestamptz NOT NULL,
  registered_by uuid NOT NULL REFERENCES principals,
  UNIQUE (skill, number)
);

-- Files by the hash of the whole they belong to: the same content is kept once.
CREATE TABLE skill_files (
  content_hash text NOT NULL,
  path text NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (content_hash, path)
);

-- Descriptions as vectors, by the embedder that made them: 32-bit floats in the machine's order of bytes.
CREATE TABLE skill_vectors (
  embedder text NOT NULL,
  text_hash text NOT NULL,
  vector bytea NOT NULL,
  PRIMARY KEY (embedder, text_hash)
);
