// An endpoint as statements read and write it.

import { columnsOf } from '../db/columns.ts'
import type { Webhook } from '../generated/client.ts'

/** Of a statement that calls the table `w`. */
export const {
  list: WEBHOOK_COLUMNS,
  read: readWebhook,
  hold: holdRow,
  update: updateRow,
} = columnsOf<Webhook>('Webhook', 'w')
