// An endpoint as its team is told of it.

import { columnsOf } from '../db/columns.ts'
import { gatheredStatement } from '../db/gathered.ts'
import type { Webhook } from '../generated/client.ts'
import type { RowKey } from '../payments/row-key.ts'
import { BOOKS_COLUMNS, BOOKS_JOINS, type Books, readBooks } from './books.ts'

export interface ToldWebhook extends Books {
  readonly webhook: Webhook
}

const webhook = columnsOf<Webhook>('Webhook', 'w')

export const readToldWebhook = gatheredStatement<RowKey, ToldWebhook>({
  name: 'read-told-webhook',
  columns: { accountId: 'uuid', id: 'uuid' },
  text: (input) => `
    WITH ${input}
    SELECT i.ord, ${webhook.list}, ${BOOKS_COLUMNS}
    FROM input i
    JOIN webhook w ON w.account_id = i.account_id AND w.id = i.id
    ${BOOKS_JOINS}`,
  read: (row) => ({ ...readBooks(row), webhook: webhook.read(row) }),
})
