import { createCustomer, type NewCustomer } from '../../customers/create-customer.ts'
import { CUSTOMER_FILTERS, CUSTOMER_SORTS, listCustomers } from '../../customers/list-customers.ts'
import type { World } from '../../world.ts'
import { authenticate } from '../authenticate.ts'
import { envelope, pageOf } from '../pages.ts'
import { askingOf, callerOf } from '../requests.ts'
import { answers, KEYED, POSTED, security } from '../schema/answers.ts'
import { customer, newCustomer } from '../schema/customer.ts'
import { text } from '../schema/fields.ts'
import { idempotencyHeaders } from '../schema/headers.ts'
import { toE164 } from '../schema/kinds.ts'
import { listOf, listQuery } from '../schema/list.ts'
import { ref } from '../schema/ref.ts'
import { type Static, Type } from '../schema/type.ts'
import { answerOnce } from './answer-once.ts'
import type { RouteApp } from './route-app.ts'

type Sort = keyof typeof CUSTOMER_SORTS
type Filter = keyof typeof CUSTOMER_FILTERS

const FILTERS = Object.keys(CUSTOMER_FILTERS) as Filter[]

const filter = () => Type.Optional(text('An exact match, but for case.'))

const filters = Object.fromEntries(FILTERS.map((name) => [name, filter()])) as unknown as Record<
  Filter,
  ReturnType<typeof filter>
>

const query = listQuery<Sort>()(Object.keys(CUSTOMER_SORTS) as Sort[], {
  ...filters,
  keywords: Type.Optional(
    Type.Array(text('Must be found in one of the fields.'), { maxItems: 10 }),
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
      return answerOnce(reply, await createCustomer(world, asking, read(request.body)))
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
}

function read(body: Static<typeof newCustomer>): NewCustomer {
  return {
    ...defined({
      firstname: body.firstname,
      lastname: body.lastname,
      company: body.company,
      email: body.email,
      phone: toE164(body.phone),
      ccEmails: body.cc_emails,
      ccSms: body.cc_sms?.flatMap((number) => toE164(number) ?? []),
      address1: body.address_1,
      address2: body.address_2,
      addressCity: body.address_city,
      addressState: body.address_state,
      addressZip: body.address_zip,
      addressCountry: body.address_country,
      notes: body.notes,
      reference: body.reference,
      meta: body.meta,
    }),
  }
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

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

function defined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)) as Defined<T>
}
