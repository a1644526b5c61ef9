// An account with many pending messages delays another account's single message by a second at
// most.

import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DeliveryChannel, SendAnswer } from '../../src/core/delivery.ts'
import { deliverDue } from '../../src/deliveries/deliver-due.ts'
import { adapterOf, insertDue, TAKEN } from '../support/deliveries.ts'
import { type Further, openFurther } from '../support/further.ts'
import { soon } from '../support/soon.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

/** The number of messages that one account has queued. */
const CROWD = Number(process.env.DELIVERY_CROWD ?? 3_000)

const PER_SECOND = 50
const AT_ONCE = 32
const TAKES_MS = 100
const HANGS_MS = 15_000

/** How many single messages another account sends meanwhile. */
const SINGLES = 5

const LONGEST_MS = 1_000

const FURTHEST = 'ffffffff-ffff-4fff-bfff-ffffffffffff'

const LONG_TEST = { timeout: 60_000 }

interface Crowd {
  readonly channel: DeliveryChannel
  readonly perSecond: number | undefined
  /** This many of the crowd's messages are being sent when the others come. */
  readonly before: number
  readonly isMute?: boolean
}

const SILENT: SendAnswer = { kind: 'silent', detail: 'no answer' }

describe.each<[string, Crowd]>([
  ['a team of many receipts', { channel: 'email', perSecond: PER_SECOND, before: PER_SECOND }],
  ['an endpoint of many events', { channel: 'webhook', perSecond: undefined, before: PER_SECOND }],
  [
    'an endpoint that never answers',
    { channel: 'webhook', perSecond: undefined, before: 2, isMute: true },
  ],
])('%s', (_who, { channel, perSecond, before, isMute = false }) => {
  let service: TestService
  let further: Further
  /** The messages that either process began to send. */
  const begun: { readonly id: string; readonly atMs: number }[] = []
  const rounds: Promise<number>[] = []
  let many: ReadonlySet<string> = new Set()
  const over = new AbortController()
  setMaxListeners(0, over.signal)
  const adapter = adapterOf(
    async ({ id }) => {
      begun.push({ id, atMs: performance.now() })
      if (isMute && many.has(id)) {
        await delay(HANGS_MS, undefined, { signal: over.signal }).catch(() => {})
        return SILENT
      }
      await delay(TAKES_MS)
      return TAKEN
    },
    {
      channel,
      perSecond,
      atOnce: AT_ONCE,
      // One endpoint gets only some of the places, since it may be slow.
      ...(channel === 'webhook' && { atOnceAnEndpoint: AT_ONCE / 4 }),
    },
  )

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    further = await openFurther(service)
  })
  afterAll(async () => {
    await further[Symbol.asyncDispose]()
    await service.close()
  })

  const query: TestService['world']['db']['query'] = (text, values) =>
    service.world.db.query(text, values)

  /** Writes a delivery, then prompts, and one of the processes gets the prompt. */
  async function oweOne(accountId: string): Promise<string> {
    const common = { accountId, channel, lane: laneOf(accountId), dueAt: new Date() }
    const [id = ''] = await insertDue(query, common)
    rounds.push(deliverDue(service.world, adapter))
    return id
  }

  const laneOf = (accountId: string) => (channel === 'webhook' ? service.world.newId() : accountId)

  it('lets the single messages of others pass', LONG_TEST, async () => {
    const crowd = (await service.merchant()).accountId
    const others = await Promise.all(Array.from({ length: SINGLES }, () => service.merchant()))
    const common = { accountId: crowd, channel, count: CROWD, dueAt: new Date() }
    many = new Set(await insertDue(query, { ...common, lane: laneOf(crowd) }))
    rounds.push(deliverDue(service.world, adapter), deliverDue(further.world, adapter))
    await soon(() => expect(begun.length).toBeGreaterThanOrEqual(before))
    const waits: number[] = []
    for (const { accountId } of others) {
      const single = await oweOne(accountId)
      const committedMs = performance.now()
      await soon(() => expect(begun.map(({ id }) => id)).toContain(single))
      const sentMs = begun.find(({ id }) => id === single)?.atMs ?? Number.NaN
      waits.push(sentMs - committedMs)
    }
    await query('DELETE FROM delivery WHERE due_at IS NOT NULL')
    over.abort()
    await Promise.all(rounds)
    // Otherwise there would have been no crowd to wait for.
    expect(begun.filter(({ id }) => many.has(id)).length).toBeLessThan(CROWD)
    expect(Math.max(...waits)).toBeLessThan(LONGEST_MS)
  })
})

const LATER = `
  INSERT INTO delivery (account_id, id, channel, lane, subject, subject_id, recipient, request,
    due_at, owed_at, request_id, created_at, updated_at)
  SELECT $1, id, 'webhook', id, 'event', id, id::text, 'test', $2, $3, 'test', $3, $3
  FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, $4)) row`

it(
  'due deliveries are found among many lanes whose deliveries are due later',
  LONG_TEST,
  async () => {
    await using service = await openTestService({ queues: [] })
    const { query } = service.world.db
    const { accountId } = await service.merchant()
    const now = new Date()
    await query(LATER, [accountId, new Date(now.getTime() + 3_600_000), now, 900])
    const due = ['00000000-0000-4000-8000-000000000001', service.world.newId(), FURTHEST]
    const ids: string[] = []
    for (const lane of due) {
      ids.push(
        ...(await insertDue(query, { accountId, channel: 'webhook', lane, count: 3, dueAt: now })),
      )
    }
    const begun: string[] = []
    const adapter = adapterOf(
      ({ id }) => {
        begun.push(id)
        return TAKEN
      },
      { channel: 'webhook', perSecond: undefined },
    )
    for (let n = 0; n < 2; n += 1) await deliverDue(service.world, adapter)
    expect(begun.toSorted()).toEqual(ids.toSorted())
  },
)
