import { createCustomer } from '../../customers/create-customer.ts'
import { CUSTOMER } from '../../customers/customer.ts'
import { CUSTOMERS } from '../../customers/list-customers.ts'
import { Type } from '../../resource/json-schema.ts'
import { text } from '../../resource/schemas.ts'
import type { World } from '../../world.ts'
import { authenticate } from '../authenticate.ts'
import { answerListPage } from '../pages.ts'
import { requestContextOf } from '../requests.ts'
import { answers, BODY_ERRORS, KEYED_ERRORS, security } from '../schema/answers.ts'
import { customer, newCustomer } from '../schema/customer.ts'
import { idempotencyHeaders } from '../schema/headers.ts'
import { listQuery, listSchema } from '../schema/list.ts'
import { ref } from '../schema/ref.ts'
import { answerOnce } from './answer-once.ts'
import { oneCustomerRoutes } from './customer-by-id.ts'
import type { RouteApp } from './route-app.ts'

type Field = Exclude<keyof typeof CUSTOMERS.filters, 'keywords'>

const KEYWORD = 'Each must be found in the name, company, email, phone or reference.'

const filter = () => Type.Optional(text('An exact match, ignoring case.'))

const filters = Object.fromEntries(
  Object.keys(CUSTOMERS.filters).map((name) => [name, filter()]),
) as unknown as Record<Field, ReturnType<typeof filter>>

const query = listQuery(CUSTOMERS.sorts, {
  ...filters,
  keywords: Type.Optional(
    Type.Array(text(KEYWORD), {
      maxItems: 10,
      description: 'Text to find; if repeated, each must be found.',
    }),
  ),
})

export function customerRoutes(app: RouteApp, world: World): void {
  const onRequest = authenticate(world)

  app.post(
    '/customer',
    {
      onRequest,
      schema: {
        summary: 'Create a customer',
        tags: ['Customers'],
        security,
        headers: idempotencyHeaders,
        body: newCustomer,
        response: answers({ 200: ref(customer) }, [...BODY_ERRORS, 'idempotency_conflict']),
      },
    },
    async (request, reply) => {
      const context = requestContextOf(request, request.body.idempotency_id)
      return answerOnce(
        reply,
        await createCustomer(world, context, CUSTOMER.readChange(request.body)),
      )
    },
  )

  app.get(
    '/customer',
    {
      onRequest,
      schema: {
        summary: 'List customers',
        tags: ['Customers'],
        security,
        querystring: query,
        response: answers({ 200: listSchema(customer) }, KEYED_ERRORS),
      },
    },
    (request) => answerListPage(world, request, CUSTOMERS, request.query),
  )

  oneCustomerRoutes(app, world)
}
