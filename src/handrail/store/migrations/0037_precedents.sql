-- the newest that people decided of one action: an agent can make any number of others
CREATE INDEX holds_precedents ON holds (action, opened_at DESC) WHERE basis = 'people';
