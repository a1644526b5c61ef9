// The deliveries that failed for good are counted in an index alone: on every page of the console that
// is open, for /metrics, and by the doctor.

import { describe, expect, it } from 'vitest'
import { COUNT_REASONS } from '../../src/console/deliveries/failed.tsx'
import { FAILED_BY_REASON } from '../../src/doctor/check-work.ts'
import { PARKED } from '../../src/upkeep/due-by-kind.ts'
import { runExplained } from '../support/explained.ts'
import { filledDatabase } from '../support/filled-database.ts'

const FAILED = 5_000

/** A table page has one failed delivery, and others around it. */
const FILL = `
  SET session_replication_role = replica;
  INSERT INTO delivery (account_id, id, channel, lane, subject, subject_id, recipient, request,
    owed_at, request_id, created_at, updated_at, status, sent_at, reason, history)
  SELECT a, gen_random_uuid(), 'email', a, 'transaction', gen_random_uuid(), 'a@example.com', 'r',
    t, 'r', t, t, status::delivery_status, CASE WHEN status = 'sent' THEN t END,
    CASE WHEN status = 'parked' THEN 'refused' END::parked_reason,
    to_jsonb(repeat(md5(n::text), 40))
  FROM (
    SELECT n, md5((n % 50)::text)::uuid AS a, timestamptz '2026-03-07Z' + n * interval '1 s' AS t,
      CASE WHEN n % 8 = 0 THEN 'parked' ELSE 'sent' END AS status
    FROM generate_series(1, ${8 * FAILED}) AS n
  ) made;
  SET session_replication_role = DEFAULT;
  VACUUM ANALYZE delivery`

const database = filledDatabase(FILL)

describe('failed deliveries are counted without reading them', () => {
  it.each([
    ['by reason, for the console', COUNT_REASONS, ['email']],
    ['by reason, for the doctor', FAILED_BY_REASON, []],
    ['by channel', PARKED, []],
  ])('%s', async (_, text, values) => {
    const { rows, read, buffers } = await runExplained(database.client, { text, values })
    const counted = rows.map(({ count }) => Number(count))
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(FAILED)
    expect(read).not.toContain('delivery')
    expect(buffers).toBeLessThan(100)
  })
})
