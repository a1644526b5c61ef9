// Many accounts close their batches at the same cutoff while the gateway is silent: closing never
// waits for it, and each batch is reported once the gateway answers.

import pg from 'pg'
import { expect, it } from 'vitest'
import { nudgeDueBatches } from '../../src/settlement/due-batches.ts'
import { writeDay } from '../support/batch-crowd.ts'
import { type Fault, faultyGateway } from '../support/faulty-gateway.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

/** The number of accounts in each of two days: the gateway answers on one, and not on the other. */
const ACCOUNTS = Number(process.env.SILENT_CLOSINGS ?? 40)
const SILENCE_MS = 1_000
const [DAY, NEXT_DAY] = ['2026-03-04', '2026-03-05'] as const

const LONG_TEST = { timeout: 120_000 + 2 * ACCOUNTS * SILENCE_MS }
const COUNTS = `
  SELECT count(*) FILTER (WHERE status = 'closed')::integer AS closed,
    count(told_at)::integer AS told,
    (SELECT count(*)::integer FROM event WHERE type = 'create_batch') AS create_batch
  FROM batch`

it(
  'batches close as fast while their gateway is silent, and it is notified later',
  LONG_TEST,
  async () => {
    const plan = { isSilent: false, isLong: () => true, fault: (): Fault => 'none' }
    plan.fault = () => (plan.isSilent ? 'silent before' : 'none')
    await using service = await openTestService({
      queues: ['settlement', 'tell_gateway'],
      timings: { gatewayTimeoutMs: SILENCE_MS, askAgain: { firstMs: 2_000, mostMs: 2_000 } },
      withGateway: (gateway) => faultyGateway(gateway, plan),
    })
    const accountIds: string[] = []
    for (let n = 0; n < ACCOUNTS; n += 1) accountIds.push((await service.merchant()).accountId)
    const counts = async () => (await service.world.db.query(COUNTS))[0]

    async function closeAll(day: string, closed: number): Promise<number> {
      await write(service, accountIds, day)
      const startedMs = performance.now()
      await nudgeDueBatches(service.world)
      await expect.poll(counts).toMatchObject({ closed, create_batch: closed })
      return Math.round(performance.now() - startedMs)
    }

    const usualMs = await closeAll(DAY, ACCOUNTS)
    await expect.poll(counts).toMatchObject({ told: ACCOUNTS })
    plan.isSilent = true
    const silentMs = await closeAll(NEXT_DAY, 2 * ACCOUNTS)
    console.log(
      `${ACCOUNTS} batches: closed in ${usualMs} ms, with a silent gateway in ${silentMs} ms`,
    )
    expect(await counts()).toMatchObject({ told: ACCOUNTS })
    expect(silentMs).toBeLessThan(2 * usualMs + SILENCE_MS)

    plan.isSilent = false
    await expect.poll(counts).toMatchObject({ told: 2 * ACCOUNTS })
    const books = await service.world.db.query('SELECT count, sales FROM sandbox_gateway_batch')
    expect(books).toEqual(Array(2 * ACCOUNTS).fill({ count: 3, sales: '306' }))
  },
)

async function write(
  service: TestService,
  accountIds: readonly string[],
  day: string,
): Promise<void> {
  const client = new pg.Client(service.databaseUrl)
  await client.connect()
  await writeDay(client, accountIds, day, 3)
  await client.end()
}
