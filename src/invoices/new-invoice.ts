import { randomBytes } from 'node:crypto'
import type { World } from '../world.ts'
import type { InvoiceRow } from './invoice-row.ts'

/** The token alone opens the page, so it is random throughout: no time in it, no count. */
const TOKEN_BYTES = 16

const nothingYet = (world: World, at: Date) => ({
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
})

type Beginning = Omit<InvoiceRow, keyof ReturnType<typeof nothingYet>> & Partial<InvoiceRow>

/** `at` is in the account's own time. */
export function newInvoiceRow(world: World, at: Date, beginning: Beginning): InvoiceRow {
  return Object.assign(nothingYet(world, at), beginning)
}
