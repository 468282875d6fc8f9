-- Files that a run works on, and that people gave it; what it leaves are its artifacts.
CREATE TABLE run_files (
  run_id uuid NOT NULL REFERENCES runs,
  path text NOT NULL,
  content bytea NOT NULL,
  -- SHA-256 of the content
  digest text NOT NULL,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (run_id, path)
);
