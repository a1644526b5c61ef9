-- The holds that have not ended, by age: at some gateways the old ones are asked about.
CREATE INDEX transaction_open_hold ON transaction (gateway_name, id)
  WHERE type = 'pre_auth' AND status = 'SUCCESS' AND hold_ended_at IS NULL AND NOT is_voided;
