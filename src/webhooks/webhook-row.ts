// An endpoint as a statement reads it.

import { columnsOf } from '../db/columns.ts'
import type { Webhook } from '../generated/client.ts'

/** Of a statement that calls the table `w`. */
export const { list: WEBHOOK_COLUMNS, read: readWebhook } = columnsOf<Webhook>('Webhook', 'w')
