// `lamplighter reconcile` compares a day with the gateway's own ledger. The exit status is 1 if
// they differ, or if an account could not be compared.

import { counted } from '../core/counts.ts'
import { type Cents, toDecimal } from '../core/money.ts'
import { OperatorError } from '../core/operator-error.ts'
import { oneLine } from '../core/terminal-text.ts'
import { dateText } from '../core/whole-days.ts'
import type { BatchRow } from '../settlement/batch.ts'
import type { AccountDay, Difference, Reconciled } from '../settlement/reconcile.ts'
import { netAfterFees, type Sums } from '../settlement/sums.ts'
import { requireAccount } from '../settlement/unsettled.ts'
import type { WritingWorld } from '../world.ts'
import { fail, type ListOutput, printJson, printRows } from './output.ts'
import { openProgress } from './progress.ts'
import { readAccountId, readDate } from './read-options.ts'
import { groupedAmount, type TableColumn, timeText } from './table.ts'
import { withQueries } from './with-queries.ts'

interface ReconcileOptions extends ListOutput {
  readonly account?: string
  readonly date: string
  readonly lost?: true
}

export async function reconcileCommand(options: ReconcileOptions): Promise<void> {
  const accountId = readAccountId(options.account)
  const date = readDate(options.date)
  const withLost = options.lost === true
  await withQueries(async (world, inWorld) => {
    if (accountId !== undefined) await requireAccount(world, accountId)
    if (!(await hasDayToCompare(world, date, accountId, withLost))) return print([], date, options)
    await inWorld(async (whole) => {
      const { reconcile } = await import('../settlement/reconcile.ts')
      let hasFailed = false
      const all = await reconcile(
        { ...whole, db: whole.reads() },
        date,
        accountId,
        {
          openReport: ({ team, mode }) =>
            openProgress(process.stderr, `${date} of ${team} ${mode}`),
          onFailure(day, error) {
            hasFailed = true
            fail(notCompared(day, date, error))
          },
        },
        withLost,
      )
      if (all.length > 0 || !hasFailed || options.json === true) print(all, date, options)
      if (all.some(({ differences }) => differences.length > 0)) process.exitCode = 1
    })
  })
}

const HAS_DAY = `
  SELECT FROM account a
  WHERE ($2::uuid IS NULL OR a.id = $2) AND (a.mode = 'live' AND $3 OR EXISTS (
    SELECT FROM batch b WHERE b.account_id = a.id AND b.business_date = $1::date
  ))
  LIMIT 1`

/** Without one, no gateway need be loaded. */
async function hasDayToCompare(
  { config, db }: WritingWorld,
  date: string,
  accountId: string | undefined,
  withLost: boolean,
): Promise<boolean> {
  const hasGateway = config.stripe !== undefined || config.checkout !== undefined
  const isAsked = hasGateway && (withLost || accountId !== undefined)
  const values = [date, accountId ?? null, isAsked]
  return (await db.query(HAS_DAY, values)).length > 0
}

/** The others are compared all the same. */
function notCompared({ accountId }: AccountDay, date: string, error: unknown): OperatorError {
  const why = error instanceof Error ? error.message : String(error)
  return new OperatorError(`${date} of account ${accountId} is not compared: ${why}`)
}

function print(all: readonly Reconciled[], date: string, options: ListOutput): void {
  if (options.json === true) printJson(all.map(asJson))
  else printText(all, date, options)
}

/** Without a batch, its id and its status are null. */
function asJson({ day, batch, ours, gateways, differences, afterwards }: Reconciled): object {
  return {
    account_id: day.accountId,
    team: day.team,
    mode: day.mode,
    batch_id: batch?.id ?? null,
    business_date: dateText(day.businessDate),
    status: batch?.status ?? null,
    ...figures(ours),
    ...feeFigures(batch),
    gateway: figures(gateways),
    differences: differences.map(differenceAsJson),
    afterwards,
  }
}

