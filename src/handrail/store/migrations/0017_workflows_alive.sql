-- A workflow may be known before any worker has served it; while one does, it says so every few seconds.
ALTER TABLE workflows ALTER COLUMN seen_at DROP NOT NULL;
-- an input that it works with
ALTER TABLE workflows ADD COLUMN example json;
