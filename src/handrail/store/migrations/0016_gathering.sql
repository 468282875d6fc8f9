-- Whether a notice waits for others, to tell of them too; and what was queued lately.
ALTER TABLE deliveries ADD COLUMN gathers boolean NOT NULL DEFAULT false;
CREATE INDEX deliveries_lately ON deliveries (queued_at);
