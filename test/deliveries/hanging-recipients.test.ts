// A mail domain that hangs delays its own recipients only: not the other recipients of the same
// account, and no other account. A provider that hangs for all recipients is recognised as such.

import { setMaxListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SendAnswer } from '../../src/core/delivery.ts'
import { deliverDue } from '../../src/deliveries/deliver-due.ts'
import {
  adapterOf,
  deliveryStatesOf,
  insertDue,
  type Send,
  TAKEN,
  tally,
} from '../support/deliveries.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const LONG_TEST = { timeout: 60_000 }

/** A test waits less than this for a single receipt, so one stuck behind a hang fails it. */
const TIMEOUT_MS = 12_000

/** The limits of the e-mail channel. */
const LIKE_EMAIL = { channel: 'email', atOnce: 10, perSecond: 500 } as const

const SINGLES = 30

/** The number of messages that one account has queued. */
const CROWD = Number(process.env.DELIVERY_CROWD ?? 3_000)

/** Twice the noise of a machine: a p99 below this is not compared. */
const FLOOR_MS = 250

const HANGING = 'hanging.example'

let service: TestService
let over: AbortController
let rounds: Promise<number>[]
beforeEach(async () => {
  service = await openTestService({ queues: [] })
  over = new AbortController()
  setMaxListeners(0, over.signal)
  rounds = []
})
afterEach(async () => {
  await service.world.db.query('DELETE FROM delivery WHERE due_at IS NOT NULL')
  over.abort()
  await Promise.all(rounds)
  await service.close()
})

/** Hangs for the recipients that match, until the test or the timeout ends. */
function hangingFor(isHung: (recipient: string) => boolean, timeoutMs = TIMEOUT_MS) {
  const begunMs = new Map<string, number>()
  const send: Send = async ({ id, recipient }, signal) => {
    begunMs.set(id, performance.now())
    if (!isHung(recipient)) return TAKEN
    await new Promise<void>((resolve) => {
      for (const end of [signal, over.signal]) end.addEventListener('abort', () => resolve())
    })
    return SILENT
  }
  const adapter = adapterOf(send, { ...LIKE_EMAIL, timeoutMs })
  const start = () => rounds.push(deliverDue(service.world, adapter))
  // A worker's job that hands over is followed by another, and this stands for it.
  const further = setInterval(start, 1_000)
  over.signal.addEventListener('abort', () => clearInterval(further))
  return { begunMs, start }
}

const SILENT: SendAnswer = { kind: 'silent', detail: 'no answer', isUntaken: true }

type Post = ReturnType<typeof hangingFor>

/** The 99th of a hundred waits of single messages, sent one after the other. */
async function slowestOf(post: Post, accountId: string): Promise<number> {
  const waits: number[] = []
  for (let n = 0; n < SINGLES; n += 1) {
    const common = { accountId, channel: 'email', domain: `${n % 5}.example` } as const
    const [id = ''] = await insertDue(service.world.db.query, { ...common, dueAt: new Date() })
    const committedMs = performance.now()
    post.start()
    const isBegun = () => post.begunMs.has(id)
    await expect.poll(isBegun).toBe(true)
    waits.push((post.begunMs.get(id) ?? Number.NaN) - committedMs)
  }
  return waits.toSorted((one, other) => one - other)[Math.ceil(SINGLES * 0.99) - 1] ?? Number.NaN
}

/** A busy machine only makes waits longer, so the best of three counts. */
async function isWithin(mostMs: number, post: Post, accountId: string): Promise<boolean> {
  for (let n = 0; n < 3; n += 1) if ((await slowestOf(post, accountId)) < mostMs) return true
  return false
}

const domainsOf = (count: number) => Array.from({ length: count }, (_, n) => `${n}.${HANGING}`)

describe.each([
  ['four messages to a domain', [HANGING], 4],
  [`${CROWD} messages to a domain`, [HANGING], CROWD],
  ['messages to a hundred domains', domainsOf(100), 2],
])('%s that hangs', (_what, domains, count) => {
  it('delay neither the rest of their own account nor another account', LONG_TEST, async () => {
    const post = hangingFor((recipient) => recipient.endsWith(HANGING))
    const [{ accountId }, other] = [await service.merchant(), await service.merchant()]
    const control = await slowestOf(post, accountId)
    for (const domain of domains) {
      const common = { accountId, channel: 'email', domain, count, dueAt: new Date() } as const
      await insertDue(service.world.db.query, common)
    }
    post.start()
    const begun = post.begunMs.size
    await expect.poll(() => post.begunMs.size).toBeGreaterThan(begun + 1)
    const most = Math.max(2 * control, FLOOR_MS)
    expect(await isWithin(most, post, other.accountId)).toBe(true)
    // An account with a hundred such domains delays its own messages.
    if (domains.length === 1) expect(await isWithin(most, post, accountId)).toBe(true)
  })
})

