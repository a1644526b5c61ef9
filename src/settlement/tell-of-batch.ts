// The event of a change of a batch, in the commit of that change.

import type { Query } from '../db/database.ts'
import { insertEvent } from '../events/insert-event.ts'
import type { World } from '../world.ts'
import type { BatchRow } from './batch-row.ts'
import { batchView } from './batch-view.ts'
import type { Closing } from './closing.ts'

/** With the batch as it is from then on. */
export async function tellOfBatch(
  world: World,
  query: Query,
  { account, requestId }: Closing,
  type: 'create_batch' | 'create_deposit',
  batch: BatchRow,
): Promise<void> {
  await insertEvent(world, query, {
    accountId: batch.accountId,
    type,
    resourceId: batch.id,
    sequence: batch.version,
    view: batchView(batch),
    requestId,
    at: world.accountNow(account),
  })
}
