import {
  changePaymentMethod,
  type PaymentMethodChange,
} from '../../customers/change-payment-method.ts'
import { deletePaymentMethod } from '../../customers/delete-payment-method.ts'
import { findPaymentMethod } from '../../customers/find-payment-method.ts'
import { PAYMENT_METHOD, paymentMethodView } from '../../customers/payment-method.ts'
import { type Static, Type } from '../../resource/json-schema.ts'
import { isFlagSet } from '../../resource/read-values.ts'
import { id } from '../../resource/schemas.ts'
import type { World } from '../../world.ts'
import { authenticate } from '../authenticate.ts'
import { callerOf, requestContextOf } from '../requests.ts'
import { answers, BODY_ERRORS, CHANGE_ERRORS, KEYED_ERRORS, security } from '../schema/answers.ts'
import { paymentMethod, paymentMethodChange } from '../schema/payment-method.ts'
import { ref } from '../schema/ref.ts'
import type { RouteApp } from './route-app.ts'

const common = {
  tags: ['Customers'],
  security,
  params: Type.Object({ id: id('The payment method.') }),
}

export function onePaymentMethodRoutes(app: RouteApp, world: World): void {
  const onRequest = authenticate(world)

  app.get(
    '/payment-method/:id',
    {
      onRequest,
      schema: {
        ...common,
        summary: 'Get a payment method',
        response: answers({ 200: ref(paymentMethod) }, [
          ...KEYED_ERRORS,
          'invalid_id',
          'not_found',
        ]),
      },
    },
    async (request) => {
      const { accountId } = callerOf(request)
      return paymentMethodView(await findPaymentMethod(world, accountId, request.params.id))
    },
  )

  app.put(
    '/payment-method/:id',
    {
      onRequest,
      schema: {
        ...common,
        summary: 'Change a payment method',
        body: paymentMethodChange,
        response: answers({ 200: ref(paymentMethod) }, [
          ...BODY_ERRORS,
          'invalid_id',
          'not_found',
          'in_use',
        ]),
      },
    },
    async (request) => {
      const { id } = request.params
      const change = read(request.body)
      return paymentMethodView(
        await changePaymentMethod(world, requestContextOf(request), id.toLowerCase(), change),
      )
    },
  )

  app.delete(
    '/payment-method/:id',
    {
      onRequest,
      schema: {
        ...common,
        summary: 'Delete a payment method',
        description: 'Its transactions keep showing it.',
        response: answers({ 200: ref(paymentMethod) }, [
          ...CHANGE_ERRORS,
          'invalid_id',
          'not_found',
          'in_use',
        ]),
      },
    },
    async (request) => {
      const { id } = request.params
      return paymentMethodView(
        await deletePaymentMethod(world, requestContextOf(request), id.toLowerCase()),
      )
    },
  )
}

function read(body: Static<typeof paymentMethodChange>): PaymentMethodChange {
  const { is_default: isDefault, customer_id: customerId, method } = body
  return {
    fields: {
      ...PAYMENT_METHOD.readChange(body),
      ...(isDefault === undefined ? {} : { isDefault: isFlagSet(isDefault) }),
    },
    fixed: {
      ...(customerId === undefined ? {} : { customer_id: customerId.toLowerCase() }),
      ...(method === undefined ? {} : { method }),
    },
  }
}
