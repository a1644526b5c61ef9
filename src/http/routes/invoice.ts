// Creates, lists, shows, changes and deletes invoices. invoice-payment.ts takes their payments.

import assert from 'node:assert'
import { INVOICE_STATUSES } from '../../core/invoice.ts'
import { refusePageMethod } from '../../customers/refuse-page-method.ts'
import { type ChangedInvoice, changeInvoice } from '../../invoices/change-invoice.ts'
import { createInvoice, type NewInvoice } from '../../invoices/create-invoice.ts'
import { deleteInvoice } from '../../invoices/delete-invoice.ts'
import { findInvoice, INVOICE, invoiceView } from '../../invoices/invoice.ts'
import { INVOICES } from '../../invoices/list-invoices.ts'
import { type DueTime, readDueTime } from '../../invoices/read-due-time.ts'
import { type Static, Type } from '../../resource/json-schema.ts'
import { currency, EXAMPLE_ID, id, idempotencyId, instant, KEPT } from '../../resource/schemas.ts'
import type { World } from '../../world.ts'
import { answerListPage } from '../list-pages.ts'
import { callerOf, pathId, pathKey, requestContextOf } from '../requests.ts'
import { ref, resourceSchema } from '../schema/answers.ts'
import { IGNORED, keywordsFilter, listQuery, listSchema, statusFilter } from '../schema/list.ts'
import { removal, withRemoved } from '../schema/removal.ts'
import { answerOnce } from './answer-once.ts'
import type { RouteApp } from './route-app.ts'

const dueAt = instant(
  'When the payment is due: ISO 8601, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; in UTC unless it names an offset. A date alone, and midnight without an offset, means that day in every zone.',
  '2026-04-01',
)

const newInvoiceSchema = Type.Object(
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

const invoiceChangeSchema = Type.Object(
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

export const invoiceParams = Type.Object({ id: id('The invoice.') })

const KEYWORD =
  "Must be found in the customer's name, company, e-mail address, phone number or reference, or be the invoice's id, meta.reference or meta.poNumber."

const invoiceQuery = listQuery(INVOICES.sorts, {
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

const PATH = '/invoice'
const ONE = '/invoice/:id'
const TAGS = ['Invoices']

export function invoiceRoutes(app: RouteApp, world: World): void {
  app.get(
    PATH,
    {
      schema: {
        summary: 'List invoices',
        operationId: 'listInvoices',
        description: 'Deleted invoices are listed only with `status=DELETED`.',
        tags: TAGS,
        querystring: invoiceQuery,
        response: { 200: listSchema(invoice) },
      },
    },
    (request) => answerListPage(world, request, INVOICES, request.query),
  )

  app.post(
    PATH,
    {
      config: { refusals: ['not_found'] },
      schema: {
        summary: 'Create an invoice',
        operationId: 'createInvoice',
        description:
          'Makes a draft: nothing is sent to the customer, and nothing is charged until it is paid.',
        tags: TAGS,
        body: newInvoiceSchema,
        response: { 200: ref(invoice) },
      },
    },
    async (request, reply) => {
      const context = requestContextOf(request, request.body.idempotency_id)
      const input = read(request.body)
      await refusePageMethod(world, callerOf(request), input.paymentMethodId)
      return answerOnce(reply, await createInvoice(world, context, input))
    },
  )

  oneInvoiceRoutes(app, world)
}

const oneInvoice = { tags: TAGS, params: invoiceParams }

function oneInvoiceRoutes(app: RouteApp, world: World): void {
  app.get(
    ONE,
    {
      schema: {
        ...oneInvoice,
        summary: 'Get an invoice',
        operationId: 'getInvoice',
        description: 'A deleted invoice is returned too, with the status DELETED.',
        response: { 200: ref(invoice) },
      },
    },
    async (request) => invoiceView(world, await findInvoice(world, pathKey(request))),
  )

  app.put(
    ONE,
    {
      config: { refusals: ['invoice_already_paid', 'payment_under_way', 'wrong_state'] },
      schema: {
        ...oneInvoice,
        summary: 'Change an invoice',
        operationId: 'updateInvoice',
        description:
          'Changes the fields that are not final yet: the total, the due date, the payment method and the metadata. An invoice that is paid or deleted, or has a payment under way, cannot be changed. The bill that was sent leads to a page that shows the invoice as it is now.',
        body: invoiceChangeSchema,
        response: { 200: ref(invoice) },
      },
    },
    async (request) => {
      const change = readChange(request.body)
      await refusePageMethod(world, callerOf(request), change.paymentMethodId)
      const context = requestContextOf(request)
      return invoiceView(world, await changeInvoice(world, context, pathId(request), change))
    },
  )

  app.delete(
    ONE,
    {
      config: { refusals: ['invoice_already_paid', 'payment_under_way'] },
      schema: {
        ...oneInvoice,
        summary: 'Delete an invoice',
        operationId: 'deleteInvoice',
        description:
          'The invoice can no longer be paid, and failed payments are not retried. Returns the invoice, also when it is deleted already. An invoice that is paid, or has a payment under way, cannot be deleted.',
        response: { 200: ref(invoice) },
      },
    },
    async (request) =>
      invoiceView(world, await deleteInvoice(world, requestContextOf(request), pathId(request))),
  )
}

function read(body: Static<typeof newInvoiceSchema>): NewInvoice {
  return {
    ...INVOICE.newColumns(INVOICE.readCreation(body)),
    currency: body.currency ?? 'USD',
    customerId: body.customer_id.toLowerCase(),
    ...requireDueTime(body.due_at ?? null),
  }
}

/** The schema has refused what is no instant. */
function requireDueTime(text: string | null): DueTime {
  const due = readDueTime(text)
  assert(due !== undefined)
  return due
}

function readChange(body: Static<typeof invoiceChangeSchema>): ChangedInvoice {
  const sent = withRemoved(body)
  const { due_at, customer_id: customer } = sent
  return {
    ...INVOICE.readChange(sent),
    ...(due_at === undefined ? {} : requireDueTime(due_at)),
    ...(customer === undefined ? {} : { customerId: customer.toLowerCase() }),
  }
}
