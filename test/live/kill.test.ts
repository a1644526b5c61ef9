// A worker is killed at each moment of each operation at Stripe, and again while it asks about the
// outcome. Another worker finishes all of them, and our rows are compared with Stripe's ledger.

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { audit } from '../chaos/audit.ts'
import { ALL_CHECKS } from '../chaos/audit-checks.ts'
import { endDays, leaveLongAgo } from '../chaos/batches.ts'
import { type Deployment, openDeployment } from '../chaos/deployment.ts'
import { ledgerOf } from '../chaos/ledger.ts'
import { makeLiveKey, STRIPE_CARDS } from '../chaos/live-gateway.ts'
import type { Processes } from '../chaos/processes.ts'
import { type Introduced, introduce } from '../chaos/setting.ts'
import type { StripeFault, StripeRequest } from '../stripe/stand-in/faults.ts'
import { openStripe, type StripeStandIn } from '../stripe/stand-in/open.ts'

const LONG = { timeout: 120_000 }

/** A busy machine may need this long until each operation has reached Stripe, or is final. */
const POLL = { timeout: 60_000, interval: 25 }

type Outcome = 'FAILED' | 'SUCCESS'

/** An operation that a worker has begun. */
interface Started {
  readonly what: string
  readonly key: string
  readonly ends: Outcome
}

/** The moment of the first kill, given by Stripe's treatment of the order until then. */
interface Moment {
  readonly name: string
  fault(release: Promise<void>): StripeFault
  /** Our rows are locked, so that no answer can be recorded. */
  readonly areRowsHeld?: boolean
}

const MOMENTS: readonly Moment[] = [
  { name: 'before the order arrives', fault: () => ({ kind: 'hang', isExecuted: false }) },
  { name: 'before it was answered', fault: () => ({ kind: 'hang', isExecuted: true }) },
  {
    name: 'while the order is on its way, which arrives later',
    fault: (release) => ({ kind: 'slow', lasts: release, while: 'arriving' }),
  },
  {
    name: 'after the answer, before it was recorded',
    fault: (release) => ({ kind: 'slow', lasts: release, while: 'answering' }),
    areRowsHeld: true,
  },
]

