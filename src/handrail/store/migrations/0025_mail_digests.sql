-- Until when further notices wait for a person's next mail, and the notice that began the wait.
CREATE TABLE mail_windows (
  principal_id uuid PRIMARY KEY REFERENCES principals,
  until timestamptz NOT NULL,
  delivery_id uuid NOT NULL
);
