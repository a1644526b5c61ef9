// Leaves work that needs a person, as workers do: payments whose gateway gave no outcome until
// their deadline, and letters that no server accepted.

import pg from 'pg'
import { openEmbedded } from '../../src/db/embedded/index.ts'
import type { PicturedShop } from './shop.ts'

const PARK_PAYMENTS = `
  UPDATE transaction
  SET owed = 'doubt', due_at = NULL, parked_at = now(), deadline_at = now(), attempt = attempt + 9
  WHERE status = 'PENDING' AND parked_at IS NULL`

const PARK_LETTERS = `
  UPDATE delivery
  SET status = 'parked', reason = 'refused', last_error = '550 5.1.1 no such mailbox here',
    sent_at = NULL
  WHERE (account_id, id) IN (
    SELECT account_id, id FROM delivery
    WHERE channel = 'email' AND status = 'sent' ORDER BY id DESC LIMIT 4)`

/** The sandbox's gateway does not answer about this amount for a long time. */
const SILENT = 763.63

export async function leaveUndecided(
  dataDir: string,
  shops: readonly PicturedShop[],
): Promise<void> {
  const asked = shops.map(({ ask, cards: [payment_method_id] }) =>
    ask('POST', '/charge', { payment_method_id, total: SILENT }),
  )
  await Promise.all(asked)
  const server = await openEmbedded(dataDir, { role: 'guest' })
  const client = new pg.Client(server.url)
  await client.connect()
  try {
    await client.query(PARK_PAYMENTS)
    await client.query(PARK_LETTERS)
  } finally {
    await client.end()
    await server.stop()
  }
}
