// Requests receipts of a transaction, and lists them.

import type { RequestContext } from '../../accounts/acting-account.ts'
import type { Caller } from '../../accounts/find-caller.ts'
import { Refusal } from '../../core/errors.ts'
import { toE164 } from '../../core/phone-number.ts'
import { listReceipts } from '../../messages/list-receipts.ts'
import { type ReceiptInput, requestReceipt } from '../../messages/request-receipt.ts'
import { contextOfCaller } from '../../payments/transaction/account-context.ts'
import { Type } from '../../resource/json-schema.ts'
import { id } from '../../resource/schemas.ts'
import type { World } from '../../world.ts'
import { callerOf, pathId, requestContextOf } from '../requests.ts'
import { ref } from '../schema/answers.ts'
import { delivery } from '../schema/delivery.ts'
import { emailReceiptBody, smsReceiptBody } from '../schema/receipt.ts'
import { transaction } from '../schema/transaction.ts'
import { answerOnce } from './answer-once.ts'
import type { RouteApp } from './route-app.ts'

/** Existing clients use both methods and both spellings. */
const METHODS = ['PUT', 'POST'] as const
const SPELLINGS = ['receipt/', 'receipt-'] as const

const params = Type.Object({ id: id('The transaction.') })

const REFUSALS = ['no_recipient', 'wrong_state', 'sent_too_often'] as const

export function receiptRoutes(app: RouteApp, world: World): void {
  for (const method of METHODS) {
    for (const spelling of SPELLINGS) {
      byEmail(app, world, method, spelling)
      bySms(app, world, method, spelling)
    }
  }
  soFar(app, world)
}

type Method = (typeof METHODS)[number]
type Spelling = (typeof SPELLINGS)[number]

/** The document describes each once for each method; the second spelling is the same. */
function about(spelling: Spelling) {
  const hide = spelling === 'receipt-'
  return { tags: ['Receipts'], params, hide }
}

const summaryBy = (method: Method, what: string) =>
  method === 'PUT' ? `${what}, as by POST` : what

function byEmail(app: RouteApp, world: World, method: Method, spelling: Spelling): void {
  app.route({
    method,
    url: `/transaction/:id/${spelling}email`,
    config: { needsActiveTeam: true, refusals: REFUSALS },
    schema: {
      ...about(spelling),
      summary: summaryBy(method, 'E-mail a receipt'),
      operationId: method === 'PUT' ? 'putEmailReceipt' : 'emailReceipt',
      description:
        'Sends to the customer and to the addresses for copies, each as its own delivery. Returns the transaction once the receipt is accepted for sending.',
      body: emailReceiptBody,
      response: { 200: ref(transaction) },
    },
    handler: async (request, reply) => {
      const { ccEmails: copies = [], idempotency_id } = request.body
      const context = requestContextOf(request, idempotency_id)
      const input = { transactionId: pathId(request), channel: 'email', copies } as const
      return answerOnce(reply, await send(world, callerOf(request), context, input))
    },
  })
}

function bySms(app: RouteApp, world: World, method: Method, spelling: Spelling): void {
  app.route({
    method,
    url: `/transaction/:id/${spelling}sms`,
    config: { needsActiveTeam: true, refusals: [...REFUSALS, 'sms_not_enabled'] },
    schema: {
      ...about(spelling),
      summary: summaryBy(method, 'Text a receipt'),
      operationId: method === 'PUT' ? 'putSmsReceipt' : 'textReceipt',
      description:
        'Sends to the customer and to the addresses for copies, each as its own delivery. Text messages must be enabled for the team. Returns the transaction once the receipt is accepted for sending.',
      body: smsReceiptBody,
      response: { 200: ref(transaction) },
    },
    handler: async (request, reply) => {
      const { ccSms = [], ccSMS = [], idempotency_id } = request.body
      const caller = callerOf(request)
      if (!caller.team.smsEnabled) throw new Refusal('sms_not_enabled')
      const context = requestContextOf(request, idempotency_id)
      const copies = [...ccSms, ...ccSMS].flatMap((number) => toE164(number) ?? [])
      const input = { transactionId: pathId(request), channel: 'sms', copies } as const
      return answerOnce(reply, await send(world, caller, context, input))
    },
  })
}

function send(world: World, caller: Caller, context: RequestContext, input: ReceiptInput) {
  const transactionId = input.transactionId.toLowerCase()
  return requestReceipt(world, contextOfCaller(world, caller), context, { ...input, transactionId })
}

function soFar(app: RouteApp, world: World): void {
  app.get(
    '/transaction/:id/receipt',
    {
      config: { needsActiveTeam: true },
      schema: {
        summary: 'List the receipts of a transaction',
        operationId: 'listReceipts',
        description: 'All deliveries, the oldest first, each with its state.',
        tags: ['Receipts'],
        params,
        response: { 200: Type.Array(ref(delivery)) },
      },
    },
    async (request) => {
      const { accountId } = callerOf(request)
      return listReceipts(world, accountId, pathId(request))
    },
  )
}
