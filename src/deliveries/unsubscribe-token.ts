// The tokens by which the owner of an e-mail address reaches the page that stops an account's
// scheduled bills. Each address has one for each account, so the link of an old message keeps
// working for as long as the account exists. A token is random and reveals no address.

import { randomBytes } from 'node:crypto'
import { addressKey } from '../core/mail-address.ts'
import { gatheredStatement } from '../db/gathered.ts'
import type { World } from '../world.ts'

const TOKEN_BYTES = 16

const findToken = gatheredStatement({
  name: 'find-unsubscribe-token',
  columns: { accountId: 'uuid', address: 'text' },
  text: (input) => `
    WITH ${input}
    SELECT i.ord, n.token FROM input i
    CROSS JOIN LATERAL (
      SELECT token FROM unsubscribe_name
      WHERE account_id = i.account_id AND address = i.address OFFSET 0
    ) n`,
  read: (row): string => row.token,
})

const INSERT = `
  INSERT INTO unsubscribe_name (token, account_id, address) VALUES ($1, $2, $3)
  ON CONFLICT (account_id, address) DO NOTHING`

/** Two senders that find none at once write one, and both read that. */
export async function unsubscribeToken(
  { db }: World,
  accountId: string,
  recipient: string,
): Promise<string> {
  const address = addressKey(recipient)
  const known = await db.ask(findToken, { accountId, address })
  if (known !== undefined) return known
  await db.query(INSERT, [randomBytes(TOKEN_BYTES).toString('hex'), accountId, address])
  const written = await db.ask(findToken, { accountId, address })
  if (written === undefined) throw new Error('the token of an address is gone')
  return written
}
