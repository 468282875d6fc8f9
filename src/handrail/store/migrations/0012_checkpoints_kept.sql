-- Whether LangGraph's checkpoints of the run are still there.
ALTER TABLE runs ADD COLUMN kept boolean NOT NULL DEFAULT true;
CREATE INDEX runs_to_clear ON runs (ended_at) WHERE kept AND status IN ('completed', 'cancelled', 'expired');
