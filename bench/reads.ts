// The reads of the service in a second, compared with a constant answer of the same Fastify, and
// with the bare statement on the same database.

import { startBenchChild } from './child.ts'
import type { Cleanups } from './cleanups.ts'
import { type Read, startReaders } from './get-load.ts'
import type { MeasuredService } from './measured-service.ts'
import { type BenchMerchant, makeMerchant } from './merchant.ts'
import type { Figure, Section } from './report.ts'
import { startRows } from './rows.ts'
import { KEY } from './service.ts'
import { CALLERS, ROW_CONNECTIONS, type Sizes } from './sizes.ts'
import { startSqlReads } from './sql-load.ts'
import { median } from './statistics.ts'

interface Round {
  readonly get: Read
  readonly list: Read
  readonly constant: Read
  readonly getSql: number
  readonly listSql: number
}

/** Enough that no page of the database is requested twice in a row. */
const IDS = 2_000

const ONE = `
  SELECT row_to_json(t), row_to_json(c), row_to_json(m)
  FROM transaction t
  JOIN customer c ON c.account_id = t.account_id AND c.id = t.customer_id
  JOIN payment_method m ON m.account_id = t.account_id AND m.id = t.payment_method_id
  WHERE t.account_id = $1 AND t.id = $2`

/** A page of a customer's successes, and their number. */
const PAGE = `
  SELECT row_to_json(t), row_to_json(c), row_to_json(m), n.total
  FROM (
    SELECT * FROM transaction
    WHERE account_id = $1 AND customer_id = $2 AND status = 'SUCCESS' AND reference_id IS NULL
    ORDER BY created_at DESC, id DESC LIMIT 50
  ) t
  JOIN customer c ON c.account_id = t.account_id AND c.id = t.customer_id
  JOIN payment_method m ON m.account_id = t.account_id AND m.id = t.payment_method_id
  CROSS JOIN (
    SELECT count(*) AS total FROM transaction
    WHERE account_id = $1 AND customer_id = $2 AND status = 'SUCCESS' AND reference_id IS NULL
  ) n`

export async function measureReads(
  measured: MeasuredService,
  sizes: Sizes,
  cleanups: Cleanups,
): Promise<Section> {
  const address = measured.services[0]?.address ?? ''
  const { database } = measured
  const merchant = await makeMerchant({ address, key: KEY }, database.client)
  const ids = await fill(measured, merchant, sizes, cleanups)
  const customers = merchant.paymentMethods.map(({ customerId }) => customerId)
  const constantAddress = await openConstant(address, ids[0] ?? '', cleanups)
  const readers = startReaders(cleanups)
  const sql = startSqlReads(cleanups)

  async function get(from: string, paths: readonly string[]): Promise<Read> {
    const order = { address: from, key: KEY, paths, connections: CALLERS, ms: sizes.readsMs }
    const read = await readers.ask(order)
    if (read.others > 0) throw new Error(`${read.others} reads were not answered 200`)
    return read
  }
  const ask = (text: string, keys: readonly string[]) =>
    sql.ask({
      databaseUrl: database.url,
      text,
      values: keys.map((key) => [merchant.accountId, key]),
      connections: ROW_CONNECTIONS,
      ms: sizes.readsMs,
    })

  const one = ids.map((id) => `/transaction/${id}`)
  const lists = customers.map((id) => `/transaction?customer_id=${id}&status=SUCCESS`)
  const rounds: Round[] = []
  await get(address, one)
  while (rounds.length < sizes.rounds) {
    rounds.push({
      constant: await get(constantAddress, one),
      get: await get(address, one),
      getSql: await ask(ONE, ids),
      list: await get(address, lists),
      listSql: await ask(PAGE, customers),
    })
  }
  return section(rounds)
}

/** Writes rows as the service does; returns the ids of some. */
async function fill(
  { database }: MeasuredService,
  merchant: BenchMerchant,
  sizes: Sizes,
  cleanups: Cleanups,
): Promise<readonly string[]> {
  const rows = startRows(cleanups)
  const connections = ROW_CONNECTIONS
  await rows.ask({ ...merchant, databaseUrl: database.url, connections, ms: sizes.rowsMs })
  await database.client.query('VACUUM ANALYZE transaction')
  const found = await database.client.query<{ id: string }>(
    'SELECT id FROM transaction ORDER BY md5(id::text) LIMIT $1',
    [IDS],
  )
  return found.rows.map(({ id }) => id)
}

/** A server of a constant answer, whose body has the same size and shape. */
async function openConstant(address: string, id: string, cleanups: Cleanups): Promise<string> {
  const headers = { authorization: `Bearer ${KEY}` }
  const answer = await fetch(`${address}/transaction/${id}`, { headers })
  if (!answer.ok) throw new Error(`no transaction: ${answer.status} ${await answer.text()}`)
  return startBenchChild<object, string>('constant-child.ts', [], cleanups).ask(
    (await answer.json()) as object,
  )
}

function section(rounds: readonly Round[]): Section {
  const of = (pick: (round: Round) => number) => median(rounds.map(pick))
  const figure = (name: string, label: string, unit: string, pick: (round: Round) => number) =>
    ({ name: `reads_${name}`, label, value: of(pick), unit }) satisfies Figure
  return {
    title: 'Reads, on the embedded default',
    notes: [
      `${CALLERS} callers over raw keep-alive sockets; ${rounds.length} rounds in turn, medians. Lists: 50 of a customer's successes, with their total.`,
      `The constant: the same Fastify, the body of one transaction. Bare SQL: the same rows, prepared, ${ROW_CONNECTIONS} connections.`,
    ],
    figures: [
      figure('get_per_second', 'GET /transaction/{id}', '/s', (r) => r.get.perSecond),
      figure('list_per_second', 'GET /transaction, filtered', '/s', (r) => r.list.perSecond),
      figure('constant_per_second', 'a constant', '/s', (r) => r.constant.perSecond),
      figure('get_sql_per_second', 'bare SQL of one', '/s', (r) => r.getSql),
      figure('list_sql_per_second', 'bare SQL of a page', '/s', (r) => r.listSql),
      figure('get_p50_ms', 'GET /transaction/{id}, p50', 'ms', (r) => r.get.p50Ms),
      figure('get_p99_ms', 'GET /transaction/{id}, p99', 'ms', (r) => r.get.p99Ms),
      figure('list_p50_ms', 'GET /transaction, filtered, p50', 'ms', (r) => r.list.p50Ms),
      figure('list_p99_ms', 'GET /transaction, filtered, p99', 'ms', (r) => r.list.p99Ms),
    ],
    ratios: {
      get_vs_constant: of((r) => r.get.perSecond / r.constant.perSecond),
      get_vs_sql: of((r) => r.get.perSecond / r.getSql),
      list_vs_sql: of((r) => r.list.perSecond / r.listSql),
    },
  }
}
