-- Answers with secrets, whole, encrypted with a key that is not in the database. Rows and events have hashes instead.
CREATE TABLE sealed_answers (
  hold_id uuid PRIMARY KEY REFERENCES holds,
  run_id uuid,
  box bytea NOT NULL
);
CREATE INDEX sealed_answers_run ON sealed_answers (run_id) WHERE run_id IS NOT NULL;
