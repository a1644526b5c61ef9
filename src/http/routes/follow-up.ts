// Follow-ups of a transaction: void, refund, capture. Each returns the transaction with its
// children.

import { type ErrorCode, wrongField } from '../../core/errors.ts'
import type { FollowUpInput, FollowUpType } from '../../core/follow-up.ts'
import { acceptFollowUp } from '../../payments/accept/accept-follow-up.ts'
import { type Schema, type Static, Type } from '../../resource/json-schema.ts'
import { centsOf, ifSent, openCentsOf } from '../../resource/read-values.ts'
import { idempotencyId, money, openAmount } from '../../resource/schemas.ts'
import type { World } from '../../world.ts'
import { callerOf, pathId, requestContextOf } from '../requests.ts'
import { ref } from '../schema/answers.ts'
import { answerPayment } from './answer-payment.ts'
import type { RouteApp } from './route-app.ts'
import { transaction, transactionParams } from './transaction.ts'

const amounts = (description: string) => ({
  amount: Type.Optional(money(description)),
  total: Type.Optional(money('The same as amount.')),
})

const taking = (what: string) => amounts(`The ${what} amount; absent: all that is left.`)

const previouslyRefunded = openAmount(
  'The amount refunded so far as you know it, refunds under way included. If it differs, the answer is 409.',
)

const voidBody = Type.Object(
  {
    ...amounts('If it is sent, it must be the whole amount.'),
    idempotency_id: idempotencyId,
  },
  { additionalProperties: false, examples: [{}] },
)

const refundBody = Type.Object(
  {
    ...taking('refunded'),
    previously_refunded: Type.Optional(previouslyRefunded),
    idempotency_id: idempotencyId,
  },
  { additionalProperties: false, examples: [{ amount: 5 }] },
)

const captureBody = Type.Object(
  { ...taking('captured'), idempotency_id: idempotencyId },
  { additionalProperties: false, examples: [{ amount: 5 }] },
)

type Asked = Static<typeof refundBody>

interface Operation {
  readonly path: string
  readonly operation: FollowUpInput['operation']
  readonly summary: string
  readonly operationId: string
  readonly description: string
  readonly body: Schema<Asked>
  readonly codes: readonly ErrorCode[]
}

const CODES: Readonly<Record<FollowUpType, readonly ErrorCode[]>> = {
  void: ['already_voided', 'already_batched', 'partial_void_not_supported'],
  refund: [
    'already_voided',
    'not_batched_yet',
    'not_refundable_yet',
    'settlement_tokenization_required',
    'refund_exceeds_remaining',
    'refund_mismatch',
  ],
  capture: ['already_voided', 'capture_exceeds_remaining'],
}

/** Whether its batch has closed is no obstacle here: it decides which of the two is done. */
const EITHER: readonly ErrorCode[] = [...new Set([...CODES.void, ...CODES.refund])].filter(
  (code) => code !== 'already_batched' && code !== 'not_batched_yet',
)

const OPERATIONS: readonly Operation[] = [
  {
    path: 'void',
    operation: 'void',
    summary: 'Void a transaction',
    operationId: 'voidTransaction',
    description:
      'Cancels the whole transaction, until its batch closes. An invoice that it paid must be paid again.',
    body: voidBody,
    codes: CODES.void,
  },
  {
    path: 'refund',
    operation: 'refund',
    summary: 'Refund a transaction',
    operationId: 'refundTransaction',
    description:
      'Pays a part back, or all that is left, once its batch has closed. If the transaction has a dispute or a returned debit, name the amount: what the bank has taken back is not paid twice. An invoice that it paid stays PAID. With 100 captures, voids and refunds, failed ones included, a transaction gets no more of them; with 200 no more voids.',
    body: refundBody,
    codes: CODES.refund,
  },
  {
    path: 'void-or-refund',
    operation: 'void_or_refund',
    summary: 'Void or refund a transaction',
    operationId: 'voidOrRefundTransaction',
    description: 'Voids until the batch closes, refunds afterwards.',
    body: refundBody,
    codes: EITHER,
  },
  {
    path: 'capture',
    operation: 'capture',
    summary: 'Capture a pre_auth',
    operationId: 'captureTransaction',
    description:
      'Captures a part of the authorized amount, or all that is left; repeatable while something is left, up to 100 times.',
    body: captureBody,
    codes: CODES.capture,
  },
]

export function followUpRoutes(app: RouteApp, world: World): void {
  for (const operation of OPERATIONS) followUpRoute(app, world, operation)
}

function followUpRoute(app: RouteApp, world: World, { path, operation, ...about }: Operation) {
  const answered = ref(transaction)
  app.post(
    `/transaction/:id/${path}`,
    {
      config: {
        needsActiveTeam: true,
        refusals: ['wrong_state', 'payment_link_deleted', 'no_live_gateway', ...about.codes],
      },
      schema: {
        summary: about.summary,
        operationId: about.operationId,
        description: `${about.description} Returns the transaction with its children. If the gateway declines, the answer is 400 with a FAILED child; if it takes longer than the wait, 200 with a PENDING child.`,
        tags: ['Payments'],
        params: transactionParams,
        body: about.body,
        response: { 200: answered, 202: answered, 400: answered },
      },
    },
    async (request, reply) => {
      const context = requestContextOf(request, request.body.idempotency_id)
      const parentId = pathId(request)
      const input = { operation, ...read(request.body) }
      const accepted = await acceptFollowUp(world, callerOf(request), context, parentId, input)
      return answerPayment(world, reply, accepted)
    },
  )
}

function read(body: Asked): Omit<FollowUpInput, 'operation'> {
  // 0 is read as an open amount, which is null.
  const previouslyRefunded = ifSent(body.previously_refunded, (sent) => openCentsOf(sent) ?? 0n)
  return { ...amountOf(body), previouslyRefunded }
}

/** Both names are accepted. A fault uses the name that was sent. */
function amountOf({ amount, total }: Asked): Pick<FollowUpInput, 'total' | 'totalField'> {
  if (amount === undefined) return { total: ifSent(total, centsOf) }
  const cents = centsOf(amount)
  if (total !== undefined && centsOf(total) !== cents) {
    throw wrongField('amount', 'differs from total')
  }
  return { total: cents, totalField: 'amount' }
}
