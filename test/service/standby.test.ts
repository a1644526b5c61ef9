// The database gets another primary, which has every commit that the old one acknowledged: after a
// crash, and by hand, when the old one stays behind as a readable standby.

import { expect, inject, it } from 'vitest'
import { openProcessesAtWork } from '../support/processes-at-work.ts'

const LONG_TEST = { timeout: 150_000 }
const MOST_RECOVERY_MS = 45_000

/** Enough connections for some of them to meet the standby. */
const ANSWERS = 5
const DEMOTED_MS = 3_000

it('work goes on at a promoted standby, and nothing is lost', LONG_TEST, async () => {
  await using atWork = await openProcessesAtWork({
    backend: inject('backend'),
    apis: 1,
    workers: 1,
  })
  const { stores, load, processes } = atWork
  await load.next(ANSWERS, DEMOTED_MS)

  const first = await stores.standby()
  await load.next(ANSWERS, DEMOTED_MS)
  await first.replaceKilled()
  expect(await atWork.missingAfter(MOST_RECOVERY_MS)).toEqual([])

  const second = await stores.standby()
  await load.next(ANSWERS, DEMOTED_MS)
  await second.demotePrimary()
  await load.next(Number.POSITIVE_INFINITY, DEMOTED_MS)
  const failures = load.failures.length
  expect(failures).toBeGreaterThan(0)
  // Connections to the old primary stay open: the processes must leave them.
  await second.replaceDemoted()
  expect(await atWork.missingAfter(MOST_RECOVERY_MS)).toEqual([])

  expect(await atWork.violations()).toEqual([])
  expect(processes.crashed(), await atWork.log()).toBe(0)
})
