// Captures, voids, refunds and the batch at the same moment, at two API servers: for each
// transaction there is one order of them that explains every answer, every event and the final
// state.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../chaos/audit.ts'
import { type Contest, openContest, type Subject } from '../support/contest.ts'
import { explainStory } from '../support/follow-up-story.ts'
import { call } from '../support/test-service.ts'
import { flags } from '../support/transaction-model.ts'

/** It decides the requests and the gateway's answers; their timing is up to the machine. */
const SEED = Number(process.env.FOLLOW_UP_RACE_SEED ?? 1)

const TRANSACTIONS = 40

const LONG_TEST = { timeout: 180_000 }

/** The refusals of a request that comes too late, or too early. */
const REFUSALS = [
  'already_batched',
  'already_voided',
  'capture_exceeds_remaining',
  'not_batched_yet',
  'partial_void_not_supported',
  'refund_exceeds_remaining',
  'wrong_state',
]

describe('simultaneous requests for one transaction', () => {
  let contest: Contest

  beforeAll(async () => {
    contest = await openContest(SEED)
  })
  afterAll(() => contest.close())

  async function expectExplained({ id, type, cents, questions, visits }: Subject): Promise<void> {
    const sql = 'SELECT snapshot FROM event WHERE resource_id = $1 ORDER BY sequence'
    const snapshots = (await contest.service.world.db.query(sql, [id])).map(
      ({ snapshot }) => snapshot,
    )
    const story = { type, total: cents, questions, visits, snapshots }
    const explained = explainStory(story)
    if (explained === undefined)
      expect.fail(`seed ${SEED}: no order explains ${JSON.stringify(story)}`)
    const { t, events } = explained
    const [row] = await contest.service.world.db.query(
      `SELECT CASE type WHEN 'pre_auth' THEN captured ELSE refunded END::integer AS taken,
         reserved::integer, is_voided, void_id IS NOT NULL AS is_held_by_a_void,
         EXISTS (
           SELECT FROM batch b
           WHERE b.account_id = t.account_id AND b.business_date = t.business_date
             AND b.status <> 'open' AND t.void_id IS NULL
         ) AS is_batched, version, children
       FROM transaction t WHERE id = $1`,
      [id],
    )
    expect(row).toEqual({
      taken: t.taken,
      reserved: 0,
      is_voided: t.voiding === 'done',
      is_held_by_a_void: t.voiding === 'done',
      is_batched: t.batch === 'yes',
      // Each change raises the version by two, and the settled event does not raise it.
      version: 2 * (t.batch === 'yes' ? events - 1 : events) - 1,
      children: Object.keys(explained.children).length,
    })
    const { body } = await call(
      contest.service.app,
      'GET',
      `/transaction/${id}`,
      contest.merchant.headers,
    )
    expect(body).toMatchObject(flags(t))
  }

  it('take effect in one order', LONG_TEST, async () => {
    const charged = await Promise.all(
      Array.from({ length: TRANSACTIONS }, (_, i) => contest.charge(i % 3 === 0)),
    )
    await contest.wave(charged, 4)
    await contest.quiet()
    const all = [...charged, ...(await contest.captures())]
    await contest.wave(all, 3)
    await contest.quiet()
    // Most of them are in a batch by now.
    await contest.wave(all, 2)
    await contest.quiet()
    for (const subject of all) await expectExplained(subject)
    expect(await audit(contest.service.databaseUrl, [])).toEqual([])

    // The result would mean little if the requests had not met.
    const visits = all.flatMap((subject) => subject.visits.map(({ tookIt }) => tookIt))
    expect(new Set(visits)).toEqual(new Set([true, false]))
    const answers = all.flatMap(({ questions }) => questions.map(({ answer }) => answer))
    const refusals = answers.flatMap((answer) => ('refusal' in answer ? [answer.refusal] : []))
    expect([...new Set(refusals)].sort()).toEqual(expect.arrayContaining(REFUSALS))
    expect(answers.length - refusals.length).toBeGreaterThan(TRANSACTIONS)
  })
})
