// The clock of a machine is wrong, or is set while its processes run. Its workers take no work and
// log it; their earlier work, and the work of the others, follows the database's clock.

import { expect, inject, it } from 'vitest'
import { audit } from '../chaos/audit.ts'
import { ALL_CHECKS } from '../chaos/audit-checks.ts'
import { endDays } from '../chaos/batches.ts'
import { type Deployment, openDeployment } from '../chaos/deployment.ts'
import { freePort } from '../chaos/proxies.ts'
import { type Introduced, introduce, make } from '../chaos/setting.ts'
import { openWrongClock } from '../chaos/wrong-clock.ts'
import {
  type ServiceProcess,
  type ServiceProcessNeeds,
  startServiceProcess,
} from '../support/service-process.ts'
import { soon } from '../support/soon.ts'
import { wallClock } from '../support/team-with-sales.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const EASTERN = 'America/New_York'
const LONG_TEST = { timeout: 300_000 }

/** An outcome after more than this is late. */
const IN_TIME = { timeout: MINUTE, interval: 50 }

/** Every round of the processes comes several times. */
const A_WHILE_MS = 1_500

/** Between two sales: without a pause they take all the CPU that there is. */
const PAUSE_MS = 100

const JUMPS = [4 * HOUR, 0, -4 * HOUR, HOUR, 0]

it(
  'a worker an hour ahead takes no work, says so, and goes on when it is right',
  LONG_TEST,
  async () => {
    await using deployment = await openDeployment(inject('backend'))
    await using clock = await openWrongClock()
    const probes = await freePort()
    await using api = start(deployment, { name: 'api', role: 'api' })
    await using worker = start(deployment, {
      name: 'worker',
      role: 'worker',
      environment: { ...clock.env, WORKER_PORT: `${probes}` },
    })
    await Promise.all([api.ready, worker.ready])
    const caller = await introduceClosingLater(deployment)
    await sell(caller)
    await untilNone(deployment, 'pending')

    await clock.shift(HOUR)
    await soon(() => expect(worker.log()).toContain("60 minutes ahead of the database's"), IN_TIME)
    expect(await sell(caller)).toBe('PENDING')
    await passes(A_WHILE_MS)
    expect(await harmDone(deployment)).toEqual([])
    expect((await figures(deployment)).pending).toBe(1)
    expect(await probed(probes, 'readyz')).toMatchObject([503, { reason: /60 minutes ahead/ }])
    expect(await probed(probes, 'healthz')).toMatchObject([200, {}])

    await clock.shift(0)
    await untilNone(deployment, 'pending')
    await untilNone(deployment, 'unsent')
    expect(await probed(probes, 'readyz')).toMatchObject([200, {}])
    expect(await harmDone(deployment)).toEqual([])
    expect(await audit(deployment.stores.databaseUrl, [], ALL_CHECKS)).toEqual([])
    // It was logged once when it began, and once when it ended: within a second.
    const logged = (words: string) => worker.log().split(words).length - 1
    await soon(() => expect(logged("agrees with the database's again")).toBe(1), IN_TIME)
    expect(logged('no work is taken here')).toBe(1)
  },
)

it('one clock of three jumps, and nothing is early or late', LONG_TEST, async () => {
  await using deployment = await openDeployment(inject('backend'))
  await using clock = await openWrongClock()
  await using api = start(deployment, { name: 'api', role: 'api' })
  await api.ready
  await using wrong = start(deployment, { name: 'wrong', role: 'worker', environment: clock.env })
  await using right = start(deployment, { name: 'right', role: 'worker' })
  await Promise.all([wrong.ready, right.ready])
  const caller = await introduceClosingLater(deployment)
  await sell(caller)
  await untilNone(deployment, 'pending')

  let sold = 1
  for (const shiftMs of JUMPS) {
    await clock.shift(shiftMs)
    const endsMs = performance.now() + A_WHILE_MS
    while (performance.now() < endsMs) {
      await sell(caller)
      sold += 1
      await passes(PAUSE_MS)
    }
    expect(await harmDone(deployment), `${shiftMs}`).toEqual([])
  }
  await untilNone(deployment, 'pending')
  await untilNone(deployment, 'unsent')
  const { transactions, slowest_s, slowest_mail_s } = await figures(deployment)
  expect(transactions).toBe(sold)
  expect(Number(slowest_s)).toBeLessThan(60)
  expect(Number(slowest_mail_s)).toBeLessThan(60)
  expect(wrong.log()).toMatch(/4 hours behind/)

  // A batch that falls due now is closed, though the clock was far behind and far ahead.
  await endDays(deployment.client)
  await soon(async () => expect((await figures(deployment)).closed).toBe(1), IN_TIME)
  expect(await harmDone(deployment)).toEqual([])
  await deployment.quiet()
  expect(await audit(deployment.stores.databaseUrl, [], ALL_CHECKS)).toEqual([])
})

