// `lamplighter settle` closes the due batches in this process and leaves the others open.

import { OperatorError } from '../core/operator-error.ts'
import { wallAt } from '../core/wall-clock.ts'
import { isDatabaseAway } from '../db/failure.ts'
import { findUnsettled, type Unsettled } from '../settlement/unsettled.ts'
import type { World } from '../world.ts'
import { fail, type ListOutput, printJson, printRows } from './output.ts'
import { openProgress } from './progress.ts'
import { readAccountId, readDate } from './read-options.ts'
import { groupedAmount, type TableColumn, timeText } from './table.ts'
import { withQueries } from './with-queries.ts'

interface SettleOptions extends ListOutput {
  readonly account?: string
  readonly date?: string
}

type Settled = Awaited<ReturnType<typeof settleOne>>

const COLUMNS: readonly TableColumn<Settled>[] = [
  { heading: 'TEAM', read: ({ team }) => team, isCut: true },
  { heading: 'MODE', read: ({ mode }) => mode },
  { heading: 'DATE', read: (batch) => batch.business_date },
  { heading: 'STATUS', read: ({ status }) => status },
  { heading: 'COUNT', read: ({ count }) => count },
  { heading: 'NET', read: ({ net }) => groupedAmount(net) },
  { heading: 'SALES', read: ({ sales }) => groupedAmount(sales), isWide: true },
  { heading: 'REFUNDS', read: ({ refunds }) => groupedAmount(refunds), isWide: true },
  { heading: 'CLOSED', read: (batch) => batch.closed_at, isWide: true },
  { heading: 'ACCOUNT', read: (batch) => batch.account_id, isWide: true },
  { heading: 'BATCH', read: ({ id }) => id, isWide: true },
]

export async function settleCommand(options: SettleOptions): Promise<void> {
  const accountId = readAccountId(options.account)
  const date = options.date === undefined ? undefined : readDate(options.date)
  await withQueries(async (world, inWorld) => {
    const found = await findUnsettled(world, { accountId, date })
    const due = found.filter(({ isDue }) => isDue)
    const isNamed = date !== undefined || (accountId !== undefined && due.length === 0)
    if (isNamed && due.length === 0) refuse(found)
    if (due.length === 0) return printNothingDue(found, options)
    await inWorld(async (whole) => {
      const settled: Settled[] = []
      for (const one of due) {
        try {
          settled.push(await settleOne(whole, one))
        } catch (error) {
          if (isDatabaseAway(error)) throw error
          fail(notClosed(one, error))
        }
      }
      printRows(settled, COLUMNS, options)
    })
    if (isNamed) refuse(found)
  })
}

/** It keeps no other batch open. */
function notClosed({ accountId, date }: Unsettled, error: unknown): OperatorError {
  const why = error instanceof Error ? error.message : String(error)
  return new OperatorError(`the batch of ${date} of account ${accountId} is not closed: ${why}`)
}

/** Throws if a batch that the operator named is not due. */
function refuse(found: readonly Unsettled[]): void {
  const [first, ...others] = found.filter(({ isDue }) => !isDue)
  if (first === undefined) return
  const { date, accountId, cutoffAt } = first
  const rest = others.length === 0 ? '' : `, nor are ${others.length} others`
  throw new OperatorError(
    `the batch of ${date} of account ${accountId} is not due before ${cutoffAt.toISOString()}${rest}`,
  )
}

function printNothingDue(open: readonly Unsettled[], { json }: ListOutput): void {
  if (json === true) {
    printJson([])
    return
  }
  // The cutoffs of sandbox clocks cannot be compared with those of the real one.
  const next = open.find(({ hasOwnClock }) => !hasOwnClock) ?? open[0]
  const says =
    next === undefined
      ? 'No batch is open'
      : `No batch is due; the next closes at ${closesAt(next)}`
  process.stdout.write(`${says}.\n`)
}

/**
 * The time on the wall clock of the account's zone, and in UTC as every other time of the command
 * line.
 */
function closesAt({ cutoffAt, timezone, hasOwnClock }: Unsettled): string {
  const wall = new Date(wallAt(cutoffAt.getTime(), timezone))
  const local = wall.toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' ')
  const clock = hasOwnClock ? ', sandbox time' : ''
  return `${local} ${timezone} (${timeText(cutoffAt)}${clock})`
}

async function settleOne(world: World, unsettled: Unsettled) {
  const [{ settleAtOnce }, { findBatchWithAccount }, { batchView }] = await Promise.all([
    import('../settlement/settle-account.ts'),
    import('../settlement/batch-with-account.ts'),
    import('../settlement/batch.ts'),
  ])
  const { accountId, id, date, team, mode } = unsettled
  const item = { accountId, id, requestId: world.newId() }
  const progress = openProgress(process.stderr, `${date} of ${team} ${mode}`)
  try {
    await settleAtOnce(world, item, { report: progress.report })
  } finally {
    progress.end()
  }
  const found = await findBatchWithAccount(world.db.query, item, undefined)
  const whose = { account_id: accountId, team, mode }
  // A batch without a transaction is deleted instead of closed.
  if (found === undefined) return { ...whose, ...EMPTY, id, business_date: date }
  const { batch } = found
  const { business_date, status, count, sales, refunds, net } = batchView(batch)
  const figures = { business_date, status, count, sales, refunds, net, closed_at: batch.closedAt }
  return { ...whose, id, ...figures }
}

const EMPTY = {
  status: 'empty',
  count: 0,
  sales: 0,
  refunds: 0,
  net: 0,
  closed_at: null,
} as const
