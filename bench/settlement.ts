// Closing a day's batch and writing the event of each of its transactions, beside one bare UPDATE of as many rows of the
// same columns in the same table. The events' writing also makes each transaction's whole snapshot, and commits by the
// chunk.

import pg from 'pg'
import { writeTeam } from '../src/accounts/create-team.ts'
import { readConfig } from '../src/config.ts'
import { SECOND } from '../src/core/time-units.ts'
import { openEmbedded } from '../src/db/embedded/index.ts'
import { migrate } from '../src/db/migrate.ts'
import { openLog } from '../src/log.ts'
import { settleAtOnce } from '../src/settlement/settle-account.ts'
import { openWorld, type World } from '../src/world.ts'
import { fillDays } from '../test/support/batch-crowd.ts'
import type { Cleanups } from './cleanups.ts'
import { temporaryFolder } from './database.ts'
import type { Section } from './report.ts'
import type { Sizes } from './sizes.ts'

/** Bare, closed, bare: what the table gained by the first two is no excuse for the last, nor an advantage. */
const BARE_FIRST = '2026-03-02'
const CLOSED = '2026-03-03'
const BARE_LAST = '2026-03-04'

/** The very columns that the events' writing changes, and no event. */
const BARE = `
  UPDATE transaction SET updated_at = $3, version = version + 1
  WHERE account_id = $1 AND business_date = $2::date AND void_id IS NULL`

export async function measureSettlement(sizes: Sizes, cleanups: Cleanups): Promise<Section> {
  const server = await openEmbedded(await temporaryFolder(cleanups), { role: 'owner' })
  cleanups.add(() => server.stop())
  await migrate(server.url)
  const world = openWorld({
    config: readConfig({ PORT: '0' }),
    databaseUrl: server.url,
    log: openLog('silent'),
  })
  cleanups.add(() => world.close())
  const client = new pg.Client({
    connectionString: server.superuserUrl,
    options: '-c TimeZone=UTC',
  })
  client.on('error', () => {}) // its server is stopped under it, in the end
  await client.connect()
  cleanups.add(() => client.end())
  const accountId = await makeAccount(world)
  const days = [BARE_FIRST, CLOSED, BARE_LAST]
  const ids = await fillDays(client, accountId, days, sizes.batched)

  const first = await updateBare(client, accountId, BARE_FIRST, sizes.batched)
  const closing = await closeBatch(world, accountId, ids[1], sizes.batched)
  const last = await updateBare(client, accountId, BARE_LAST, sizes.batched)
  return section(sizes.batched, closing, (first + last) / 2)
}

async function makeAccount(world: World): Promise<string> {
  const { accounts } = await world.db.prisma.$transaction((books) =>
    writeTeam(world, books, 'Settlement'),
  )
  return accounts.sandbox
}

async function updateBare(
  client: pg.Client,
  accountId: string,
  day: string,
  expected: number,
): Promise<number> {
  const startedMs = performance.now()
  const { rowCount } = await client.query(BARE, [accountId, day, new Date()])
  if (rowCount !== expected) throw new Error(`the bare update wrote ${rowCount} rows`)
  return performance.now() - startedMs
}

interface Took {
  /** Until the batch was closed, and until its last event was written. */
  readonly closedMs: number
  readonly allMs: number
}

async function closeBatch(
  world: World,
  accountId: string,
  id: string | undefined,
  expected: number,
): Promise<Took> {
  const item = { accountId, id: id ?? '', requestId: 'bench' }
  const startedMs = performance.now()
  let closedMs: number | undefined
  // The events' writing reports before its first one.
  await settleAtOnce(world, item, () => {
    closedMs ??= performance.now() - startedMs
  })
  const allMs = performance.now() - startedMs
  const batch = await world.db.prisma.batch.findFirst({ where: { accountId, id: item.id } })
  const told = await world.db.prisma.event.count({
    where: { accountId, type: 'update_transaction_settled' },
  })
  if (closedMs === undefined || batch?.count !== expected || told !== expected) {
    throw new Error(`the batch is ${batch?.status}, it took ${batch?.count} and told of ${told}`)
  }
  return { closedMs, allMs }
}

function section(batched: number, { closedMs, allMs }: Took, bareMs: number): Section {
  const perSecond = (ms: number) => (batched / ms) * SECOND
  return {
    title: 'Closing a batch',
    notes: [
      `${batched} transactions of one day, a process of its own on an embedded PostgreSQL; an event with a snapshot for each, gateway and deposit told.`,
      'Bare: one UPDATE of the same columns of as many rows, before and after; their mean.',
    ],
    figures: [
      { name: 'batch_close_seconds', label: 'closed after', value: closedMs / SECOND, unit: 's' },
      { name: 'batch_seconds', label: 'all events after', value: allMs / SECOND, unit: 's' },
      { name: 'batch_per_second', label: 'events', value: perSecond(allMs), unit: '/s' },
      { name: 'batch_update_seconds', label: 'bare update', value: bareMs / SECOND, unit: 's' },
      {
        name: 'batch_update_per_second',
        label: 'bare update',
        value: perSecond(bareMs),
        unit: '/s',
      },
    ],
    ratios: { batch_vs_update: bareMs / allMs },
  }
}
