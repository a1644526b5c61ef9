// `lamplighter reconcile`: the batches of a day beside the gateway's own books. The exit status is
// 1 where they differ.

import { toDecimal } from '../core/money.ts'
import { dateText } from '../core/whole-days.ts'
import { type Reconciled, reconcile as reconcileDay } from '../settlement/reconcile.ts'
import type { Sums } from '../settlement/sums.ts'
import { requireAccount } from '../settlement/unsettled.ts'
import { openHouse } from './open-house.ts'
import { type Output, print } from './output.ts'
import { readAccountId, readDate } from './read-choice.ts'

export interface ReconcileOptions extends Output {
  readonly account?: string
  readonly date: string
}

export async function reconcile(options: ReconcileOptions): Promise<void> {
  const accountId = readAccountId(options.account)
  const date = readDate(options.date) ?? ''
  const house = await openHouse({ role: 'guest' })
  try {
    if (accountId !== undefined) await requireAccount(house.world, accountId)
    const all = await reconcileDay(house.world, date, accountId)
    if (options.json === true) print(all.map(asJson), options)
    else printText(all)
    if (all.some(({ differences }) => differences.length > 0)) process.exitCode = 1
  } finally {
    await house.close()
  }
}

function asJson({ batch, ours, gateways, differences }: Reconciled): object {
  return {
    account_id: batch.accountId,
    batch_id: batch.id,
    business_date: dateText(batch.businessDate),
    status: batch.status,
    ...figures(ours),
    gateway: figures(gateways),
    differences,
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
  const lines = all.flatMap(({ differences }) =>
    differences.map(({ id, what }) => `${id}: ${what}\n`),
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
