-- The holds with certain words, found by these alone. Of words that it does not know the planner expects one in fifty
-- holds, and so it reads the inbox's index of a whole level, or all holds, as well as the few that have them.
CREATE FUNCTION handrail_holds_with(sought tsquery, at_most integer) RETURNS SETOF uuid
LANGUAGE sql STABLE SET enable_seqscan = off AS $$
  SELECT id FROM holds WHERE search @@ sought LIMIT at_most
$$;
