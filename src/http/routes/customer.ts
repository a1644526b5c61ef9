// Creates, lists, shows, changes and deletes customers, and lists the payment methods of one.

import { changeCustomer, deleteCustomer } from '../../customers/change-customer.ts'
import { createCustomer } from '../../customers/create-customer.ts'
import { CUSTOMER, customerView } from '../../customers/customer.ts'
import { findCustomer } from '../../customers/find-customer.ts'
import { CUSTOMERS } from '../../customers/list-customers.ts'
import { PAYMENT_METHODS } from '../../customers/payment-method.ts'
import { readPart } from '../../db/declared-list.ts'
import { Type } from '../../resource/json-schema.ts'
import { id, idempotencyId, text } from '../../resource/schemas.ts'
import type { World } from '../../world.ts'
import { answerListPage } from '../list-pages.ts'
import { pathId, pathKey, requestContextOf } from '../requests.ts'
import { ref, resourceSchema } from '../schema/answers.ts'
import { IGNORED, keywordsFilter, listQuery, listSchema, MOST_A_PAGE } from '../schema/list.ts'
import { removal, withRemoved } from '../schema/removal.ts'
import { answerOnce } from './answer-once.ts'
import { paymentMethod } from './payment-method.ts'
import type { RouteApp } from './route-app.ts'

const newCustomer = Type.Object(
  { ...CUSTOMER.creation, idempotency_id: idempotencyId },
  {
    'x-kind': 'named',
    description: 'At least one of firstname, lastname, company and email.',
    examples: [{ firstname: 'Ada', lastname: 'Lovelace', email: 'ada@example.com' }],
  },
)

/** Those that may be absent, which is null in the row. */
const removable = Object.entries(CUSTOMER.fields)
  .filter(([, field]) => 'initial' in field && field.initial === null)
  .map(([name]) => name)

const customerChange = Type.Object(
  { ...CUSTOMER.change, remove: removal(removable) },
  {
    description: 'Absent fields keep their value; meta and lists are replaced as a whole.',
    examples: [{ company: 'Analytical Engines', cc_emails: ['accounts@example.com'] }],
  },
)

export const customer = resourceSchema('Customer', CUSTOMER.answer)

type Field = Exclude<keyof typeof CUSTOMERS.filters, 'keywords'>

const KEYWORD = 'Each must be found in the name, company, email, phone or reference.'

const filter = () => Type.Optional(text('An exact match, ignoring case.'))

const filters = Object.fromEntries(
  Object.keys(CUSTOMERS.filters).map((name) => [name, filter()]),
) as unknown as Record<Field, ReturnType<typeof filter>>

const query = listQuery(CUSTOMERS.sorts, {
  ...filters,
  keywords: keywordsFilter(KEYWORD),
  ...IGNORED,
})

export function customerRoutes(app: RouteApp, world: World): void {
  app.post(
    '/customer',
    {
      schema: {
        summary: 'Create a customer',
        operationId: 'createCustomer',
        description:
          'A customer needs a first name, a last name, a company or an e-mail address. Everything else can be added later.',
        tags: ['Customers'],
        body: newCustomer,
        response: { 200: ref(customer) },
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
      schema: {
        summary: 'List customers',
        operationId: 'listCustomers',
        description:
          'Each filter but `keywords` is an exact match that ignores case. Deleted customers are left out.',
        tags: ['Customers'],
        querystring: query,
        response: { 200: listSchema(customer) },
      },
    },
    (request) => answerListPage(world, request, CUSTOMERS, request.query),
  )

  oneCustomerRoutes(app, world)
}

const common = {
  tags: ['Customers'],
  params: Type.Object({ id: id('The customer.') }),
}

function oneCustomerRoutes(app: RouteApp, world: World): void {
  app.get(
    '/customer/:id',
    {
      schema: {
        ...common,
        summary: 'Get a customer',
        operationId: 'getCustomer',
        description: 'A deleted customer is not found; transactions and invoices keep showing it.',
        response: { 200: ref(customer) },
      },
    },
    async (request) => customerView(await findCustomer(world, pathKey(request))),
  )

  app.put(
    '/customer/:id',
    {
      schema: {
        ...common,
        summary: 'Change a customer',
        operationId: 'updateCustomer',
        description:
          'Only the fields that are sent change. Past transactions show the customer as it is now.',
        body: customerChange,
        response: { 200: ref(customer) },
      },
    },
    async (request) => {
      const change = CUSTOMER.readChange(withRemoved(request.body))
      return customerView(
        await changeCustomer(world, requestContextOf(request), pathId(request), change),
      )
    },
  )

  app.delete(
    '/customer/:id',
    {
      config: { refusals: ['in_use'] },
      schema: {
        ...common,
        summary: 'Delete a customer',
        operationId: 'deleteCustomer',
        description:
          'The customer’s payment methods are deleted too; transactions keep showing both. A customer of an active schedule, or of an invoice that is being paid or will be again, cannot be deleted.',
        response: { 200: ref(customer) },
      },
    },
    async (request) =>
      customerView(await deleteCustomer(world, requestContextOf(request), pathId(request))),
  )

  app.get(
    '/customer/:id/payment-method',
    {
      schema: {
        ...common,
        summary: 'List the payment methods of a customer',
        operationId: 'listCustomerPaymentMethods',
        description:
          'The newest first, 200 at most: GET /payment-method with `customer_id` lists all of them, page by page.',
        response: { 200: Type.Array(ref(paymentMethod)) },
      },
    },
    async (request) => {
      const { accountId, id } = await findCustomer(world, pathKey(request))
      const newest = { sort: 'created_at', order: 'desc', skip: 0, take: MOST_A_PAGE } as const
      return readPart(world, PAYMENT_METHODS, accountId, newest, { customer_id: id })
    },
  )
}
