// Creates, lists, shows, changes and deletes items of the catalogue.

import { ITEM, itemView } from '../../items/item.ts'
import { ITEMS } from '../../items/list-items.ts'
import { changeItem, createItem, deleteItem, findItem } from '../../items/write-item.ts'
import { Type } from '../../resource/json-schema.ts'
import { ifSent, isFlagSet } from '../../resource/read-values.ts'
import { currency, id, idempotencyId, queryFlag, text } from '../../resource/schemas.ts'
import type { World } from '../../world.ts'
import { answerListPage } from '../list-pages.ts'
import { pathId, pathKey, requestContextOf } from '../requests.ts'
import { ref, resourceSchema } from '../schema/answers.ts'
import { IGNORED, keywordsFilter, listQuery, listSchema } from '../schema/list.ts'
import { removal, withRemoved } from '../schema/removal.ts'
import { answerOnce } from './answer-once.ts'
import type { RouteApp } from './route-app.ts'

const COFFEE = {
  item: 'Coffee, a bag',
  code: 'COF-250',
  details: '250 g, whole beans',
  price: 12.5,
}

const newItem = Type.Object(
  {
    ...ITEM.creation,
    currency: Type.Optional(currency),
    idempotency_id: idempotencyId,
  },
  { examples: [{ ...COFFEE, is_taxable: true, in_stock: 12 }] },
)

const itemChange = Type.Object(
  {
    ...ITEM.change,
    remove: removal(['code', 'details', 'in_stock']),
    currency: Type.Optional(currency),
  },
  {
    description: 'Absent fields keep their value; meta is replaced as a whole.',
    examples: [{ price: 13, in_stock: 11 }],
  },
)

const itemParams = Type.Object({ id: id('The item.') })

const itemQuery = listQuery(ITEMS.sorts, {
  is_active: Type.Optional(queryFlag('Only items that are offered, or only the others.')),
  code: Type.Optional(text('An exact match, ignoring case.')),
  keywords: keywordsFilter('Must be found in the name or the code.'),
  ...IGNORED,
})

export const item = resourceSchema('Item', ITEM.answer)

const COMMON = { tags: ['Items'] }

export function itemRoutes(app: RouteApp, world: World): void {
  app.get(
    '/item',
    {
      schema: {
        ...COMMON,
        summary: 'List items',
        operationId: 'listItems',
        description: 'Deleted items are not listed.',
        querystring: itemQuery,
        response: { 200: listSchema(item) },
      },
    },
    (request) => {
      const { is_active: isActive, ...query } = request.query
      const active = ifSent(isActive, isFlagSet)
      return answerListPage(world, request, ITEMS, { ...query, is_active: active })
    },
  )

  app.post(
    '/item',
    {
      schema: {
        ...COMMON,
        summary: 'Create an item',
        operationId: 'createItem',
        description:
          "Adds an item to the merchant's catalogue. A line item of an invoice (`meta.lineItems[].id`) may name it, and carries its own `item`, `details` and `price`: a later change of the catalogue changes no bill.",
        body: newItem,
        response: { 200: ref(item) },
      },
    },
    async (request, reply) => {
      const context = requestContextOf(request, request.body.idempotency_id)
      return answerOnce(reply, await createItem(world, context, ITEM.readCreation(request.body)))
    },
  )

  oneItemRoutes(app, world)
}

function oneItemRoutes(app: RouteApp, world: World): void {
  const one = { ...COMMON, params: itemParams }

  app.get(
    '/item/:id',
    {
      schema: {
        ...one,
        summary: 'Get an item',
        operationId: 'getItem',
        description: 'A deleted item is not found.',
        response: { 200: ref(item) },
      },
    },
    async (request) => itemView(await findItem(world, pathKey(request))),
  )

  app.put(
    '/item/:id',
    {
      schema: {
        ...one,
        summary: 'Change an item',
        operationId: 'updateItem',
        description:
          'Absent fields keep their value; `meta` is replaced as a whole. Invoices keep the line items that they have.',
        body: itemChange,
        response: { 200: ref(item) },
      },
    },
    async (request) => {
      const change = ITEM.readChange(withRemoved(request.body))
      return itemView(await changeItem(world, requestContextOf(request), pathId(request), change))
    },
  )

  app.delete(
    '/item/:id',
    {
      schema: {
        ...one,
        summary: 'Delete an item',
        operationId: 'deleteItem',
        description: 'It is in no list any more. Invoices that name it stay as they are.',
        response: { 200: ref(item) },
      },
    },
    async (request) =>
      itemView(await deleteItem(world, requestContextOf(request), pathId(request))),
  )
}
