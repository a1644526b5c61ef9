import { toE164 } from '../../core/phone-number.ts'
import { createCustomer } from '../../customers/create-customer.ts'
import { CUSTOMER_FILTERS, CUSTOMER_SORTS, listCustomers } from '../../customers/list-customers.ts'
import type { World } from '../../world.ts'
import { authenticate } from '../authenticate.ts'
import { envelope, pageOf } from '../pages.ts'
import { askingOf, callerOf } from '../requests.ts'
import { answers, KEYED, POSTED, security } from '../schema/answers.ts'
import { customer, newCustomer } from '../schema/customer.ts'
import { text } from '../schema/fields.ts'
import { idempotencyHeaders } from '../schema/headers.ts'
import { listOf, listQuery } from '../schema/list.ts'
import { ref } from '../schema/ref.ts'
import { Type } from '../schema/type.ts'
import { answerOnce } from './answer-once.ts'
import { oneCustomerRoutes } from './customer-by-id.ts'
import { readCustomer } from './read-customer.ts'
import type { RouteApp } from './route-app.ts'

type Sort = keyof typeof CUSTOMER_SORTS
type Filter = keyof typeof CUSTOMER_FILTERS

const FILTERS = Object.keys(CUSTOMER_FILTERS) as Filter[]

const KEYWORD = 'Each must be found in the name, company, email, phone or reference.'

const filter = () => Type.Optional(text('An exact match, but for case.'))

const filters = Object.fromEntries(FILTERS.map((name) => [name, filter()])) as unknown as Record<
  Filter,
  ReturnType<typeof filter>
>

const query = listQuery<Sort>()(Object.keys(CUSTOMER_SORTS) as Sort[], {
  ...filters,
  keywords: Type.Optional(
    Type.Array(text(KEYWORD), { maxItems: 10, description: 'Repeated, each must be found.' }),
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
        response: answers({ 200: ref(customer) }, [...POSTED, 'idempotency_conflict']),
      },
    },
    async (request, reply) => {
      const asking = askingOf(request, request.body.idempotency_id)
      return answerOnce(reply, await createCustomer(world, asking, readCustomer(request.body)))
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
        response: answers({ 200: listOf(customer) }, KEYED),
      },
    },
    async (request) => {
      const page = pageOf<Sort>(request.query, 'created_at')
      const found = await listCustomers(world, callerOf(request).accountId, {
        page,
        filters: filtersOf(request.query),
        keywords: request.query.keywords ?? [],
      })
      return envelope(request, page, found)
    },
  )

  oneCustomerRoutes(app, world)
}

function filtersOf(query: Readonly<Partial<Record<Filter, string>>>) {
  const sent = FILTERS.flatMap((name) => {
    const value = query[name]
    if (value === undefined) return []
    const isPhone = name === 'phone' || name === 'cc_sms'
    return [[name, isPhone ? (toE164(value) ?? value) : value] as const]
  })
  return Object.fromEntries(sent) as Partial<Record<Filter, string>>
}
