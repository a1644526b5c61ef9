// Tells of the money of a batch when the calendar says that it is there. Once: the row holds it.

import type { World } from '../world.ts'
import { BATCH_COLUMNS, readBatch } from './batch-row.ts'
import type { Closing } from './closing.ts'
import { tellOfBatch } from './tell-of-batch.ts'

const DEPOSIT = `
  UPDATE batch b SET deposited_at = $3, version = b.version + 1,
    due_at = CASE WHEN b.told_at IS NULL AND b.tell_due_at IS NULL THEN b.due_at END
  WHERE b.account_id = $1 AND b.id = $2 AND b.deposited_at IS NULL AND b.deposit_at <= $3
  RETURNING ${BATCH_COLUMNS}`

export async function sendDeposit(world: World, closing: Closing): Promise<void> {
  const { accountId, id } = closing.batch
  await world.db.commit(`batch ${accountId} ${id}`, async (query) => {
    const [row] = await query(DEPOSIT, [accountId, id, world.accountNow(closing.account)])
    if (row === undefined) return
    await tellOfBatch(world, query, closing, 'create_deposit', readBatch(row))
  })
}
