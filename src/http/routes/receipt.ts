// Requests receipts of a transaction, and lists them.

import type { MessageChannel } from '../../core/delivery.ts'
import { Refusal, wrongField } from '../../core/errors.ts'
import { toE164 } from '../../core/phone-number.ts'
import { listReceipts } from '../../messages/list-receipts.ts'
import { requestReceipt } from '../../messages/request-receipt.ts'
import { type Schema, type Static, Type } from '../../resource/json-schema.ts'
import { id } from '../../resource/schemas.ts'
import type { World } from '../../world.ts'
import { callerOf, pathId, pathKey, requestContextOf } from '../requests.ts'
import { ref } from '../schema/answers.ts'
import { delivery, emailReceiptBody, MOST_COPIES, smsReceiptBody } from '../schema/receipt.ts'
import { transaction } from '../schema/transaction.ts'
import { answerOnce } from './answer-once.ts'
import type { RouteApp } from './route-app.ts'

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

const params = Type.Object({ id: id('The transaction.') })

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
        params,
        body,
        response: { 200: ref(transaction) },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      if (channel === 'sms' && !caller.team.smsEnabled) throw new Refusal('sms_not_enabled')
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
        params,
        response: { 200: Type.Array(ref(delivery)) },
      },
    },
    (request) => listReceipts(world, pathKey(request)),
  )
}
