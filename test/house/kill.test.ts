// The short form of `npm run chaos`: every fault once, in an order that the seed decides.

import { expect, inject, it } from 'vitest'
import { runChaos } from '../chaos/conductor.ts'

const SEED = 1

/** Half a minute on an idle machine. */
const LONG_TEST = { timeout: 240_000 }

it('whatever is killed, flushed or silent, each order is carried out once', LONG_TEST, async () => {
  const report = await runChaos({ backend: inject('backend'), seed: SEED, isOver: () => true })
  expect(report.violations, report.log).toEqual([])
  expect(report.crashed, report.log).toBe(0)
  expect(report.faults).toMatchObject({ kill: 4, 'database restart': 2, silence: 1 })
  // A pass would mean nothing if nothing had been under way, or if nothing had been hit.
  expect(report.succeeded).toBeGreaterThan(10)
  const { capture = 0, refund = 0, void: voids = 0 } = report.done
  expect(capture + refund + voids).toBeGreaterThan(5)
  expect(report.takenAgain).toBeGreaterThan(0)
  expect(report.batches).toBeGreaterThan(0)
  expect(report.runs).toBeGreaterThan(0)
  expect(report.paidInvoices).toBeGreaterThan(0)
})
