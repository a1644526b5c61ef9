// Lists an account's endpoints.

import { declareList } from '../db/declared-list.ts'
import { readWebhook, WEBHOOK_COLUMNS, webhookView } from './webhook.ts'

export const WEBHOOKS = declareList({
  table: 'webhook',
  alias: 'w',
  always: 'w.deleted_at IS NULL',
  filters: {
    status: 'w.status = $value',
    // An endpoint for `*` gets every event.
    event: "w.events && ARRAY['*', $value::text]",
  },
  sorts: { created_at: 'w.created_at', updated_at: 'w.updated_at' },
  columns: WEBHOOK_COLUMNS,
  view: (row) => webhookView(readWebhook(row)),
})
