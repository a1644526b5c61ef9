// How long the database takes to find a page of transactions and its total, for every filter, every
// sort, and pages far down the list: in an account of a million transactions among others that have
// more.
//
//   npx tsx bench/lists.ts                       a million, and two million of others
//   npx tsx bench/lists.ts --own 100000 --others 1000000
//   npx tsx bench/lists.ts --plain               compared with a plain count and a plain page

import pg from 'pg'
import { openEmbedded } from '../src/db/embedded/index.ts'
import { migrate } from '../src/db/migrate.ts'
import { statementOf } from '../src/db/terms.ts'
import { IS_PENDING, type Listing } from '../src/payments/lists/listing.ts'
import { pendingTerms } from '../src/payments/lists/sources.ts'
import { idsAt, openWalk } from '../src/payments/lists/walk.ts'
import { type Explained, explaining } from '../test/support/explained.ts'
import { listing, MANY, narrowedFilters, SORTED_BY, TALLIED } from '../test/support/listings.ts'
import { numberOption, programOptions } from '../test/support/program-options.ts'
import { fillCrowd } from '../test/support/transaction-crowd.ts'
import { type Cleanups, stopOnSignals, withCleanups } from './cleanups.ts'
import { temporaryFolder } from './database.ts'
import { readCommit, readMachine } from './machine.ts'

const TAKE = 50

const USAGE = `
Measures how long finding a page of transactions and its total takes, for every filter and sort.

usage: npx tsx bench/lists.ts [--own 1000000] [--others 2000000] [--plain]

  --own N     transactions of the account
  --others N  transactions of other accounts
  --plain     measure a plain count and page as well
`

const options = programOptions(
  USAGE,
  {
    own: { type: 'string', default: '1000000' },
    others: { type: 'string', default: '2000000' },
    plain: { type: 'boolean', default: false },
  },
  ({ own, others, plain }) => ({
    own: numberOption('own', own, 1),
    others: numberOption('others', others, 0),
    plain,
  }),
)

stopOnSignals()
await withCleanups(measureLists)

async function measureLists(cleanups: Cleanups): Promise<void> {
  const server = await openEmbedded(await temporaryFolder(cleanups), { role: 'owner' })
  cleanups.add(() => server.stop())
  await migrate(server.url)
  const client = new pg.Client({
    connectionString: server.superuserUrl,
    options: '-c TimeZone=UTC',
  })
  await client.connect()
  cleanups.add(() => client.end())
  // Only this run reads the data, so it need not survive a crash.
  for (const setting of ['fsync = off', 'full_page_writes = off', "max_wal_size = '16GB'"]) {
    await client.query(`ALTER SYSTEM SET ${setting}`)
  }
  await client.query('SELECT pg_reload_conf()')
  process.stderr.write(`filling ${options.own} and ${options.others} …\n`)
  await fillCrowd(client, options.own, Number(options.others))
  const { cpu, cores, memoryGb } = readMachine()
  print(`Lamplighter ${readCommit()}, ${cpu}, ${cores} cores, ${memoryGb} GB`)
  print(`${options.own} transactions, ${options.others} of others; ms in the database\n`)
  print(heading('first page'))
  const filters = { ...TALLIED, ...(await narrowedFilters(client)), ...MANY }
  for (const [name, filter] of Object.entries(filters)) await measure(client, name, listing(filter))
  print(heading('\nfirst page by'))
  for (const sort of SORTED_BY) {
    for (const order of ['asc', 'desc'] as const) {
      await measure(client, `${sort} ${order}`, listing({}, { sort, order }))
    }
  }
  print(heading('\ndeep pages by'))
  for (const sort of SORTED_BY) await measureDepths(client, listing({}, { sort }))
}

async function measureDepths(client: pg.Client, asked: Listing): Promise<void> {
  const { total } = await openWalk(explaining(client, []), asked)
  const last = Math.ceil(total / TAKE)
  for (const number of [1, 100, 1_000, 10_000, last].filter((one) => one <= last)) {
    await measure(client, `${asked.sort} page ${number}`, asked, (number - 1) * TAKE)
  }
}

/** The better of two measurements; the first one warms the caches. */
async function measure(client: pg.Client, name: string, asked: Listing, skip = 0): Promise<void> {
  const tries = [await attempt(client, asked, skip), await attempt(client, asked, skip)]
  const best = tries.reduce((one, other) => (other.ms < one.ms ? other : one))
  const plain = options.plain ? [await plainly(client, asked, skip)] : []
  const figures = [best.total, best.ms, best.planMs, best.statements, ...plain]
  print(
    line(
      name,
      figures.map((figure) => figure.toFixed(figure % 1 === 0 ? 0 : 1)),
    ),
  )
}

async function attempt(client: pg.Client, asked: Listing, skip: number) {
  const kept: Explained[] = []
  const query = explaining(client, kept)
  const walk = await openWalk(query, asked)
  await idsAt(query, walk, skip, TAKE)
  const sum = (of: (one: Explained) => number) => kept.reduce((total, one) => total + of(one), 0)
  const [ms, planMs] = [sum((one) => one.ms), sum((one) => one.planMs)]
  return { total: walk.total, ms, planMs, statements: kept.length }
}

/** With all conditions at once, and the planner's choice. */
async function plainly(client: pg.Client, asked: Listing, skip: number): Promise<number> {
  const { text: where, values } = statementOf((put) =>
    pendingTerms(asked, put)
      .filter((term) => term !== IS_PENDING)
      .join(' AND '),
  )
  const column = asked.sort === 'status' ? 'status::text' : asked.sort
  const order = `${column} ${asked.order} NULLS LAST, id ${asked.order}`
  const kept: Explained[] = []
  const query = explaining(client, kept)
  await query(`SELECT count(*) FROM transaction t WHERE ${where}`, values)
  const page = `ORDER BY ${order} LIMIT ${TAKE} OFFSET ${skip}`
  await query(`SELECT * FROM transaction t WHERE ${where} ${page}`, values)
  return kept.reduce((total, { ms }) => total + ms, 0)
}

function heading(name: string): string {
  const plain = options.plain ? ['plainly'] : []
  return line(name, ['total', 'ms', 'planning', 'statements', ...plain])
}

function line(name: string, figures: readonly string[]): string {
  return `${name.padEnd(46)}${figures.map((figure) => figure.padStart(11)).join('')}`
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
