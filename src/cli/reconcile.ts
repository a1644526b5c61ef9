// `lamplighter reconcile` compares a day's batches with the gateway's own ledger. The exit status
// is 1 if they differ.

import { toDecimal } from '../core/money.ts'
import { dateText } from '../core/whole-days.ts'
import { type Reconciled, reconcile as reconcileDay } from '../settlement/reconcile.ts'
import type { Sums } from '../settlement/sums.ts'
import { requireAccount } from '../settlement/unsettled.ts'
import { withWorld } from './open-service.ts'
import { type Output, print } from './output.ts'
import { readAccountId, readDate } from './read-options.ts'

interface ReconcileOptions extends Output {
  readonly account?: string
  readonly date: string
}

export async function reconcileCommand(options: ReconcileOptions): Promise<void> {
  const accountId = readAccountId(options.account)
  const date = readDate(options.date) ?? ''
  await withWorld(async (world) => {
    if (accountId !== undefined) await requireAccount(world, accountId)
    const all = await reconcileDay(world, date, accountId)
    if (options.json === true) print(all.map(asJson), options)
    else printText(all)
    if (all.some(({ differences }) => differences.length > 0)) process.exitCode = 1
  })
}

function asJson({ batch, ours, gateways, differences, afterwards }: Reconciled): object {
  return {
    account_id: batch.accountId,
    batch_id: batch.id,
    business_date: dateText(batch.businessDate),
    status: batch.status,
    ...figures(ours),
    gateway: figures(gateways),
    differences,
    afterwards,
  }
}

function printText(all: readonly Reconciled[]): void {
  const table = all.map(({ batch, ours, gateways, differences }) => ({
    account: batch.accountId,
    status: batch.status,
    ...figures(ours),
    'at the gateway': `${gateways.count}: ${toDecimal(gateways.sales - gateways.refunds)}`,
    differences: differences.length,
  }))
  print(table, {})
  const lines = all.flatMap(({ differences, afterwards }) =>
    [...differences, ...afterwards].map(({ id, what }) => `${id}: ${what}\n`),
  )
  process.stdout.write(lines.join(''))
}

function figures({ count, sales, refunds }: Sums): object {
  return {
    count,
    sales: toDecimal(sales),
    refunds: toDecimal(refunds),
    net: toDecimal(sales - refunds),
  }
}
