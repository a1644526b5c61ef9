-- What must be true of deliveries and of the endpoints they go to, whatever the code does.

-- ------------------------------------------------------------------------------------- the account

ALTER TABLE account
  ADD CONSTRAINT account_auto_receipts CHECK (
    auto_receipts IS NOT NULL AND auto_receipts <@ ARRAY['email', 'sms']::delivery_channel[]);

ALTER TABLE team
  ADD CONSTRAINT team_email_is_an_address CHECK (email ~ '^[^\s@]+@[^\s@]+$' AND length(email) <= 320);

-- ------------------------------------------------------------------------------------ the delivery

ALTER TABLE delivery
  -- It is owed until it is taken or given up, and only then.
  ADD CONSTRAINT delivery_is_owed CHECK ((status = 'pending') = (due_at IS NOT NULL)),
  ADD CONSTRAINT delivery_parked_for_a_reason CHECK ((status = 'parked') = (reason IS NOT NULL)),
  ADD CONSTRAINT delivery_sent_at CHECK (
    CASE status WHEN 'pending' THEN sent_at IS NULL
      WHEN 'parked' THEN true ELSE sent_at IS NOT NULL END),
  ADD CONSTRAINT delivery_counts CHECK (tries >= 0 AND attempt >= 0),
  ADD CONSTRAINT delivery_event_goes_to_an_endpoint CHECK ((channel = 'webhook') = (subject = 'event')),
  ADD CONSTRAINT delivery_lane CHECK (channel = 'webhook' OR lane = account_id);

-- Who takes turns, and what is due in each lane.
CREATE INDEX delivery_due ON delivery (channel, lane, due_at) WHERE due_at IS NOT NULL;
-- What an endpoint was told of, the newest first.
CREATE INDEX delivery_of_endpoint ON delivery (account_id, lane, created_at, id)
  WHERE channel = 'webhook';
-- What waits for a person.
CREATE INDEX delivery_parked ON delivery (channel, updated_at, account_id, id)
  WHERE status = 'parked';
-- What is old enough to be forgotten.
CREATE INDEX delivery_finished ON delivery (updated_at) WHERE due_at IS NULL;

-- A delivery that was made keeps its subject and its recipient; what was taken is not owed again.
CREATE FUNCTION refuse_change_of_delivery() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'delivery % is what it is', OLD.id
    USING ERRCODE = '23514', CONSTRAINT = 'delivery_is_final';
END $$;

CREATE TRIGGER delivery_is_final BEFORE UPDATE ON delivery
  FOR EACH ROW
  WHEN (
    OLD.account_id <> NEW.account_id OR OLD.id <> NEW.id OR OLD.channel <> NEW.channel
    OR OLD.lane <> NEW.lane OR OLD.subject <> NEW.subject OR OLD.subject_id <> NEW.subject_id
    OR OLD.recipient <> NEW.recipient OR OLD.request <> NEW.request
    OR (OLD.status IN ('sent', 'delivered') AND NEW.status = 'pending'))
  EXECUTE FUNCTION refuse_change_of_delivery();

-- Who takes one writes nothing that an index holds: with room on its page, no index hears of it.
ALTER TABLE delivery SET (fillfactor = 45);

-- ----------------------------------------------------------------------------------- the endpoints

ALTER TABLE webhook
  ADD CONSTRAINT webhook_events CHECK (
    cardinality(events) BETWEEN 1 AND 100 AND (cardinality(events) = 1 OR NOT events @> ARRAY['*'])),
  ADD CONSTRAINT webhook_secrets CHECK (
    secret LIKE 'whsec_%'
    AND (previous_secret IS NULL) = (previous_secret_until IS NULL)),
  ADD CONSTRAINT webhook_replay CHECK (
    num_nulls(replay_id, replay_after, replay_after_id, replay_until, due_at) IN (0, 5));

-- Whom an event is told to, and the list.
CREATE INDEX webhook_active ON webhook (account_id)
  WHERE status = 'active' AND deleted_at IS NULL;
CREATE INDEX webhook_kept ON webhook (account_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX webhook_due ON webhook (due_at, account_id, id) WHERE due_at IS NOT NULL;

-- ---------------------------------------------------------------------------------------- the event
-- Whoever writes an event owes it to those who want to be told, in the same commit: no code can
-- forget that. Ids and instants are the event's own: its id holds the real time at which the
-- application made it, whatever time its account lives in.

CREATE FUNCTION time_of_id(id uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT to_timestamp(
    ('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0)::timestamptz(3)
$$;

-- Another id of the same moment.
CREATE FUNCTION id_beside(id uuid) RETURNS uuid LANGUAGE sql VOLATILE AS $$
  SELECT (left(id::text, 15) || substr(gen_random_uuid()::text, 16))::uuid
$$;

CREATE FUNCTION owe_event_to_endpoints() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO delivery (account_id, id, channel, lane, subject, subject_id, recipient, request,
    due_at, owed_at, request_id, created_at, updated_at)
  SELECT e.account_id, id_beside(e.id), 'webhook', w.id, 'event', e.id, w.id::text, 'event',
    time_of_id(e.id), time_of_id(e.id), e.request_id, time_of_id(e.id), time_of_id(e.id)
  FROM written e
  CROSS JOIN LATERAL (
    SELECT id FROM webhook
    WHERE account_id = e.account_id AND status = 'active' AND deleted_at IS NULL
      AND events && ARRAY['*', e.type]
    OFFSET 0
  ) w
  -- A trial goes to the one that is tried, which owes it itself.
  WHERE e.type <> 'webhook_test';
  RETURN NULL;
END $$;

CREATE TRIGGER event_is_owed AFTER INSERT ON event
  REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION owe_event_to_endpoints();

-- -------------------------------------------------------------------------------------- the pace

INSERT INTO provider_pace (channel) VALUES ('email'), ('sms');
