// Sends the bill of an invoice to its customer.

import type { MessageChannel } from '../../core/delivery.ts'
import { requestBill } from '../../invoices/send-invoice.ts'
import { onlyOnce } from '../../resource/schemas.ts'
import type { World } from '../../world.ts'
import { pathId, requestContextOf } from '../requests.ts'
import { ref } from '../schema/answers.ts'
import { answerOnce } from './answer-once.ts'
import { invoice, invoiceParams } from './invoice.ts'
import type { RouteApp } from './route-app.ts'

interface Sending {
  readonly channel: MessageChannel
  readonly summary: string
  readonly operationIds: { readonly put: string; readonly post: string }
}

const SENDINGS: readonly Sending[] = [
  {
    channel: 'email',
    summary: 'E-mail an invoice',
    operationIds: { put: 'putEmailInvoice', post: 'emailInvoice' },
  },
  {
    channel: 'sms',
    summary: 'Text an invoice',
    operationIds: { put: 'putSmsInvoice', post: 'textInvoice' },
  },
]

const REFUSALS = [
  'no_recipient',
  'invoice_already_paid',
  'payment_under_way',
  'wrong_state',
  'sent_too_often',
] as const

export function invoiceSendingRoutes(app: RouteApp, world: World): void {
  for (const sending of SENDINGS) {
    // Existing clients use both methods.
    add(app, world, 'put', sending)
    add(app, world, 'post', sending)
  }
}

function add(
  app: RouteApp,
  world: World,
  method: 'put' | 'post',
  { channel, summary, operationIds }: Sending,
): void {
  app[method](
    `/invoice/:id/send/${channel}`,
    {
      config: { refusals: channel === 'sms' ? [...REFUSALS, 'sms_not_enabled'] : REFUSALS },
      schema: {
        summary: method === 'put' ? `${summary}, as by POST` : summary,
        operationId: operationIds[method],
        description:
          'Sends the bill, with the address of the page that takes the payment, to the customer and to the recipients of copies. A draft becomes SENT, unless it is known that none of them is sent to, as with an address that does not exist. Each request sends it again, at most 5 times within 24 hours. Returns the invoice once the bill is accepted for sending.',
        tags: ['Invoices'],
        params: invoiceParams,
        body: onlyOnce,
        response: { 200: ref(invoice) },
      },
    },
    async (request, reply) => {
      const context = requestContextOf(request, request.body.idempotency_id)
      return answerOnce(reply, await requestBill(world, context, { id: pathId(request), channel }))
    },
  )
}