function start(
  deployment: Deployment,
  needs: Partial<ServiceProcessNeeds> & Pick<ServiceProcessNeeds, 'name' | 'role'>,
): ServiceProcess {
  return startServiceProcess({
    ...needs,
    environment: { ...deployment.environment, EMAIL_PER_SECOND: '1000', ...needs.environment },
  })
}

/** A caller whose day ends in half an hour; each of its sales sends a receipt. */
async function introduceClosingLater({ address, client }: Deployment): Promise<Introduced> {
  const { time } = wallClock(new Date(Date.now() + 30 * MINUTE), EASTERN)
  await client.query(`UPDATE account SET cutoff = $1, timezone = $2, auto_receipts = '{email}'`, [
    time,
    EASTERN,
  ])
  const caller = await introduce(address)
  await client.query("UPDATE customer SET email = 'ada@example.com'")
  return caller
}

async function sell(caller: Introduced): Promise<string | undefined> {
  const order = { total: '12.50', payment_method_id: caller.good.id }
  return (await make(caller, '/charge', order)).status
}

const FIGURES = `
  SELECT count(*)::integer AS transactions,
    (count(*) FILTER (WHERE t.status = 'PENDING'))::integer AS pending,
    extract(epoch FROM max(t.updated_at - t.created_at)) AS slowest_s,
    (SELECT count(*)::integer FROM delivery WHERE status = 'pending') AS unsent,
    (SELECT extract(epoch FROM max(sent_at - created_at)) FROM delivery) AS slowest_mail_s,
    (SELECT count(*)::integer FROM batch WHERE status = 'closed') AS closed
  FROM transaction t`

async function figures({ client }: Deployment) {
  return (await client.query(FIGURES)).rows[0]
}

async function untilNone(deployment: Deployment, of: 'pending' | 'unsent'): Promise<void> {
  await soon(async () => expect((await figures(deployment))[of], of).toBe(0), IN_TIME)
}

/** Longer than any lease or wait of the processes, and far shorter than any jump. */
const SOON = "clock_timestamp() + interval '1 minute'"
const JUST_NOW = "clock_timestamp() + interval '1 second'"

const HARM = [
  `SELECT 'a payment is due in ' || (due_at - clock_timestamp()) AS harm FROM transaction WHERE due_at > ${SOON}`,
  `SELECT 'a delivery is due in ' || (due_at - clock_timestamp()) FROM delivery WHERE due_at > ${SOON}`,
  `SELECT 'a delivery is leased for ' || (leased_until - clock_timestamp())
   FROM delivery WHERE due_at IS NOT NULL AND leased_until > ${SOON} + interval '5 minutes'`,
  `SELECT 'the pace is ahead by ' || (to_timestamp(next_ms / 1000) - clock_timestamp())
   FROM provider_pace WHERE to_timestamp(next_ms / 1000) > ${SOON}`,
  `SELECT 'a batch was closed early by ' || (cutoff_at - clock_timestamp())
   FROM batch WHERE status <> 'open' AND cutoff_at > clock_timestamp()`,
  `SELECT 'a sale is of ' || created_at FROM transaction WHERE greatest(created_at, updated_at) > ${JUST_NOW}`,
  `SELECT 'an event is of ' || created_at FROM event WHERE created_at > ${JUST_NOW}`,
].join('\nUNION ALL ')

async function harmDone({ client }: Deployment): Promise<readonly string[]> {
  return (await client.query(HARM)).rows.map(({ harm }) => harm)
}

async function probed(port: number, path: string): Promise<[number, unknown]> {
  const answer = await fetch(`http://127.0.0.1:${port}/${path}`)
  return [answer.status, await answer.json()]
}

function passes(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
