// The limit of a provider holds over all processes together, in any window of a second, and the
// processes use what it allows.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertDue } from '../support/deliveries.ts'
import type { DeliveryBegun } from '../support/delivery-child.ts'
import {
  type DeliveryProcesses,
  shortestWithMore,
  startDelivering,
} from '../support/delivery-processes.ts'
import { soon } from '../support/soon.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const PER_SECOND = Number(process.env.PACE_PER_SECOND ?? 50)

/** The number of messages to measure. */
const MESSAGES = Number(process.env.PACE_MESSAGES ?? 150)

/**
 * The share of the limit that must be used when it is measured for its own sake, and a lower one in
 * the suite: a machine that is busy with other tests is late, and a late process delays the others.
 */
const USED_AT_LEAST = process.env.PACE_MESSAGES === undefined ? 0.4 : 0.95

const PROCESSES = 4

/** A mail server usually takes about this long. */
const TAKES_MS = 150
const STALL_MS = 200

const LONG_TEST = { timeout: 60_000 + (MESSAGES / PER_SECOND) * 2_000 }

/** More than one account, so that accounts take turns. */
const ACCOUNTS = 3

it('windows are measured wherever they begin', () => {
  const shortest = (most: number, ...times: number[]) =>
    shortestWithMore(
      times.map((atMs) => ({ id: '', lane: '', atMs })),
      most,
    )
  expect([shortest(1), shortest(1, 7)]).toEqual([
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
  ])
  expect(shortest(1, 0, 1_000, 1_999, 3_000)).toBe(999)
  expect(shortest(3, 0, 900, 950, 1_100, 1_850, 1_949, 3_000)).toBe(950)
})

describe(`${PROCESSES} processes`, () => {
  let service: TestService
  let processes: DeliveryProcesses
  let accounts: readonly string[]

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    const merchants = Array.from({ length: ACCOUNTS }, () => service.merchant())
    accounts = (await Promise.all(merchants)).map(({ accountId }) => accountId)
    processes = await startDelivering(PROCESSES, {
      databaseUrl: service.databaseUrl,
      channel: 'email',
      takesMs: TAKES_MS,
      perSecond: PER_SECOND,
    })
  }, 60_000)
  afterAll(async () => {
    await processes[Symbol.asyncDispose]()
    await service.close()
  })

  /** Answers the messages that were begun, once all of them are sent. */
  async function carried(count: number): Promise<readonly DeliveryBegun[]> {
    const { query } = service.world.db
    const before = processes.begun().length
    const each = Math.ceil(count / ACCOUNTS)
    const common = { channel: 'email', count: each, dueAt: new Date() } as const
    await Promise.all(accounts.map((accountId) => insertDue(query, { ...common, accountId })))
    const patience = { timeout: LONG_TEST.timeout, interval: 50 }
    const left = `SELECT FROM delivery WHERE status <> 'sent' LIMIT 1`
    await soon(async () => expect(await query(left)).toEqual([]), patience)
    await soon(
      () => expect(processes.begun().length).toBeGreaterThanOrEqual(before + each * ACCOUNTS),
      patience,
    )
    return processes.begun().slice(before)
  }

  const untilBegun = (count: number) =>
    soon(() => expect(processes.begun().length).toBeGreaterThan(count), {
      timeout: LONG_TEST.timeout,
      interval: 5,
    })

  it('never begin more than the limit in a second, and use the limit', LONG_TEST, async () => {
    const begun = await carried(MESSAGES)
    expect(new Set(begun.map(({ id }) => id)).size).toBe(begun.length)
    expect(shortestWithMore(begun, PER_SECOND)).toBeGreaterThanOrEqual(1_000)
    expect(usedOf(begun)).toBeGreaterThan(USED_AT_LEAST)
  })

  it('keep to it if some of them stand still now and then', LONG_TEST, async () => {
    processes.stall(0, STALL_MS)
    processes.stall(1, STALL_MS)
    const carrying = carried(MESSAGES)
    const before = processes.begun().length
    await untilBegun(before + MESSAGES / 4)
    processes.freeze(2)
    await untilBegun(before + MESSAGES / 2)
    processes.thaw(2)
    const begun = await carrying
    expect(shortestWithMore(begun, PER_SECOND)).toBeGreaterThanOrEqual(1_000)
    for (const which of [0, 1]) processes.stall(which, 0)
  })

  it(
    'keep to it if one stood still for over a second with many about to be sent',
    LONG_TEST,
    async () => {
      for (const which of [1, 2, 3]) processes.freeze(which)
      const before = processes.begun().length
      const carrying = carried(MESSAGES)
      await untilBegun(before)
      processes.freeze(0)
      for (const which of [1, 2, 3]) processes.thaw(which)
      const frozen = processes.begun().length
      await untilBegun(frozen + 1.2 * PER_SECOND)
      processes.thaw(0)
      const begun = await carrying
      expect(shortestWithMore(begun, PER_SECOND)).toBeGreaterThanOrEqual(1_000)
    },
  )
})

/** The share of the limit that was used, from the first message to the last. */
function usedOf(begun: readonly DeliveryBegun[]): number {
  const spentMs = (begun.at(-1)?.atMs ?? 0) - (begun[0]?.atMs ?? 0)
  return ((begun.length - 1) * 1_000) / spentMs / PER_SECOND
}
