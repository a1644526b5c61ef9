import { parseInstant } from '../../core/instant.ts'
import { createInvoice, type NewInvoice } from '../../invoices/create-invoice.ts'
import { deleteInvoice } from '../../invoices/delete-invoice.ts'
import { findInvoice } from '../../invoices/find-invoice.ts'
import { invoiceView } from '../../invoices/invoice-view.ts'
import { INVOICES } from '../../invoices/list-invoices.ts'
import type { Static } from '../../resource/json-schema.ts'
import { centsOf } from '../../resource/read-values.ts'
import type { World } from '../../world.ts'
import { authenticate } from '../authenticate.ts'
import { answerListPage } from '../pages.ts'
import { callerOf, requestContextOf } from '../requests.ts'
import { answers, BODY_ERRORS, CHANGE_ERRORS, KEYED_ERRORS, security } from '../schema/answers.ts'
import { idempotencyHeaders } from '../schema/headers.ts'
import { invoice, invoiceParams, invoiceQuery, newInvoiceSchema } from '../schema/invoice.ts'
import { listSchema } from '../schema/list.ts'
import { ref } from '../schema/ref.ts'
import { answerOnce } from './answer-once.ts'
import type { RouteApp } from './route-app.ts'

const PATH = '/invoice'
const ONE = '/invoice/:id'
const TAGS = ['Invoices']

/** Ids are shown in lower case, and found in any. */
const idOf = ({ params }: { readonly params: { readonly id: string } }) => params.id.toLowerCase()

export function invoiceRoutes(app: RouteApp, world: World): void {
  listing(app, world)
  creation(app, world)
  reading(app, world)
  deletion(app, world)
}

function listing(app: RouteApp, world: World): void {
  app.get(
    PATH,
    {
      onRequest: authenticate(world),
      schema: {
        summary: 'List invoices',
        tags: TAGS,
        security,
        querystring: invoiceQuery,
        response: answers({ 200: listSchema(invoice) }, [...KEYED_ERRORS, 'invalid_id']),
      },
    },
    (request) => answerListPage(world, request, INVOICES, request.query),
  )
}

function creation(app: RouteApp, world: World): void {
  app.post(
    PATH,
    {
      onRequest: authenticate(world),
      schema: {
        summary: 'Create an invoice',
        description:
          'Makes a draft: nothing is sent to the customer, and nothing is charged until it is paid.',
        tags: TAGS,
        security,
        headers: idempotencyHeaders,
        body: newInvoiceSchema,
        response: answers({ 200: ref(invoice) }, [
          ...BODY_ERRORS,
          'invalid_id',
          'not_found',
          'idempotency_conflict',
        ]),
      },
    },
    async (request, reply) => {
      const context = requestContextOf(request, request.body.idempotency_id)
      return answerOnce(reply, await createInvoice(world, context, read(request.body)))
    },
  )
}

function read(body: Static<typeof newInvoiceSchema>): NewInvoice {
  return {
    total: centsOf(body.total),
    currency: body.currency ?? 'USD',
    customerId: body.customer_id.toLowerCase(),
    paymentMethodId: body.payment_method_id?.toLowerCase() ?? null,
    payBy: parseInstant(body.due_at ?? '') ?? null,
    meta: body.meta ?? {},
  }
}

function reading(app: RouteApp, world: World): void {
  app.get(
    ONE,
    {
      onRequest: authenticate(world),
      schema: {
        summary: 'Get an invoice',
        description: 'A deleted invoice is returned too, with the status DELETED.',
        tags: TAGS,
        security,
        params: invoiceParams,
        response: answers({ 200: ref(invoice) }, [...KEYED_ERRORS, 'invalid_id', 'not_found']),
      },
    },
    async (request) =>
      invoiceView(world, await findInvoice(world, callerOf(request).accountId, idOf(request))),
  )
}

function deletion(app: RouteApp, world: World): void {
  app.delete(
    ONE,
    {
      onRequest: authenticate(world),
      schema: {
        summary: 'Delete an invoice',
        description:
          'The invoice can no longer be paid, and failed payments are not retried. Returns the invoice, also when it is deleted already. An invoice that is paid, or has a payment under way, cannot be deleted.',
        tags: TAGS,
        security,
        params: invoiceParams,
        response: answers({ 200: ref(invoice) }, [
          ...CHANGE_ERRORS,
          'invalid_id',
          'not_found',
          'invoice_already_paid',
          'payment_under_way',
        ]),
      },
    },
    async (request) =>
      invoiceView(world, await deleteInvoice(world, requestContextOf(request), idOf(request))),
  )
}
