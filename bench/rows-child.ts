// Writes rows as pgbench would: prepared statements, one in flight on each connection, with a
// client of very little cost, because only the row's id changes in its messages.

import { SECOND } from '../src/core/time-units.ts'
import { newId } from '../src/outside/identity.ts'
import { answerParent } from './child.ts'
import { type Execution, execution, openWire, preparation, type Wire } from './postgres-wire.ts'
import { ROWS_REQUEST_ID, type RowsWritten, type RowWrites } from './rows.ts'
import { sum } from './statistics.ts'

/** The columns that the API server writes when it accepts a charge. */
const INSERT = `
  INSERT INTO transaction (
    id, account_id, type, method, status, currency, total, channel, customer_id, payment_method_id, idempotency_id,
    gateway_name, last_four, funding, meta, request_id, owed, due_at, deadline_at, created_at, updated_at
  )
  VALUES ($1, $2, 'charge', 'card', 'PENDING', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 'charge', $14, $15, $16, $16)`

/** The columns that a worker writes when it records the outcome. */
const UPDATE = `
  UPDATE transaction SET status = 'SUCCESS', business_date = created_at, message = $3,
    auth_id = $4, captured = $5,
    owed = NULL, due_at = NULL, version = version + 1, outcome_sequence = version + 1, updated_at = $6
  WHERE id = $1 AND account_id = $2 AND status = 'PENDING' AND attempt = 0`

/** Every new id replaces it. */
const ID = '00000000-0000-7000-8000-000000000000'

/** Long enough that no sweep looks at the row before it is final. */
const DUE_IN_MS = 60 * SECOND

interface Writer {
  readonly wire: Wire
  readonly insert: Execution
  readonly update: Execution
}

answerParent(async (writes: RowWrites): Promise<RowsWritten> => {
  const indices = Array.from({ length: writes.connections }, (_, i) => i)
  const writers = await Promise.all(indices.map((i) => openWriter(writes, i)))
  const before = process.cpuUsage()
  const startedMs = performance.now()
  const counts = await Promise.all(
    writers.map((writer) => keepWriting(writer, startedMs + writes.ms)),
  )
  const tookMs = performance.now() - startedMs
  const { user, system } = process.cpuUsage(before)
  for (const { wire } of writers) wire.close()
  const written = sum(counts)
  return { perSecond: (written / tookMs) * SECOND, cpuMicros: (user + system) / written }
})

async function keepWriting({ wire, insert, update }: Writer, untilMs: number): Promise<number> {
  let written = 0
  while (performance.now() < untilMs) {
    const id = newId()
    await wire.send(withId(insert, id))
    await wire.send(withId(update, id))
    written += 1
  }
  return written
}

function withId({ message, firstValueAt }: Execution, id: string): Buffer {
  message.write(id, firstValueAt, 'latin1')
  return message
}

async function openWriter(writes: RowWrites, index: number): Promise<Writer> {
  const wire = await openWire(writes.databaseUrl)
  await wire.send(preparation('insert', INSERT))
  await wire.send(preparation('update', UPDATE))
  const method = writes.paymentMethods[index % writes.paymentMethods.length]
  if (method === undefined) throw new Error('no payment method')
  const now = new Date()
  const at = now.toISOString()
  const dueAt = new Date(now.getTime() + DUE_IN_MS).toISOString()
  const inserted = [
    ...[ID, writes.accountId, 'USD', '1250', null, method.customerId, method.id, ROWS_REQUEST_ID],
    ...['sandbox', '1111', null, '{}', ROWS_REQUEST_ID, dueAt, dueAt, at],
  ]
  const updated = [ID, writes.accountId, 'Approved', `sbx_${ID}`, '1250', at]
  return { wire, insert: execution('insert', inserted), update: execution('update', updated) }
}
