// `lamplighter settle` closes the due batches in this process and leaves the others open.

import { OperatorError } from '../accounts/operator-error.ts'
import type { Report } from '../core/progress.ts'
import { type BatchRow, batchView } from '../settlement/batch.ts'
import { findClosing } from '../settlement/closing.ts'
import { settleAtOnce } from '../settlement/settle-account.ts'
import { tellGateway } from '../settlement/tell-gateway.ts'
import { findUnsettled, type Unsettled } from '../settlement/unsettled.ts'
import type { World } from '../world.ts'
import { withWorld } from './open-service.ts'
import { type Output, print } from './output.ts'
import { readAccountId, readDate } from './read-options.ts'

interface SettleOptions extends Output {
  readonly account?: string
  readonly date?: string
}

export async function settleCommand(options: SettleOptions): Promise<void> {
  const accountId = readAccountId(options.account)
  const date = readDate(options.date)
  await withWorld(async (world) => {
    const found = await findUnsettled(world, { accountId, date })
    const due = found.filter(({ isDue }) => isDue)
    const isNamed = date !== undefined || (accountId !== undefined && due.length === 0)
    if (isNamed && due.length === 0) refuse(found)
    const settled: object[] = []
    for (const one of due) settled.push(await settleOne(world, one))
    print(settled, options)
    if (isNamed) refuse(found)
  })
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

async function settleOne(world: World, { accountId, id, date }: Unsettled): Promise<object> {
  const item = { accountId, id, requestId: world.newId() }
  const progress = openProgress(process.stderr, `${date} of ${accountId}`)
  await settleAtOnce(world, item, progress.report)
  progress.end()
  await tellGateway(world, item, new AbortController().signal)
  const closing = await findClosing(world.db.query, item, undefined)
  return closing === undefined
    ? { account_id: accountId, id, business_date: date, status: 'empty' }
    : line(closing.batch)
}

function line(batch: BatchRow): object {
  const { id, business_date, status, count, sales, refunds, net, closed_at } = batchView(batch)
  return {
    account_id: batch.accountId,
    ...{ id, business_date, status, count, sales, refunds, net, closed_at },
    gateway: batch.toldAt === null ? 'not told yet' : 'told',
  }
}

const WIDTH = 30

/** The number of lines if there is no bar. */
const LINES = 10

interface ProgressOutput {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/**
 * How far long work has come, on standard error: a bar that fills where a person looks on, a line
 * now and then where a file does.
 */
export function openProgress(
  output: ProgressOutput,
  name: string,
): { readonly report: Report; end(): void } {
  let told = -1
  let isDrawn = false
  const report: Report = ({ done, of }) => {
    const part = of === 0 ? 1 : Math.min(1, done / of)
    const steps = Math.floor(part * (output.isTTY === true ? WIDTH : LINES))
    const count = `${name}: ${done} of ${of}`
    if (output.isTTY === true) {
      output.write(`\r[${'#'.repeat(steps).padEnd(WIDTH, '.')}] ${count}`)
      isDrawn = true
    } else if (steps > told) {
      output.write(`${count}\n`)
    }
    told = Math.max(told, steps)
  }
  return {
    report,
    end() {
      if (isDrawn) output.write('\n')
    },
  }
}
