// Creates, lists, shows, changes and deletes payment methods.

import {
  changePaymentMethod,
  type PaymentMethodChange,
} from '../../customers/change-payment-method.ts'
import {
  createPaymentMethod,
  type NewPaymentMethod,
} from '../../customers/create-payment-method.ts'
import { deletePaymentMethod } from '../../customers/delete-payment-method.ts'
import { findPaymentMethod } from '../../customers/find-payment-method.ts'
import {
  CANNOT_CHANGE,
  PAYMENT_METHOD,
  PAYMENT_METHODS,
  paymentMethodView,
} from '../../customers/payment-method.ts'
import { ADDRESS_NAMES } from '../../resource/column-kinds.ts'
import { type Static, Type } from '../../resource/json-schema.ts'
import { ifSent, isFlagSet, onlySent } from '../../resource/read-values.ts'
import { fixed, flag, id, idempotencyId, text } from '../../resource/schemas.ts'
import type { World } from '../../world.ts'
import { answerListPage } from '../list-pages.ts'
import { callerOf, pathId, pathKey, requestContextOf } from '../requests.ts'
import { ref, resourceSchema } from '../schema/answers.ts'
import { listQuery, listSchema } from '../schema/list.ts'
import { removal, withRemoved } from '../schema/removal.ts'
import { answerOnce } from './answer-once.ts'
import type { RouteApp } from './route-app.ts'

const digits = (description: string, maxLength: number) =>
  Type.String({ description, minLength: 1, maxLength })

const newPaymentMethod = Type.Object(
  {
    customer_id: Type.Optional(
      id('Its customer. If absent, a customer is created from person_name.'),
    ),
    method: Type.Enum(['card', 'bank']),
    card_number: Type.Optional(digits('Sandbox only; becomes a token at once.', 30)),
    card_cvv: Type.Optional(digits('Checked, never stored.', 4)),
    bank_account: Type.Optional(digits('Sandbox only; becomes a token at once.', 17)),
    bank_routing: Type.Optional(digits('Nine digits.', 9)),
    payment_method_token: Type.Optional(
      text(
        'The gateway’s own token, instead of numbers. In the sandbox one for tests, such as tok_sandbox_visa_approve or tok_sandbox_visa_decline (visa, mastercard, amex, discover, bank), or one that the sandbox gave a payer’s browser.',
      ),
    ),
    ...PAYMENT_METHOD.creation,
    is_default: Type.Optional(
      flag(
        'true makes it the default of its customer, in place of the former one; false does not. When absent, it becomes the default of a customer who has none.',
      ),
    ),
    idempotency_id: idempotencyId,
  },
  {
    examples: [
      {
        method: 'card',
        person_name: 'Ada Lovelace',
        card_number: '4111111111111111',
        card_cvv: '123',
        card_exp: '1230',
      },
    ],
  },
)

const unchangeable = Type.Optional(fixed(CANNOT_CHANGE, 'Cannot be changed.'))

const paymentMethodChange = Type.Object(
  {
    ...PAYMENT_METHOD.change,
    remove: removal(['nickname', 'bank_name', 'bank_type', 'bank_holder_type', ...ADDRESS_NAMES]),
    is_default: Type.Optional(
      flag(
        'true makes it the default of its customer, in place of the former one; false ends that.',
      ),
    ),
    customer_id: Type.Optional(id('Cannot be changed.')),
    method: Type.Optional(Type.String({ description: 'Cannot be changed.' })),
    card_number: unchangeable,
    card_cvv: unchangeable,
    bank_account: unchangeable,
    bank_routing: unchangeable,
    payment_method_token: unchangeable,
  },
  {
    description: 'Absent fields keep their value; meta is replaced as a whole.',
    examples: [{ nickname: 'The blue one', address_zip: '10001', is_default: true }],
  },
)

export const paymentMethod = resourceSchema('PaymentMethod', PAYMENT_METHOD.answer)

const query = listQuery(PAYMENT_METHODS.sorts, {
  customer_id: Type.Optional(id('The customer.')),
  method: Type.Optional(Type.Enum(['card', 'bank'], { description: 'Only this method.' })),
})

