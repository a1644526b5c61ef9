// A half-open connection stays open, and nothing passes through it any more, as when a firewall
// forgot it. No end is signalled, so every process must notice by itself, and go on over new
// connections without a restart.

import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { audit } from '../chaos/audit.ts'
import { ALL_CHECKS } from '../chaos/audit-checks.ts'
import type { Done } from '../chaos/child.ts'
import { type Deployment, openDeployment } from '../chaos/deployment.ts'
import { type Load, startLoad } from '../chaos/load.ts'
import { chargeWithin, isVoided, postOnce, probe } from '../chaos/probe.ts'
import type { Processes, Slot } from '../chaos/processes.ts'
import { freePort, type ServerProxy } from '../chaos/proxies.ts'
import { seeded } from '../chaos/random.ts'
import { type Introduced, introduce } from '../chaos/setting.ts'
import type { Links } from '../chaos/stores.ts'

const LOOK_MS = 100
const PAUSE_MS = 100

/** New connections pass again after this long; the old connections never do. */
const SILENCE_MS = 6_000

/** A process must work again this long after that, without a restart. */
const RECOVERY = { timeout: 45_000, interval: LOOK_MS }

const LONG_TEST = { timeout: 90_000 }

/** Lost nudges and lost replies must not be mended by another process before `PROMPT_MS`. */
const TIMINGS = { nudgeGraceMs: 2_500, recheckEveryMs: 2_000 }
const PROMPT_MS = 1_500

/** The worker must do all of this again, because each queue has connections of its own. */
const BUSY_QUEUES = ['charge', 'refund', 'email', 'sweep'] as const

interface Case {
  readonly who: 'api 1' | 'worker 1'
  readonly store: 'PostgreSQL' | 'Redis'
  /** An API server takes charges without Redis, and is ready. */
  readonly isReadyMeanwhile: boolean
}

const CASES: readonly Case[] = [
  { who: 'api 1', store: 'PostgreSQL', isReadyMeanwhile: false },
  { who: 'worker 1', store: 'PostgreSQL', isReadyMeanwhile: false },
  { who: 'api 1', store: 'Redis', isReadyMeanwhile: true },
  { who: 'worker 1', store: 'Redis', isReadyMeanwhile: false },
]

const backend = inject('backend')
/** A worker has more connections to PostgreSQL if its queues are there as well. */
const cases = CASES.filter(({ store }) => (store === 'Redis') === (backend === 'redis'))

let deployment: Deployment
let processes: Processes
let links: Readonly<Record<Case['who'], Links>>
let probes: Readonly<Record<Case['who'], string>>
let caller: Introduced
let load: Load

beforeAll(async () => {
  deployment = await openDeployment(backend)
  links = { 'api 1': await deployment.stores.links(), 'worker 1': await deployment.stores.links() }
  const workerPort = String(await freePort())
  probes = { 'api 1': deployment.address, 'worker 1': `http://127.0.0.1:${workerPort}` }
  processes = await deployment.start({
    timings: TIMINGS,
    own: (name) => ({ ...links[name as Case['who']].environment, WORKER_PORT: workerPort }),
  })
  caller = await introduce(deployment.address)
  load = startLoad({ ...caller, random: seeded(1), callers: 2, pauseMs: PAUSE_MS })
}, LONG_TEST.timeout)

afterAll(async () => {
  await processes.close()
  await deployment[Symbol.asyncDispose]()
}, LONG_TEST.timeout)

describe('over half-open connections', () => {
  it.each(cases)('of $who to $store the process goes on by itself', LONG_TEST, async (which) => {
    const slot = which.who === 'api 1' ? processes.api : processes.workers[0]
    if (slot === undefined) throw new Error('no worker')
    const pid = slot.pid()
    await expect.poll(() => isWell(), RECOVERY).toBe(true)
    const proxy = proxyOf(which)
    // As a control, a process that sees its connections end has long gone on.
    proxy.cut()
    await expect.poll(() => isWell(), RECOVERY).toBe(true)
    proxy.swallow()
    const said = await readiness(which)
    proxy.heal()
    try {
      await expect.poll(() => isWell(), RECOVERY).toBe(true)
      expect(said).toEqual(which.isReadyMeanwhile ? [200] : expect.arrayContaining([503]))
      expect([slot.pid(), processes.crashed()]).toEqual([pid, 0])
    } finally {
      // A process whose connections stay dead must not spoil the next case.
      if (!(await isWell())) await renew(slot)
    }
  })

  it('nothing was lost, and nothing done twice', LONG_TEST, async () => {
    await load.settle(LONG_TEST.timeout)
    await deployment.quiet()
    expect(load.strange).toEqual([])
    expect(load.journal.length).toBeGreaterThan(20)
    expect(await audit(deployment.stores.databaseUrl, load.journal, ALL_CHECKS)).toEqual([])
  })
})

function proxyOf({ who, store }: Case): ServerProxy {
  const { database, redis } = links[who]
  const proxy = store === 'PostgreSQL' ? database : redis
  if (proxy === undefined) throw new Error(`there is no ${store}`)
  return proxy
}

/** A charge is made at once, voided, and receipted by e-mail; and the sweep goes on. */
async function isWell(): Promise<boolean> {
  const before = processes.workers[0]?.done() ?? {}
  const id = await chargeWithin(caller, PROMPT_MS)
  if (id === undefined) return false
  const copies = { ccEmails: ['books@example.com'] }
  const receipt = await postOnce(
    caller,
    `/transaction/${id}/receipt/email`,
    copies,
    `receipt-${id}`,
  )
  if (receipt.status !== 200 || !(await isVoided(caller, id))) return false
  return isBusy(before)
}

/** Waits a short time only: it comes soon or never. */
async function isBusy(before: Done): Promise<boolean> {
  for (const endMs = performance.now() + 2 * TIMINGS.nudgeGraceMs; ; await delay(LOOK_MS)) {
    const after = processes.workers[0]?.done() ?? {}
    if (BUSY_QUEUES.every((queue) => (after[queue] ?? 0) > (before[queue] ?? 0))) return true
    if (performance.now() > endMs) return false
  }
}

/** The distinct statuses that the probe answered while nothing passed. */
async function readiness({ who }: Case): Promise<readonly (number | undefined)[]> {
  const said = new Set<number | undefined>()
  const endMs = performance.now() + SILENCE_MS
  while (performance.now() < endMs) {
    said.add(await probe(probes[who], '/readyz'))
    await delay(LOOK_MS)
  }
  return [...said]
}

async function renew(slot: Slot): Promise<void> {
  await slot.end('SIGKILL')
  await slot.ready()
}
