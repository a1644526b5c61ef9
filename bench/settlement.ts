// Closes a day's batch and writes the event of each of its transactions, compared with one bare
// INSERT of the same events. The service also reads each transaction, makes its whole snapshot, and
// commits in chunks.

import pg from 'pg'
import { createTeam } from '../src/accounts/create-team.ts'
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

/** The events of the first day are copied. */
const DAYS = ['2026-03-02', '2026-03-03']

/** The same events once more, under new ids and sequence numbers. */
const BARE = `
  INSERT INTO event (account_id, id, type, resource_id, sequence, snapshot, request_id, created_at)
  SELECT account_id, uuidv7(), 'update_transaction', resource_id, sequence + $2, snapshot, request_id, created_at
  FROM event WHERE account_id = $1 AND type = 'update_transaction_settled' AND request_id = $3`

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
  client.on('error', () => {}) // its server is stopped at the end
  await client.connect()
  cleanups.add(() => client.end())
  const accountId = await makeAccount(world)
  const [copied = '', measured = ''] = await fillDays(client, accountId, DAYS, sizes.batched)

  await closeBatch(world, accountId, copied, sizes.batched)
  // Bare, closed, bare: growth of the table by the first two neither excuses nor helps the last.
  const first = await insertBare(client, [accountId, 2, copied], sizes.batched)
  const closing = await closeBatch(world, accountId, measured, sizes.batched)
  const last = await insertBare(client, [accountId, 4, copied], sizes.batched)
  return section(sizes.batched, closing, (first + last) / 2)
}

async function makeAccount(world: World): Promise<string> {
  const { accounts } = await createTeam(world, 'Settlement')
  return accounts.sandbox
}

async function insertBare(
  client: pg.Client,
  values: readonly unknown[],
  expected: number,
): Promise<number> {
  const startedMs = performance.now()
  const { rowCount } = await client.query(BARE, [...values])
  if (rowCount !== expected) throw new Error(`the bare insert wrote ${rowCount} rows`)
  return performance.now() - startedMs
}

interface Took {
  /** The time until the batch was closed, and until its last event was written. */
  readonly closedMs: number
  readonly allMs: number
}

async function closeBatch(
  world: World,
  accountId: string,
  id: string,
  expected: number,
): Promise<Took> {
  const item = { accountId, id, requestId: id }
  const startedMs = performance.now()
  let closedMs: number | undefined
  // The events' writing reports its progress before the first event.
  const report = () => {
    closedMs ??= performance.now() - startedMs
  }
  await settleAtOnce(world, item, { report })
  const allMs = performance.now() - startedMs
  const batch = await world.db.prisma.batch.findFirst({ where: { accountId, id } })
  const written = await world.db.prisma.event.count({
    where: { accountId, type: 'update_transaction_settled', requestId: id },
  })
  if (closedMs === undefined || batch?.count !== expected || written !== expected) {
    throw new Error(
      `the batch is ${batch?.status}, it took ${batch?.count} and wrote ${written} events`,
    )
  }
  return { closedMs, allMs }
}

function section(batched: number, { closedMs, allMs }: Took, bareMs: number): Section {
  const perSecond = (ms: number) => (batched / ms) * SECOND
  return {
    title: 'Closing a batch',
    notes: [
      `${batched} transactions of one day, a process of its own on an embedded PostgreSQL; an event with a snapshot for each, reports to the gateway and the deposit.`,
      'Bare: one INSERT … SELECT of as many of these events, before and after; their mean.',
    ],
    figures: [
      { name: 'batch_close_seconds', label: 'closed after', value: closedMs / SECOND, unit: 's' },
      { name: 'batch_seconds', label: 'all events after', value: allMs / SECOND, unit: 's' },
      { name: 'batch_per_second', label: 'events', value: perSecond(allMs), unit: '/s' },
      { name: 'batch_insert_seconds', label: 'bare insert', value: bareMs / SECOND, unit: 's' },
      {
        name: 'batch_insert_per_second',
        label: 'bare insert',
        value: perSecond(bareMs),
        unit: '/s',
      },
    ],
    ratios: { batch_vs_insert: bareMs / allMs },
  }
}