describe('a worker that is killed', () => {
  let stripe: StripeStandIn
  let deployment: Deployment
  let processes: Processes
  let caller: Introduced

  beforeAll(async () => {
    stripe = await openStripe()
    deployment = await openDeployment(inject('backend'), {
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_PUBLISHABLE_KEY: stripe.publishableKey,
      STRIPE_API_URL: stripe.url,
      CHARGE_WAIT_MS: '50ms',
    })
    // A worker waits for an answer until it is dead.
    const timings = {
      gatewayTimeoutMs: 8_000,
      leaseMs: 9_000,
      paymentLeaseMs: 9_000,
      askAgain: ASK_AGAIN,
    }
    processes = await deployment.start({ timings })
    const key = await makeLiveKey(deployment.environment)
    caller = await introduce(deployment.address, key, STRIPE_CARDS)
  }, 60_000)
  afterAll(async () => {
    await processes?.close()
    await deployment?.[Symbol.asyncDispose]()
    await stripe?.[Symbol.asyncDispose]()
  })

  it.each(MOMENTS)('$name leaves each operation made once', LONG, async (moment) => {
    const parents = await makeParents()
    const held = holdAll(moment)
    const started = await startAll(parents)
    await held.reached(started.length)
    if (moment.areRowsHeld === true) await killWhileHeld(started, held.release)
    else await kill()
    held.release()
    await endLeases(started)
    await killInTheLookUp()
    await endLeases(started)
    await expectEnds(started)
  })

  it('while it gives up an order leaves nothing made', LONG, async () => {
    const held = holdAll({ name: 'before it arrives', fault: () => LOST_REQUEST })
    const started = [await start('charge', '/charge', charge(4_00), 'FAILED')]
    await held.reached(1)
    await kill()
    const givingUp = holdAll({ name: 'given up, unanswered', fault: () => UNANSWERED })
    await passDeadline(started)
    await givingUp.reached(1)
    await kill()
    stripe.fault()
    await passDeadline(started)
    await expectEnds(started)
  })

  it('uses one key for each order, and sends it again only after a worker has died', () => {
    const sent = new Map<string, string[]>()
    for (const { idempotencyKey = '' } of stripe.requests.filter(isOrder)) {
      const [id = '', verb = ''] = idempotencyKey.split(':')
      sent.set(id, [...(sent.get(id) ?? []), verb])
    }
    expect(sent.size).toBeGreaterThan(MOMENTS.length * 6)
    const verbs = [...sent.values()]
    expect(verbs.filter((used) => new Set(used).size > 1)).toEqual([])
    expect(Math.max(...verbs.map((used) => used.length))).toBeLessThanOrEqual(KILLS + 1)
  })

  it("leaves our rows and Stripe's ledger in agreement", async () => {
    await deployment.quiet()
    const { databaseUrl } = deployment.stores
    const ledger = ledgerOf(stripe.ledger())
    expect(ledger.length).toBeGreaterThan(MOMENTS.length * 6)
    expect(await audit(databaseUrl, [], ALL_CHECKS, ledger)).toEqual([])
  })

  interface Parents {
    readonly holds: readonly string[]
    readonly fresh: string
    readonly settled: string
  }

  /** Two holds, a charge of today, and one of a batch that was closed long ago. */
  async function makeParents(): Promise<Parents> {
    stripe.fault()
    const settled = await start('a settled charge', '/charge', charge(9_00), 'SUCCESS')
    await expectEnds([settled])
    await endDays(deployment.client)
    await deployment.quiet()
    await leaveLongAgo(deployment.client)
    const hold = { ...charge(8_00), pre_auth: true }
    const made = await Promise.all([
      start('a hold', '/charge', hold, 'SUCCESS'),
      start('another hold', '/charge', hold, 'SUCCESS'),
      start('a charge', '/charge', charge(7_00), 'SUCCESS'),
    ])
    await expectEnds(made)
    const [first = '', second = '', fresh = '', old = ''] = await idsOf([...made, settled])
    return { holds: [first, second], fresh, settled: old }
  }

  function startAll({ holds: [first, second], fresh, settled }: Parents) {
    const bad = { ...charge(3_00), payment_method_id: caller.bad.id }
    return Promise.all([
      start('charge', '/charge', charge(1_00), 'SUCCESS'),
      start('declined charge', '/charge', bad, 'FAILED'),
      start('pre_auth', '/charge', { ...charge(2_00), pre_auth: true }, 'SUCCESS'),
      start('capture', `/transaction/${first}/capture`, { total: '5.00' }, 'SUCCESS'),
      start('void of a hold', `/transaction/${second}/void`, {}, 'SUCCESS'),
      start('void of a charge', `/transaction/${fresh}/void`, {}, 'SUCCESS'),
      start('refund', `/transaction/${settled}/refund`, { total: '6.00' }, 'SUCCESS'),
    ])
  }

  function charge(cents: number) {
    return { total: (cents / 100).toFixed(2), payment_method_id: caller.good.id }
  }

  async function start(what: string, path: string, body: object, ends: Outcome): Promise<Started> {
    const key = `${what} ${crypto.randomUUID()}`
    const { address, apiKey } = caller
    const response = await fetch(`${address}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    expect(response.ok, `${what}: ${text}`).toBe(true)
    return { what, key, ends }
  }

  /**
   * The first order of each payment meets the fault. Other calls, with the look-ups, wait for it.
   */
  function holdAll({ fault }: Moment) {
    let release = () => {}
    const isLetGo = new Promise<void>((resolve) => {
      release = resolve
    })
    const seen = new Set<string>()
    stripe.fault((request) => {
      if (!isOrder(request) || seen.has(`${request.idempotencyKey}`)) return undefined
      seen.add(`${request.idempotencyKey}`)
      return fault(isLetGo)
    })
    return {
      reached: (count: number) => expect.poll(() => seen.size, POLL).toBe(count),
      release,
    }
  }

  async function kill(): Promise<void> {
    const [worker] = processes.workers
    await worker?.end('SIGKILL')
  }

  /** Stripe has answered, and the worker waits for the row locks. */
  async function killWhileHeld(started: readonly Started[], release: () => void): Promise<void> {
    const { client } = deployment
    await client.query('BEGIN')
    const keys = started.map(({ key }) => key)
    await client.query('SELECT FROM transaction WHERE idempotency_id = ANY($1) FOR UPDATE', [keys])
    release()
    await expect.poll(areWaiting, POLL).toBe(true)
    await kill()
    await expect.poll(endWaiting, POLL).toBe(0)
    await client.query('ROLLBACK')
  }

  const WAITING = `
    SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock') AS is_waiting`

  async function areWaiting(): Promise<boolean> {
    return (await deployment.client.query(WAITING)).rows[0].is_waiting
  }

  const END_WAITING = `
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'`

  /** PostgreSQL would still carry out the statements that a dead worker's connections wait for. */
  async function endWaiting(): Promise<number | null> {
    return (await deployment.client.query(END_WAITING)).rowCount
  }

  /** The next worker asks about an order, and dies before the answer. */
  async function killInTheLookUp(): Promise<void> {
    let isAsked = false
    stripe.fault(({ method }) => {
      if (method === 'POST') return undefined
      isAsked = true
      return { kind: 'hang', isExecuted: true }
    })
    await expect.poll(() => isAsked, POLL).toBe(true)
    await kill()
    stripe.fault()
  }

  const END_LEASES = `
    UPDATE transaction SET due_at = $2 WHERE idempotency_id = ANY($1) AND status = 'PENDING'`

  /** The worker that had the rows is dead, so they wait until their leases end. */
  async function endLeases(started: readonly Started[]): Promise<void> {
    await deployment.client.query(END_LEASES, [started.map(({ key }) => key), new Date()])
  }

  const PASS = `
    UPDATE transaction SET deadline_at = $2, due_at = $2 WHERE idempotency_id = ANY($1)`

  async function passDeadline(started: readonly Started[]): Promise<void> {
    await deployment.client.query(PASS, [started.map(({ key }) => key), new Date()])
  }

  async function expectEnds(started: readonly Started[]): Promise<void> {
    const keys = started.map(({ key }) => key)
    const wanted = Object.fromEntries(started.map(({ what, ends }) => [what, ends]))
    const ended = async () => {
      const { rows } = await deployment.client.query(
        'SELECT idempotency_id AS key, status FROM transaction WHERE idempotency_id = ANY($1)',
        [keys],
      )
      const found = new Map(rows.map(({ key, status }) => [key, status]))
      return Object.fromEntries(started.map(({ key, what }) => [what, found.get(key)]))
    }
    await expect.poll(ended, POLL).toEqual(wanted)
  }

  const IDS = `
    SELECT id FROM transaction
    WHERE idempotency_id = ANY($1) ORDER BY array_position($1, idempotency_id)`

  async function idsOf(started: readonly Started[]): Promise<readonly string[]> {
    const { rows } = await deployment.client.query(IDS, [started.map(({ key }) => key)])
    return rows.map(({ id }) => id)
  }
})

/** Two workers that have an order are killed, one after the other. */
const KILLS = 2

const ASK_AGAIN = { firstMs: 50, mostMs: 1_000 }

const LOST_REQUEST: StripeFault = { kind: 'hang', isExecuted: false }
const UNANSWERED: StripeFault = { kind: 'hang', isExecuted: true }

/** Our keys: the id of a row, and the operation. */
const ORDER = /^[0-9a-f-]{36}:(create|capture|cancel|refund)$/

function isOrder({
  idempotencyKey = '',
  method,
}: Pick<StripeRequest, 'idempotencyKey' | 'method'>): boolean {
  return method === 'POST' && ORDER.test(idempotencyKey)
}
