-- Processes that run users' graphs have a login of their own: `handrail_run_…`. What it may read and write is granted when
-- a worker starts; what is here no grant can say.
CREATE TABLE run_logins (
  role text PRIMARY KEY,
  password text NOT NULL
);

CREATE FUNCTION handrail_is_run() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT current_user LIKE 'handrail\_run\_%'
$$;

-- Into the log such a process says what its run did. It never says that a person did something.
ALTER TABLE event_inbox ENABLE ROW LEVEL SECURITY;
CREATE POLICY read_all ON event_inbox FOR SELECT USING (true);
CREATE POLICY change_all ON event_inbox FOR UPDATE USING (NOT handrail_is_run());
CREATE POLICY remove_all ON event_inbox FOR DELETE USING (NOT handrail_is_run());
CREATE POLICY say ON event_inbox FOR INSERT WITH CHECK (
  NOT handrail_is_run()
  OR (
    (type ~ '^(run|message|effect)\.' OR type IN ('hold.opened', 'hold.redeemed', 'hold.resulted', 'hold.reopened')
      OR (type = 'hold.decided'
        AND (data ->> 'outcome' IN ('cancelled', 'expired') OR data ->> 'basis' IN ('policy', 'expiry'))))
    AND (actor_id IS NULL OR actor_id = opener_id)
  )
);

-- A run asks, takes back and uses; people decide.
CREATE FUNCTION handrail_guard_hold() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status IN ('approved', 'rejected', 'answered') AND (TG_OP = 'INSERT' OR NEW.status <> OLD.status)
    AND NEW.state -> 'decision' ->> 'basis' IS DISTINCT FROM 'policy' THEN
    RAISE EXCEPTION 'a run does not decide holds' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_hold BEFORE INSERT OR UPDATE ON holds
  FOR EACH ROW WHEN (current_user LIKE 'handrail\_run\_%') EXECUTE FUNCTION handrail_guard_hold();
