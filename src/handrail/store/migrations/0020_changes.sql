-- Code changes by their repository, newest first; and what the log last said of one's stage and branch.
CREATE INDEX runs_repository ON runs ((input ->> 'repo_url'), created_at DESC, id DESC)
  WHERE workflow IN ('change', 'demo-change');
CREATE INDEX events_of_changes ON events (run_id, type, seq)
  WHERE type IN ('change.stage_began', 'change.committed');
