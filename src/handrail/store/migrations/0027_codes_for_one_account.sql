-- The only account that may use a code, where others can read what is sent.
ALTER TABLE link_codes ADD account text;
