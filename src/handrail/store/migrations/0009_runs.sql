-- The level at which a task was assessed when its run started; nothing for a run that is no task.
ALTER TABLE runs ADD COLUMN risk text;
-- for the sweep of holds whose run has ended
CREATE INDEX runs_ended ON runs (ended_at) WHERE ended_at IS NOT NULL;
