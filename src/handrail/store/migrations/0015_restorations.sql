-- When the database was put back from a backup: approvals that were given until then and not used are void. `until` is
-- the log's last entry in the backup.
CREATE TABLE restorations (at timestamptz NOT NULL, until bigint NOT NULL);
-- Entries whose data is older than it is to be kept, and spared because their hold still waits.
CREATE TABLE spared_entries (seq bigint PRIMARY KEY REFERENCES events, hold_id uuid NOT NULL);
