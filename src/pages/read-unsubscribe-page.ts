// Reads the account and the address that an opt-out token names, and whether the address is opted
// out.

import { gatheredStatement } from '../db/gathered.ts'
import { PAYEE_COLUMNS, PAYEE_JOIN, type Payee, readPayee } from './payee.ts'

export interface UnsubscribePage {
  readonly payee: Payee
  readonly address: string
  readonly isOptedOut: boolean
}

export const readUnsubscribePage = gatheredStatement({
  name: 'read-unsubscribe-page',
  columns: { token: 'text' },
  text: (input) => `
    WITH ${input}
    SELECT i.ord, n.address, ${PAYEE_COLUMNS},
      EXISTS (
        SELECT FROM stopped_address
        WHERE account_id = n.account_id AND channel = 'email' AND address = n.address
          AND reason = 'opted_out'
      ) AS is_opted_out
    FROM input i
    JOIN unsubscribe_name n ON n.token = i.token::char(32)
    JOIN account a ON a.id = n.account_id
    JOIN team t ON t.id = a.team_id ${PAYEE_JOIN}`,
  read: (row): UnsubscribePage => ({
    payee: readPayee(row),
    address: row.address,
    isOptedOut: row.is_opted_out,
  }),
})
