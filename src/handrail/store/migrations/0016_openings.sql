-- What agents have opened in the window that began at `since`; lost in a crash, which costs nothing.
CREATE UNLOGGED TABLE openings (
  principal_id uuid PRIMARY KEY REFERENCES principals,
  since timestamptz NOT NULL,
  taken integer NOT NULL
);
