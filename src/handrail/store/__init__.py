"""The only SQL: migrations, queries by subject, the embedded PostgreSQL."""
