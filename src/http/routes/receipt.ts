// Requests receipts of a transaction, and lists them.

import type { MessageChannel } from '../../core/delivery.ts'
import { wrongField } from '../../core/errors.ts'
import { toE164 } from '../../core/phone-number.ts'
import { DELIVERY } from '../../deliveries/delivery-view.ts'
import { listReceipts } from '../../messages/list-receipts.ts'
import { requestReceipt } from '../../messages/request-receipt.ts'
import { type Schema, type Static, Type } from '../../resource/json-schema.ts'
import { email, idempotencyId, phone } from '../../resource/schemas.ts'
import type { World } from '../../world.ts'
import { callerOf, pathId, pathKey, requestContextOf } from '../requests.ts'
import { ref, resourceSchema } from '../schema/answers.ts'
import { answerOnce } from './answer-once.ts'
import type { RouteApp } from './route-app.ts'
import { transaction, transactionParams } from './transaction.ts'

const MOST_COPIES = 10

const COPIES = "Recipients of copies of this receipt, in addition to the customer's own."
const SAME = `The same as the first spelling. All lists are used, together at most ${MOST_COPIES}.`

const emails = (description: string) =>
  Type.Optional(Type.Array(email, { maxItems: MOST_COPIES, description }))

const emailReceiptBody = Type.Object(
  {
    ccEmails: emails(COPIES),
    cc_emails: emails(SAME),
    idempotency_id: idempotencyId,
  },
  { examples: [{ ccEmails: ['books@example.com'] }] },
)

const numbers = (description: string) =>
  Type.Optional(Type.Array(phone, { maxItems: MOST_COPIES, description }))

const smsReceiptBody = Type.Object(
  {
    ccSms: numbers(COPIES),
    ccSMS: numbers(SAME),
    cc_sms: numbers(SAME),
    idempotency_id: idempotencyId,
  },
  { examples: [{ ccSms: ['+12025550123'] }] },
)

export const delivery = resourceSchema(
  'Delivery',
  DELIVERY.answer,
  'Its times are real time, even if the account has a clock of its own.',
)

/** The spellings of existing clients, and that of customers. */
const SPELLINGS = {
  email: ['ccEmails', 'cc_emails'],
  sms: ['ccSms', 'ccSMS', 'cc_sms'],
} as const

type Asked = Static<typeof emailReceiptBody> & Static<typeof smsReceiptBody>

interface Sending {
  readonly channel: MessageChannel
  readonly summary: string
  readonly operationIds: { readonly put: string; readonly post: string }
  readonly description: string
  readonly body: Schema<Asked>
}

const SENDINGS: readonly Sending[] = [
  {
    channel: 'email',
    summary: 'E-mail a receipt',
    operationIds: { put: 'putEmailReceipt', post: 'emailReceipt' },
    description:
      'Sends to the customer and to the addresses for copies, each as its own delivery. Returns the transaction once the receipt is accepted for sending.',
    body: emailReceiptBody,
  },
  {
    channel: 'sms',
    summary: 'Text a receipt',
    operationIds: { put: 'putSmsReceipt', post: 'textReceipt' },
    description:
      'Sends to the customer and to the addresses for copies, each as its own delivery. Text messages must be enabled for the team. Returns the transaction once the receipt is accepted for sending.',
    body: smsReceiptBody,
  },
]

const REFUSALS = ['no_recipient', 'wrong_state', 'sent_too_often'] as const

export function receiptRoutes(app: RouteApp, world: World): void {
  for (const sending of SENDINGS) {
    // Existing clients use both methods and both spellings.
    for (const method of ['put', 'post'] as const) {
      for (const spelling of ['receipt/', 'receipt-'] as const) {
        add(app, world, method, spelling, sending)
      }
    }
  }
  soFar(app, world)
}

function add(
  app: RouteApp,
  world: World,
  method: 'put' | 'post',
  spelling: 'receipt/' | 'receipt-',
  { channel, summary, operationIds, description, body }: Sending,
): void {
  app[method](
    `/transaction/:id/${spelling}${channel}`,
    {
      config: {
        needsActiveTeam: true,
        refusals: channel === 'sms' ? [...REFUSALS, 'sms_not_enabled'] : REFUSALS,
      },
      schema: {
        summary: method === 'put' ? `${summary}, as by POST` : summary,
        operationId: operationIds[method],
        description,
        tags: ['Receipts'],
        // The document describes one spelling; the second is the same.
        hide: spelling === 'receipt-',
        params: transactionParams,
        body,
        response: { 200: ref(transaction) },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const context = requestContextOf(request, request.body.idempotency_id)
      const copies = copiesIn(request.body, channel)
      const input = { transactionId: pathId(request), channel, copies }
      return answerOnce(reply, await requestReceipt(world, caller, context, input))
    },
  )
}

function copiesIn(body: Asked, channel: MessageChannel): readonly string[] {
  const sent = SPELLINGS[channel].filter((name) => body[name] !== undefined)
  const copies = sent.flatMap((name) => body[name] ?? [])
  if (copies.length > MOST_COPIES) {
    const fault = `must have at most ${MOST_COPIES} items together with ${sent[0]}`
    throw wrongField(sent.at(-1) ?? channel, fault)
  }
  return channel === 'sms' ? copies.flatMap((number) => toE164(number) ?? []) : copies
}

function soFar(app: RouteApp, world: World): void {
  app.get(
    '/transaction/:id/receipt',
    {
      config: { needsActiveTeam: true },
      schema: {
        summary: 'List the receipts of a transaction',
        operationId: 'listReceipts',
        description:
          'Its deliveries, the oldest first, each with its state. Of more than 1,000, the newest.',
        tags: ['Receipts'],
        params: transactionParams,
        response: { 200: Type.Array(ref(delivery)) },
      },
    },
    (request) => listReceipts(world, pathKey(request)),
  )
}
