-- What a command needs to know before it decides, in one round trip: the locks, and what is so once they are had. Each
-- statement of such a function sees what is committed when it begins. `brake_lock` is the lock that whoever sets a brake
-- waits for.

-- A command on a hold, which is locked until the transaction ends. Without `brake_lock`, brakes are not looked at.
-- `roles` are the caller's as they are now, nothing where that is no active person.
CREATE FUNCTION handrail_lock_hold(
  hold uuid, caller uuid, brake_lock bigint,
  OUT state text, OUT number bigint, OUT run_number bigint, OUT now timestamptz, OUT brake_id uuid, OUT roles text[],
  OUT restored_at timestamptz
) LANGUAGE plpgsql AS $$
DECLARE
  opener uuid;
BEGIN
  IF brake_lock IS NOT NULL THEN
    PERFORM pg_advisory_xact_lock_shared(brake_lock);
  END IF;
  SELECT h.state::text, h.number, h.run_number, h.opener_id INTO state, number, run_number, opener
    FROM holds h WHERE h.id = hold FOR UPDATE;
  now := handrail_now();
  IF brake_lock IS NOT NULL THEN
    SELECT b.id INTO brake_id FROM brakes b
      WHERE b.lifted_at IS NULL AND (b.agent_id IS NULL OR b.agent_id = opener) LIMIT 1;
  END IF;
  SELECT p.roles INTO roles FROM principals p WHERE p.id = caller AND p.kind = 'person' AND p.active;
  SELECT max(r.at) INTO restored_at FROM restorations r;
END $$;

-- An opening. A run's holds are always people's to decide, and the login of runs does not see who is observed.
CREATE FUNCTION handrail_first_look(
  opener uuid, brake_lock bigint, in_run boolean,
  OUT now timestamptz, OUT brake_id uuid, OUT policy_version bigint, OUT observed boolean
) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(brake_lock);
  SELECT b.id INTO brake_id FROM brakes b
    WHERE b.lifted_at IS NULL AND (b.agent_id IS NULL OR b.agent_id = opener) LIMIT 1;
  SELECT handrail_now(), coalesce(max(p.version), 0) INTO now, policy_version FROM policies p;
  observed := false;
  IF NOT in_run THEN
    observed := EXISTS (SELECT FROM observations o WHERE o.agent_id = opener AND o.ended_at IS NULL);
  END IF;
END $$;
