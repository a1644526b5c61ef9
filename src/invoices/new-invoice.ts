import { randomBytes } from 'node:crypto'
import type { World } from '../world.ts'

/** The token alone opens the page, so it is random throughout: no time in it, no count. */
const TOKEN_BYTES = 16

/** What every invoice begins with. `at` is in the account's own time. */
export function newInvoice(world: World, at: Date) {
  return {
    id: world.newId(),
    totalPaid: 0n,
    token: randomBytes(TOKEN_BYTES).toString('hex'),
    sentAt: null,
    viewedAt: null,
    paidAt: null,
    paymentId: null,
    tries: 0,
    retryAt: null,
    dueAt: null,
    version: 1,
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  }
}
