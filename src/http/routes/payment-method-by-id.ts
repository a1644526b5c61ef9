import {
  changePaymentMethod,
  type PaymentMethodChange,
} from '../../customers/change-payment-method.ts'
import { deletePaymentMethod } from '../../customers/delete-payment-method.ts'
import { findPaymentMethod } from '../../customers/find-payment-method.ts'
import { paymentMethodView } from '../../customers/payment-method-view.ts'
import type { World } from '../../world.ts'
import { authenticate } from '../authenticate.ts'
import { askingOf, callerOf } from '../requests.ts'
import { answers, CHANGING, KEYED, POSTED, security } from '../schema/answers.ts'
import { id } from '../schema/fields.ts'
import { isFlagSet } from '../schema/flag.ts'
import { paymentMethod, paymentMethodChange } from '../schema/payment-method.ts'
import { ref } from '../schema/ref.ts'
import { type Static, Type } from '../schema/type.ts'
import { defined } from './read-customer.ts'
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
        response: answers({ 200: ref(paymentMethod) }, [...KEYED, 'invalid_id', 'not_found']),
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
          ...POSTED,
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
        await changePaymentMethod(world, askingOf(request), id.toLowerCase(), change),
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
        description: 'Transactions that were made of it keep showing it.',
        response: answers({ 200: ref(paymentMethod) }, [
          ...CHANGING,
          'invalid_id',
          'not_found',
          'in_use',
        ]),
      },
    },
    async (request) => {
      const { id } = request.params
      return paymentMethodView(
        await deletePaymentMethod(world, askingOf(request), id.toLowerCase()),
      )
    },
  )
}

function read(body: Static<typeof paymentMethodChange>): PaymentMethodChange {
  return {
    fields: defined({
      nickname: body.nickname,
      personName: body.person_name,
      cardExp: body.card_exp,
      bankName: body.bank_name,
      bankType: body.bank_type,
      bankHolderType: body.bank_holder_type,
      address1: body.address_1,
      address2: body.address_2,
      addressCity: body.address_city,
      addressState: body.address_state,
      addressZip: body.address_zip,
      addressCountry: body.address_country,
      isDefault: body.is_default === undefined ? undefined : isFlagSet(body.is_default),
      meta: body.meta,
    }),
    fixed: defined({ customer_id: body.customer_id?.toLowerCase(), method: body.method }),
  }
}
