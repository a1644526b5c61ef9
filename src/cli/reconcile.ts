// `lamplighter reconcile` compares a day's batches with the gateway's own ledger. The exit status
// is 1 if they differ.

import type { Mode } from '../accounts/key.ts'
import { toDecimal } from '../core/money.ts'
import { oneLine } from '../core/terminal-text.ts'
import { dateText } from '../core/whole-days.ts'
import type { Reconciled } from '../settlement/reconcile.ts'
import type { Sums } from '../settlement/sums.ts'
import { requireAccount } from '../settlement/unsettled.ts'
import type { QueryWorld } from '../world.ts'
import { type ListOutput, printJson, printRows } from './output.ts'
import { openProgress } from './progress.ts'
import { readAccountId, readDate } from './read-options.ts'
import { groupedAmount, type TableColumn } from './table.ts'
import { withQueries } from './with-database.ts'

interface ReconcileOptions extends ListOutput {
  readonly account?: string
  readonly date: string
}

type Names = ReadonlyMap<string, { readonly team: string; readonly mode: Mode }>

export async function reconcileCommand(options: ReconcileOptions): Promise<void> {
  const accountId = readAccountId(options.account)
  const date = readDate(options.date) ?? ''
  await withQueries(async (world, inWorld) => {
    if (accountId !== undefined) await requireAccount(world, accountId)
    const names = await namesOfDay(world, date)
    if (names.size === 0) return options.json === true ? printJson([]) : printRows([], [], {})
    await inWorld(async (whole) => {
      const { reconcile } = await import('../settlement/reconcile.ts')
      const all = await reconcile(whole, date, accountId, (batch) =>
        openProgress(process.stderr, `${date} of ${nameOf(names, batch.accountId)}`),
      )
      if (options.json === true) printJson(all.map((one) => asJson(one, names)))
      else printText(all, names, options)
      if (all.some(({ differences }) => differences.length > 0)) process.exitCode = 1
    })
  })
}

const WITH_BATCH = `
  SELECT a.id, t.name AS team, a.mode FROM account a JOIN team t ON t.id = a.team_id
  WHERE EXISTS (SELECT FROM batch b WHERE b.account_id = a.id AND b.business_date = $1::date)`

async function namesOfDay(world: QueryWorld, date: string): Promise<Names> {
  const rows = await world.db.query(WITH_BATCH, [date])
  return new Map(rows.map(({ id, team, mode }) => [id, { team, mode }]))
}

function nameOf(names: Names, accountId: string): string {
  const { team = accountId, mode = '' } = names.get(accountId) ?? {}
  return `${team} ${mode}`.trim()
}

function asJson(
  { batch, ours, gateways, differences, afterwards }: Reconciled,
  names: Names,
): object {
  return {
    account_id: batch.accountId,
    team: names.get(batch.accountId)?.team ?? null,
    mode: names.get(batch.accountId)?.mode ?? null,
    batch_id: batch.id,
    business_date: dateText(batch.businessDate),
    status: batch.status,
    ...figures(ours),
    gateway: figures(gateways),
    differences,
    afterwards,
  }
}

function printText(all: readonly Reconciled[], names: Names, options: ListOutput): void {
  const columns: readonly TableColumn<Reconciled>[] = [
    { heading: 'TEAM', read: ({ batch }) => names.get(batch.accountId)?.team, isCut: true },
    { heading: 'MODE', read: ({ batch }) => names.get(batch.accountId)?.mode },
    { heading: 'STATUS', read: ({ batch }) => batch.status },
    { heading: 'COUNT', read: ({ ours }) => ours.count },
    { heading: 'NET', read: ({ ours }) => groupedAmount(figures(ours).net) },
    { heading: 'GATEWAY COUNT', read: ({ gateways }) => gateways.count },
    { heading: 'GATEWAY NET', read: ({ gateways }) => groupedAmount(figures(gateways).net) },
    {
      heading: 'DIFFERENCES',
      read: ({ differences }) => differences.length,
      colour: ({ differences }) => (differences.length === 0 ? 'good' : 'bad'),
    },
    { heading: 'SALES', read: ({ ours }) => groupedAmount(figures(ours).sales), isWide: true },
    { heading: 'REFUNDS', read: ({ ours }) => groupedAmount(figures(ours).refunds), isWide: true },
    { heading: 'ACCOUNT', read: ({ batch }) => batch.accountId, isWide: true },
    { heading: 'BATCH', read: ({ batch }) => batch.id, isWide: true },
  ]
  printRows(all, columns, options)
  const lines = all.flatMap(({ differences, afterwards }) =>
    [...differences, ...afterwards].map(({ id, what }) => `${oneLine(`${id}: ${what}`)}\n`),
  )
  process.stdout.write(lines.join(''))
}

function figures({ count, sales, refunds }: Sums) {
  return {
    count,
    sales: toDecimal(sales),
    refunds: toDecimal(refunds),
    net: toDecimal(sales - refunds),
  }
}
