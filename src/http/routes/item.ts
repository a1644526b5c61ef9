// Creates, lists, shows, changes and deletes items of the catalogue.

import { ITEM, itemView } from '../../items/item.ts'
import { ITEMS } from '../../items/list-items.ts'
import { changeItem, createItem, deleteItem, findItem } from '../../items/write-item.ts'
import { ifSent, isFlagSet } from '../../resource/read-values.ts'
import type { World } from '../../world.ts'
import { answerListPage } from '../list-pages.ts'
import { pathId, pathKey, requestContextOf } from '../requests.ts'
import { ref } from '../schema/answers.ts'
import { item, itemChange, itemParams, itemQuery, newItem } from '../schema/item.ts'
import { listSchema } from '../schema/list.ts'
import { withRemoved } from '../schema/removal.ts'
import { answerOnce } from './answer-once.ts'
import type { RouteApp } from './route-app.ts'

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
