// The short form of `npm run chaos`: every fault once, in an order that the seed decides.

import { expect, inject, it } from 'vitest'
import { FEW_FAULTS } from '../chaos/faults.ts'
import { runChaos } from '../chaos/run-chaos.ts'
import type { RunFigures } from '../chaos/run-figures.ts'

const SEED = 1

/** Between the requests of each of the six callers. */
const PAUSE_MS = 50

/** It takes half a minute on an idle machine. */
const LONG_TEST = { timeout: 240_000 }

/** On a busy machine one round of faults may end before many orders were in progress. */
const MOST_ROUNDS = 4

/** A pass would mean nothing if no order had been in progress, or no fault had hit. */
function isEnough({
  done,
  succeeded,
  takenAgain,
  batches,
  runs,
  paidInvoices,
}: RunFigures): boolean {
  const { capture = 0, refund = 0, void: voids = 0 } = done
  const least = Math.min(takenAgain, batches, runs, paidInvoices)
  return succeeded > 10 && capture + refund + voids > 5 && least > 0
}

it('each order is carried out once, whatever is killed, flushed or silent', LONG_TEST, async () => {
  const report = await runChaos({
    backend: inject('backend'),
    seed: SEED,
    pauseMs: PAUSE_MS,
    faults: FEW_FAULTS,
    isOver: (rounds, figures) => rounds === MOST_ROUNDS || figures().then(isEnough, () => false),
  })
  expect(report.violations, report.log).toEqual([])
  expect(report.crashed, report.log).toBe(0)
  const { kill = 0, silence = 0, 'database restart': restarts = 0 } = report.faults
  expect([kill >= 4, restarts >= 2, silence >= 1]).toEqual([true, true, true])
  expect(isEnough(report), JSON.stringify(report.done)).toBe(true)
})
