// The pages of deliveries: the list, and one with its attempts. Their actions are those of Needs
// attention.

import type { FastifyInstance } from 'fastify'
import {
  findDelivery,
  keptMessageOf,
  type SeenDelivery,
} from '../../deliveries/deliveries-anywhere.ts'
import { stopsOf } from '../../deliveries/stopped-addresses.ts'
import type { World } from '../../world.ts'
import { namedInAccount, type ObjectParams } from '../account-of.ts'
import { DELIVERY_LIST, deliveryTitle } from '../deliveries/list.tsx'
import { OneDelivery, type OneDeliveryProps } from '../deliveries/one.tsx'
import { addDetailPage, type DetailPage } from '../parts/detail-page.tsx'
import { addListPage } from '../parts/list-page.tsx'

export function deliveryPages(own: FastifyInstance, world: World): void {
  addListPage(own, world, DELIVERY_LIST)
  addDetailPage(own, world, ONE_DELIVERY)
}

const ONE_DELIVERY: DetailPage<ObjectParams, OneDeliveryProps> = {
  place: 'deliveries',
  async find(world, params) {
    const named = await namedInAccount(world, params, 'delivery any more', findDelivery)
    const { account, found: row } = named
    const isToEndpoint = row.channel === 'webhook'
    const [isKept, found] = await Promise.all([
      isInOutbox(world, row),
      isToEndpoint ? [] : stopsOf(world, account.id, [row.recipient]),
    ])
    const stops = found.filter(({ channel }) => channel === row.channel)
    return { row, account, isKept, stops }
  },
  title: ({ row }) => deliveryTitle(row),
  body: ({ found }) => <OneDelivery {...found} />,
}

/** Old messages of the outbox are deleted before their deliveries. */
async function isInOutbox(world: World, row: SeenDelivery): Promise<boolean> {
  const id = keptMessageOf(row)
  if (id === undefined) return false
  const key = { accountId: row.accountId, id }
  return (await world.db.prisma.outboxMessage.count({ where: key })) > 0
}
