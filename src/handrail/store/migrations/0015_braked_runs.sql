-- An emergency brake stops a run where it is for everybody, for the run's agent, or for who started the run.
CREATE FUNCTION handrail_braked(agent uuid, starter uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM brakes WHERE lifted_at IS NULL AND (agent_id IS NULL OR agent_id IN (agent, starter)))
$$;

-- Says whether a brake stops the run. What a step did is kept in any case: it is the next step that is not begun.
DROP FUNCTION handrail_progress(uuid, integer, integer);
CREATE FUNCTION handrail_progress(run uuid, claimed integer, more_steps integer) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  held runs;
BEGIN
  UPDATE runs SET attempts = 0, steps = steps + more_steps, active_at = handrail_now()
    WHERE id = run AND epoch = claimed AND status = 'running' RETURNING * INTO held;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'run % is not held under epoch %', run, claimed USING ERRCODE = 'P0H01';
  END IF;
  RETURN handrail_braked(held.agent_id, held.starter_id);
END $$;
