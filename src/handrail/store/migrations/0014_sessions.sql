-- Runs of skills that have not ended: few, by when something last happened in them.
CREATE INDEX runs_sessions ON runs (active_at) WHERE workflow = 'skill' AND ended_at IS NULL;
CREATE INDEX runs_skill ON runs ((input ->> 'skill_id'), created_at DESC, id DESC) WHERE workflow = 'skill';
-- A model that goes on talking is active, also where its message takes very long.
ALTER TABLE message_chunks ADD COLUMN at timestamptz NOT NULL DEFAULT handrail_now();
