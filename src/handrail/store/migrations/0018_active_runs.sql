-- Runs that have not ended, by workflow: limits and idle times are those of any workflow that has some.
-- Without active_at, which each checkpoint changes: an index on it would make every one of them write all indexes.
CREATE INDEX runs_active ON runs (workflow) WHERE ended_at IS NULL;
DROP INDEX runs_sessions;
