-- How a person reads dates, on every device: their time zone and language, where they chose any.
CREATE TABLE date_choices (
  principal_id uuid PRIMARY KEY REFERENCES principals,
  zone text,
  language text
);
