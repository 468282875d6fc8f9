-- `pruned`: up to which entry the data was given up because it is older than it is to be kept.
ALTER TABLE feed_head ADD COLUMN pruned bigint NOT NULL DEFAULT 0;
CREATE INDEX deliveries_delivered ON deliveries (delivered_at) WHERE status = 'delivered';