export function paymentMethodRoutes(app: RouteApp, world: World): void {
  app.post(
    '/payment-method',
    {
      config: { refusals: ['not_found', 'no_live_gateway'], unusedFields },
      schema: {
        summary: 'Create a payment method',
        operationId: 'createPaymentMethod',
        description:
          'Keeps a card or a bank account for charges. Its number becomes a token of the gateway and is not stored.',
        tags: ['Customers'],
        body: newPaymentMethod,
        response: { 200: ref(paymentMethod) },
      },
    },
    async (request, reply) => {
      const context = requestContextOf(request, request.body.idempotency_id)
      const { liveGateway, mode } = callerOf(request)
      const chosen = { ...context, liveGateway, mode }
      const made = await createPaymentMethod(world, chosen, read(request.body))
      return answerOnce(reply, made)
    },
  )

  app.get(
    '/payment-method',
    {
      schema: {
        summary: 'List payment methods',
        operationId: 'listPaymentMethods',
        description: 'Payment methods of all customers. Deleted ones are left out.',
        tags: ['Customers'],
        querystring: query,
        response: { 200: listSchema(paymentMethod) },
      },
    },
    (request) => answerListPage(world, request, PAYMENT_METHODS, request.query),
  )

  onePaymentMethodRoutes(app, world)
}

/** By method: the numbers of a bank account beside a card, and those of a card beside a bank account. */
const UNUSED = new Map<unknown, readonly string[]>([
  ['card', ['bank_account', 'bank_routing']],
  ['bank', ['card_number', 'card_cvv', 'card_exp']],
])

function unusedFields({ method }: Readonly<Record<string, unknown>>): readonly string[] {
  return UNUSED.get(method) ?? []
}

function read(body: Static<typeof newPaymentMethod>): NewPaymentMethod {
  const fields = PAYMENT_METHOD.readCreation(body)
  return {
    customerId: body.customer_id?.toLowerCase(),
    method: body.method,
    instrument: {
      cardNumber: body.card_number,
      cardExp: fields.cardExp ?? undefined,
      cardCvv: body.card_cvv,
      bankAccount: body.bank_account,
      bankRouting: body.bank_routing,
    },
    gatewayToken: body.payment_method_token,
    isDefault: ifSent(body.is_default, isFlagSet),
    // Only a card has an expiry; for a bank account it is not stored.
    fields: { ...fields, ...(body.method === 'card' ? {} : { cardExp: null }) },
  }
}

const onePaymentMethod = {
  tags: ['Customers'],
  params: Type.Object({ id: id('The payment method.') }),
}

function onePaymentMethodRoutes(app: RouteApp, world: World): void {
  app.get(
    '/payment-method/:id',
    {
      schema: {
        ...onePaymentMethod,
        summary: 'Get a payment method',
        operationId: 'getPaymentMethod',
        description: 'Returns the payment method, without the number of the card or the account.',
        response: { 200: ref(paymentMethod) },
      },
    },
    async (request) => paymentMethodView(await findPaymentMethod(world, pathKey(request))),
  )

  app.put(
    '/payment-method/:id',
    {
      config: { refusals: ['in_use'] },
      schema: {
        ...onePaymentMethod,
        summary: 'Change a payment method',
        operationId: 'updatePaymentMethod',
        description: 'The owner and the number cannot be changed: create another payment method.',
        body: paymentMethodChange,
        response: { 200: ref(paymentMethod) },
      },
    },
    async (request) => {
      const change = readChange(request.body)
      return paymentMethodView(
        await changePaymentMethod(world, requestContextOf(request), pathId(request), change),
      )
    },
  )

  app.delete(
    '/payment-method/:id',
    {
      config: { refusals: ['in_use'] },
      schema: {
        ...onePaymentMethod,
        summary: 'Delete a payment method',
        operationId: 'deletePaymentMethod',
        description:
          'Refused while an active scheduled invoice uses it, or an invoice is being paid with it, or will be again (`next_retry_at`). Its transactions keep showing it.',
        response: { 200: ref(paymentMethod) },
      },
    },
    async (request) =>
      paymentMethodView(
        await deletePaymentMethod(world, requestContextOf(request), pathId(request)),
      ),
  )
}

function readChange(body: Static<typeof paymentMethodChange>): PaymentMethodChange {
  const { is_default: isDefault, customer_id: customerId, method } = body
  return {
    fields: {
      ...PAYMENT_METHOD.readChange(withRemoved(body)),
      ...onlySent({ isDefault: ifSent(isDefault, isFlagSet) }),
    },
    fixed: onlySent({ customer_id: customerId?.toLowerCase(), method }),
  }
}
