-- Figures are of the holds of a period, whoever may see them.
CREATE INDEX holds_opened ON holds (opened_at DESC);
CREATE INDEX holds_settled ON holds (decided_at) WHERE decided_at IS NOT NULL;
