// Tells the gateway of a closed batch, so that it settles the same. How often it hears of it is all
// one to it: the batch's id is the key.

import { dueIn } from '../accounts/scope.ts'
import { withJitter } from '../core/backoff.ts'
import { after, earlier } from '../core/time-units.ts'
import { dateText } from '../core/whole-days.ts'
import type { BatchTotals } from '../outside/gateway/port.ts'
import { askGateway } from '../payments/ask-gateway.ts'
import type { World } from '../world.ts'
import type { BatchRow } from './batch-row.ts'
import type { Closing } from './closing.ts'
import { readSums, SUMS } from './live-sums.ts'

interface Part {
  readonly gatewayName: string
  readonly totals: BatchTotals
}

/** All that it says to it. */
const TOLD = { kind: 'told' } as const

/** Asks nothing where somebody else is about it. */
export async function tellGateway(
  world: World,
  closing: Closing,
  signal: AbortSignal,
): Promise<void> {
  if (!(await lease(world, closing))) return
  const parts = await partsOf(world, closing.batch)
  const answers = await Promise.all(parts.map((part) => tell(world, closing, part, signal)))
  const isSilent = answers.some(({ kind }) => kind === 'silent')
  await (isSilent ? tryAgain(world, closing) : record(world, closing))
}

function tell(
  world: World,
  { batch: { accountId, id }, requestId }: Closing,
  { gatewayName, totals }: Part,
  signal: AbortSignal,
) {
  const asked = { gatewayName, question: 'close_batch', accountId, id, requestId } as const
  return askGateway(world, asked, signal, async (gateway, limit) => {
    await gateway.closeBatch(totals, limit)
    return TOLD
  })
}

const LEASE = `
  UPDATE batch SET due_at = $4
  WHERE account_id = $1 AND id = $2 AND told_at IS NULL AND due_at <= $3
  RETURNING id`

async function lease(world: World, { batch }: Closing): Promise<boolean> {
  const now = world.clock.now()
  const values = [batch.accountId, batch.id, now, after(now, world.timings.leaseMs)]
  return (await world.db.query(LEASE, values)).length > 0
}

/** What of it is whose: an account whose gateway was changed has told both of one day. */
const PARTS = `
  SELECT t.gateway_name, ${SUMS} FROM transaction t
  WHERE t.account_id = $1 AND t.batch_id = $2
  GROUP BY t.gateway_name`

async function partsOf(world: World, batch: BatchRow): Promise<readonly Part[]> {
  const { accountId, id, businessDate } = batch
  const rows = await world.db.query(PARTS, [accountId, id])
  return rows.map((row) => ({
    gatewayName: row.gateway_name,
    totals: { accountId, key: id, businessDate: dateText(businessDate), ...readSums(row) },
  }))
}

const RECORD = `
  UPDATE batch SET told_at = $3, due_at = CASE WHEN deposited_at IS NULL THEN $4::timestamptz END
  WHERE account_id = $1 AND id = $2 AND told_at IS NULL`

async function record(world: World, { batch, account }: Closing): Promise<void> {
  const { accountId, id, depositAt } = batch
  const depositDueAt = depositAt && dueIn(account, depositAt)
  await world.db.query(RECORD, [accountId, id, world.clock.now(), depositDueAt])
}

const TRY_AGAIN = `
  UPDATE batch SET due_at = $3 WHERE account_id = $1 AND id = $2 AND told_at IS NULL`

/** The deposit does not wait for it. */
async function tryAgain(world: World, { batch, account }: Closing): Promise<void> {
  const now = world.clock.now()
  const again = after(now, withJitter(world.timings.askAgain.mostMs, world.random()))
  const deposit = batch.depositedAt === null && batch.depositAt && dueIn(account, batch.depositAt)
  const dueAt = deposit && now < deposit ? earlier(again, deposit) : again
  await world.db.query(TRY_AGAIN, [batch.accountId, batch.id, dueAt])
}