it('a domain that answers again gets the messages that were put off', LONG_TEST, async () => {
  let isHung = true
  const post = hangingFor((recipient) => isHung && recipient.endsWith(HANGING), 2_000)
  const { query } = service.world.db
  const { accountId } = await service.merchant()
  const common = { accountId, channel: 'email', count: 20, dueAt: new Date() } as const
  const ids = await insertDue(query, { ...common, domain: HANGING })
  post.start()
  await expect.poll(() => post.begunMs.size).toBe(2)
  await expect.poll(async () => (await dueNow()).length).toBe(0)
  expect(post.begunMs.size).toBe(2)
  isHung = false
  const isSent = async () => {
    // A wait of less than the limit of the poll passes at once.
    const [now, soon] = [new Date(), new Date(Date.now() + 45_000)]
    await query('UPDATE delivery SET due_at = $1 WHERE due_at BETWEEN $1 AND $2', [now, soon])
    post.start()
    return (await deliveryStatesOf(query, ids)).filter(({ status }) => status === 'sent').length
  }
  // The two that were being sent have retry waits of their own, of a minute each.
  await expect.poll(isSent).toBeGreaterThanOrEqual(18)
})

it('a provider that hangs for all recipients uses up no tries', LONG_TEST, async () => {
  let isHung = true
  const post = hangingFor(() => isHung, 1_000)
  const { query } = service.world.db
  const merchants = [await service.merchant(), await service.merchant()]
  const ids: string[] = []
  for (const [n, { accountId }] of merchants.entries()) {
    for (const domain of domainsOf(5)) {
      const common = { accountId, channel: 'email', dueAt: new Date() } as const
      ids.push(...(await insertDue(query, { ...common, domain: `${n}.${domain}` })))
    }
  }
  const answers = async () => (await deliveryStatesOf(query, ids)).flatMap(({ history }) => history)
  const isAsked = async () => {
    post.start()
    return (await answers()).length
  }
  await expect.poll(isAsked).toBeGreaterThanOrEqual(15)
  expect(new Set((await answers()).map(({ answer }) => answer))).toEqual(new Set(['away']))
  isHung = false
  const howMany = async () => {
    post.start()
    return tally(query)
  }
  await expect.poll(howMany).toEqual({ sent: 10 })
  expect((await deliveryStatesOf(query, ids)).map(({ tries }) => tries)).toEqual(ids.map(() => 1))
})

describe.each(['away', 'throttled'] as const)('a server that hangs up: %s', (kind) => {
  const HUNG_UP: SendAnswer = { kind, detail: '421 closing', mayBeOfRecipient: true }

  /** Messages to each of the domains; each message waits for its answer. */
  async function oweTo(domains: readonly string[], count: number): Promise<readonly string[]> {
    const { accountId } = await service.merchant()
    const common = { accountId, channel: 'email', count, dueAt: new Date() } as const
    const each = domains.map((domain) => insertDue(service.world.db.query, { ...common, domain }))
    return (await Promise.all(each)).flat()
  }

  const paces = () =>
    service.world.db.query(
      "SELECT failures > 0 OR resting_until_ms > 0 AS is_paused FROM provider_pace WHERE channel = 'email'",
    )

  it('on one domain delays no other, and uses up no try', LONG_TEST, async () => {
    const { query } = service.world.db
    const adapter = adapterOf(({ recipient }) => (recipient.endsWith(HANGING) ? HUNG_UP : TAKEN))
    const unwanted = await oweTo([HANGING], 4)
    const others = await oweTo(['a.example', 'b.example'], 50)
    const start = () => rounds.push(deliverDue(service.world, adapter))
    const sent = async () => {
      start()
      return (await deliveryStatesOf(query, others)).filter(({ status }) => status === 'sent')
        .length
    }
    await expect.poll(sent).toBe(others.length)
    const asked = async () => {
      start()
      return (await deliveryStatesOf(query, unwanted)).flatMap(({ history }) => history).length
    }
    // Nothing else has an answer that would end a pause.
    await expect.poll(asked).toBeGreaterThan(await asked())
    const states = await deliveryStatesOf(query, unwanted)
    expect(states.map(({ status, tries }) => [status, tries])).toEqual(
      Array(4).fill(['pending', 0]),
    )
    expect(await paces()).toEqual([{ is_paused: false }])
  })

  it('on several domains in a row is asked nothing for a while', LONG_TEST, async () => {
    const adapter = adapterOf(() => HUNG_UP)
    await oweTo(domainsOf(5), 1)
    const start = () => rounds.push(deliverDue(service.world, adapter))
    const isPaused = async () => {
      start()
      return paces()
    }
    await expect.poll(isPaused).toEqual([{ is_paused: true }])
  })
})

const dueNow = () =>
  service.world.db.query(
    'SELECT FROM delivery WHERE due_at <= $1 AND (leased_until IS NULL OR leased_until <= $1)',
    [new Date()],
  )
