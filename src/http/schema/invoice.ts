// The schemas of invoices: what creates, changes, pays and sends one, their list, and the answer.

import { INVOICE_STATUSES } from '../../core/invoice.ts'
import { INVOICE } from '../../invoices/invoice.ts'
import { INVOICES } from '../../invoices/list-invoices.ts'
import { Type } from '../../resource/json-schema.ts'
import {
  currency,
  EXAMPLE_ID,
  id,
  idempotencyId,
  instant,
  KEPT,
  meta,
  money,
  note,
} from '../../resource/schemas.ts'
import { resourceSchema } from './answers.ts'
import { IGNORED, keywordsFilter, listQuery, statusFilter } from './list.ts'
import { removal } from './removal.ts'

const dueAt = instant(
  'When the payment is due: ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; in UTC unless it names an offset. A date alone, and midnight without an offset, means that day in every zone.',
  '2026-04-01',
)

export const newInvoiceSchema = Type.Object(
  {
    ...INVOICE.creation,
    customer_id: id('The customer who must pay.'),
    due_at: Type.Optional(dueAt),
    currency: Type.Optional(currency),
    idempotency_id: idempotencyId,
  },
  {
    examples: [
      {
        total: 12.5,
        customer_id: EXAMPLE_ID,
        due_at: '2026-04-01',
        meta: { poNumber: '4711' },
      },
    ],
  },
)

export const invoiceChangeSchema = Type.Object(
  {
    ...INVOICE.change,
    due_at: Type.Optional(Type.Unsafe<string | null>(dueAt)),
    remove: removal(['due_at', 'payment_method_id']),
    customer_id: Type.Optional(id(KEPT)),
    currency: Type.Optional(currency),
  },
  {
    description: 'Absent fields keep their value; `meta` is replaced as a whole.',
    examples: [{ total: 15, due_at: '2026-05-01', meta: { memo: 'With delivery' } }],
  },
)

export const invoicePaymentSchema = Type.Object(
  {
    payment_method_id: Type.Optional(
      id('A payment method of its customer; that of the invoice when absent.'),
    ),
    apply_balance: Type.Optional(
      money(
        'The balance due as you know it. An invoice must be paid in full, so another amount is refused.',
      ),
    ),
    meta: Type.Optional(meta),
    idempotency_id: idempotencyId,
  },
  {
    additionalProperties: false,
    examples: [{ payment_method_id: EXAMPLE_ID }],
  },
)

export const handPaymentSchema = Type.Object(
  {
    total: Type.Optional(
      money(
        'The amount that was paid. An invoice must be paid in full, so an amount other than the balance due is refused.',
      ),
    ),
    message: Type.Optional(note('A note about it, such as the number of the check.')),
    idempotency_id: idempotencyId,
  },
  { additionalProperties: false, examples: [{ message: 'No. 4711' }] },
)

export const invoiceParams = Type.Object({ id: id('The invoice.') })

const KEYWORD =
  "Must be found in the customer's name, company, e-mail address, phone number or reference, or be the invoice's id, meta.reference or meta.poNumber."

export const invoiceQuery = listQuery(INVOICES.sorts, {
  status: statusFilter(
    INVOICE_STATUSES,
    'Only this status. Deleted invoices are listed only with DELETED; `all` is no filter.',
  ),
  customer_id: Type.Optional(id('The customer who must pay.')),
  payment_method_id: Type.Optional(id('The payment method that pays it.')),
  schedule_id: Type.Optional(id('The schedule that made it.')),
  keywords: keywordsFilter(KEYWORD),
  ...IGNORED,
})

export const invoice = resourceSchema('Invoice', INVOICE.answer)