function differenceAsJson({ id, what, atGateway }: Difference): object {
  if (atGateway === undefined) return { id, what }
  const { name, id: gatewayId, acceptedAt, lastFour, method } = atGateway
  return {
    id,
    what,
    gateway: name,
    gateway_id: gatewayId,
    accepted_at: acceptedAt,
    last_four: lastFour ?? null,
    payment_method_id: method?.id ?? null,
    customer_id: method?.customerId ?? null,
    schedule_ids: method?.scheduleIds ?? [],
    invoice_ids: method?.invoiceIds ?? [],
  }
}

function printText(all: readonly Reconciled[], date: string, options: ListOutput): void {
  const isQuiet = ({ batch, differences }: Reconciled) =>
    batch === undefined && differences.length === 0
  const shown = all.filter((one) => !isQuiet(one))
  if (shown.length > 0) printTable(shown, options)
  const quiet = all.length - shown.length
  if (quiet > 0) {
    const accounts = counted(quiet, 'account has', 'accounts have')
    process.stdout.write(`${accounts} no batch of ${date}, and nothing of it at the gateway\n`)
  } else if (shown.length === 0) process.stdout.write(`no batch of ${date}\n`)
}

function printTable(all: readonly Reconciled[], options: ListOutput): void {
  const columns: readonly TableColumn<Reconciled>[] = [
    { heading: 'TEAM', read: ({ day }) => day.team, isCut: true },
    { heading: 'MODE', read: ({ day }) => day.mode },
    { heading: 'STATUS', read: ({ batch }) => batch?.status ?? 'no batch' },
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
    { heading: 'FEES', read: ({ batch }) => amountOrNothing(batch?.fees), isWide: true },
    {
      heading: 'NET AFTER FEES',
      read: ({ batch }) => amountOrNothing(batch && netAfterFees(batch)),
      isWide: true,
    },
    { heading: 'ACCOUNT', read: ({ day }) => day.accountId, isWide: true },
    { heading: 'BATCH', read: ({ batch }) => batch?.id, isWide: true },
  ]
  printRows(all, columns, options)
  const lines = all.flatMap(({ differences, afterwards }) =>
    [...differences.map(differenceText), ...afterwards.map(noteText)].map(
      (text) => `${oneLine(text)}\n`,
    ),
  )
  process.stdout.write(lines.join(''))
}

function noteText({ id, what }: Difference): string {
  return `${id}: ${what}`
}

function differenceText(difference: Difference): string {
  const { atGateway } = difference
  if (atGateway === undefined) return noteText(difference)
  const { name, id, acceptedAt, lastFour, method } = atGateway
  const known = [
    `${name} ${id}`,
    timeText(acceptedAt),
    lastFour !== undefined && `••${lastFour}`,
    method !== undefined && `payment method ${method.id}`,
    typeof method?.customerId === 'string' && `customer ${method.customerId}`,
    ...(method?.scheduleIds ?? []).map((schedule) => `schedule ${schedule}`),
    ...(method?.invoiceIds ?? []).map((invoice) => `invoice ${invoice}`),
  ]
  return `${noteText(difference)} (${known.filter((part) => part !== false).join(', ')})`
}

/** Null while they are unknown. */
function feeFigures(batch: BatchRow | undefined) {
  const [fees, net] = batch === undefined ? [null, null] : [batch.fees, netAfterFees(batch)]
  return { fees: decimalOrNull(fees), net_after_fees: decimalOrNull(net) }
}

function decimalOrNull(cents: Cents | null): number | null {
  return cents === null ? null : toDecimal(cents)
}

function amountOrNothing(cents: Cents | null | undefined): string | undefined {
  return typeof cents === 'bigint' ? groupedAmount(toDecimal(cents)) : undefined
}

function figures({ count, sales, refunds }: Sums) {
  return {
    count,
    sales: toDecimal(sales),
    refunds: toDecimal(refunds),
    net: toDecimal(sales - refunds),
  }
}
