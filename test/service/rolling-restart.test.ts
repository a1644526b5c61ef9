// A new version is rolled out while the shop sells: each process gets the signal to end, the
// rollout waits for its end, and another takes its place. No caller may notice.

import { expect, inject, it } from 'vitest'
import { audit } from '../chaos/audit.ts'
import { ALL_CHECKS } from '../chaos/audit-checks.ts'
import { openDeployment } from '../chaos/deployment.ts'
import { type FaultRates, NO_FAULTS } from '../chaos/fault-rates.ts'
import { readRunFigures } from '../chaos/run-figures.ts'
import { introduce } from '../chaos/setting.ts'
import { openBalancer } from '../support/balancer.ts'
import { openFleet } from '../support/fleet.ts'
import { startSteadySales } from '../support/steady-sales.ts'

const GRACE_MS = 8_000
const DRAIN_MS = 600

/** Often enough that a worker always has a payment in progress at the signal. */
const OFTEN_SLOW: FaultRates = { ...NO_FAULTS, slow: 0.3 }

/** A slow answer of the gateway is no silence, and a busy machine no dead worker. */
const TIMINGS = {
  gatewayTimeoutMs: 10_000,
  leaseMs: 15_000,
  paymentLeaseMs: 15_000,
  jobLockMs: 15_000,
  nudgeGraceMs: 5_000,
}

const WORKERS = { redis: 3, postgres: 2 } as const
const LONG_TEST = { timeout: 180_000 }

it('processes are renewed one after the other, and no caller notices', LONG_TEST, async () => {
  const backend = inject('backend')
  await using deployment = await openDeployment(backend)
  await using fleet = await openFleet({
    environment: { ...deployment.environment, GRACE_MS: `${GRACE_MS}`, DRAIN_MS: `${DRAIN_MS}` },
    apis: 2,
    workers: WORKERS[backend],
    timings: TIMINGS,
    faultRates: OFTEN_SLOW,
  })
  await using balancer = openBalancer(fleet.addresses)
  for (const address of fleet.addresses) await balancer.isIn(address)
  const caller = await introduce(fleet.addresses[0] ?? '')
  const selling = startSteadySales(balancer, caller)

  const ends = await Promise.all([fleet.renewApis(balancer), fleet.renewWorkers()])
  const sold = await selling.stop()
  await deployment.quiet()

  const log = fleet.log()
  for (const { name, code, signal, tookMs } of ends.flat()) {
    expect({ name, code, signal }, log).toEqual({ name, code: 0, signal: null })
    expect(tookMs, name).toBeLessThan(DRAIN_MS + GRACE_MS)
  }
  expect(ends.flat().length).toBe(2 + WORKERS[backend])
  expect(sold.failures, log).toEqual([])
  expect(await audit(deployment.stores.databaseUrl, sold.journal, ALL_CHECKS)).toEqual([])
  const figures = await readRunFigures(deployment.stores.databaseUrl)
  expect(figures).toMatchObject({ transactions: sold.orders, succeeded: sold.orders, doubted: 0 })
  // Each ending worker finished the payment that it was making: no other had to take it up.
  expect(figures.takenAgain, log).toBe(0)
  // A pass would mean nothing without payments meanwhile, or with a process that was not renewed.
  expect(sold.orders).toBeGreaterThan(100)
  // On a busy machine a process may be unready for a moment more than the restart asks for.
  for (const server of balancer.servers) {
    expect(server.isIn).toBe(true)
    expect(server.partings).toBeGreaterThan(0)
    expect(server.answers).toBeGreaterThan(20)
  }
})
