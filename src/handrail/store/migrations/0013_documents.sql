-- What somebody gave us to read. The same content of the same owner is one document.
CREATE TABLE documents (
  id uuid PRIMARY KEY,
  owner_id uuid NOT NULL REFERENCES principals,
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('pdf', 'html', 'txt', 'md')),
  -- SHA-256 of the file
  digest text NOT NULL,
  size bigint NOT NULL,
  pages integer,
  metadata json NOT NULL,
  -- the Markdown that positions of chunks count in
  text text NOT NULL,
  blocks json NOT NULL,
  created_at timestamptz NOT NULL,
  UNIQUE (owner_id, digest)
);

-- Ids follow the order of commits: who has seen one has seen all that are smaller.
CREATE TABLE document_chunks (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  document_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
  text text NOT NULL,
  -- characters of the document's text
  starts integer NOT NULL,
  ends integer NOT NULL,
  page integer,
  section text,
  -- vectors of different embedders cannot be compared
  embedder text NOT NULL,
  -- 32-bit floats in the machine's order of bytes, of length one
  vector bytea NOT NULL
);
CREATE INDEX document_chunks_document ON document_chunks (document_id);
