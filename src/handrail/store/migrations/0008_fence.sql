-- What a worker writes counts only under the epoch that it claimed. The lock keeps the run from being taken by another
-- until the writing transaction ends; an error, not an empty answer, so that it can stand first in a pipeline.
CREATE FUNCTION handrail_fence(run uuid, claimed integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM runs WHERE id = run AND epoch = claimed AND status = 'running' FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'run % is not held under epoch %', run, claimed USING ERRCODE = 'P0H01';
  END IF;
END $$;

-- The same, for a checkpoint: progress, so that claims are counted anew.
CREATE FUNCTION handrail_progress(run uuid, claimed integer, more_steps integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE runs SET attempts = 0, steps = steps + more_steps, active_at = handrail_now()
    WHERE id = run AND epoch = claimed AND status = 'running';
  IF NOT FOUND THEN
    RAISE EXCEPTION 'run % is not held under epoch %', run, claimed USING ERRCODE = 'P0H01';
  END IF;
END $$;
