// The pages of deliveries: the list, and one with its attempts. Their actions are those of Needs
// attention.

import type { FastifyInstance } from 'fastify'
import { accountWithTeam } from '../../accounts/find-teams.ts'
import { isId } from '../../core/id.ts'
import {
  findDelivery,
  keptMessageOf,
  type SeenDelivery,
} from '../../deliveries/deliveries-anywhere.ts'
import { stopsOf } from '../../deliveries/stopped-addresses.ts'
import { answerHtml } from '../../web/html.ts'
import { PageRefusal } from '../../web/page-refusal.ts'
import type { World } from '../../world.ts'
import { DELIVERY_LIST, deliveryTitle } from '../deliveries/list.tsx'
import { OneDelivery } from '../deliveries/one.tsx'
import { takeDone } from '../done.ts'
import { ConsolePage } from '../layout.tsx'
import { addListPage } from '../parts/list-page.tsx'
import { operatorOf } from '../who.ts'

interface OfOne {
  readonly Params: { readonly account: string; readonly id: string }
}

const NOT_FOUND = new PageRefusal(
  404,
  'Not found',
  'There is no such delivery in that account; it may have been deleted.',
)

export function deliveryPages(own: FastifyInstance, world: World): void {
  addListPage(own, world, DELIVERY_LIST)
  const path = '/deliveries/:account/:id'
  own.get<OfOne>(path, { schema: { hide: true } }, async (request, reply) => {
    const { account: accountId, id } = request.params
    if (!isId(accountId) || !isId(id)) throw NOT_FOUND
    const [row, account] = await Promise.all([
      findDelivery(world, accountId, id),
      accountWithTeam(world, accountId),
    ])
    if (row === undefined || account === undefined) throw NOT_FOUND
    const isToEndpoint = row.channel === 'webhook'
    const [isKept, found] = await Promise.all([
      isInOutbox(world, row),
      isToEndpoint ? [] : stopsOf(world, accountId, [row.recipient]),
    ])
    const stops = found.filter(({ channel }) => channel === row.channel)
    const operator = operatorOf(request)
    return answerHtml(
      reply,
      <ConsolePage
        title={deliveryTitle(row)}
        place="deliveries"
        operator={operator}
        done={takeDone(world, request, reply)}
      >
        <OneDelivery {...{ row, account, isKept, stops, operator }} />
      </ConsolePage>,
    )
  })
}

/** Old messages of the outbox are deleted before their deliveries. */
async function isInOutbox(world: World, row: SeenDelivery): Promise<boolean> {
  const id = keptMessageOf(row)
  if (id === undefined) return false
  const key = { accountId: row.accountId, id }
  return (await world.db.prisma.outboxMessage.count({ where: key })) > 0
}
