// The pages of events: the list, and one with its payload and its deliveries.

import type { FastifyInstance } from 'fastify'
import { deliveriesOfEvent } from '../../deliveries/deliveries-anywhere.ts'
import { findEvent } from '../../events/events-anywhere.ts'
import type { World } from '../../world.ts'
import { namedInAccount, type ObjectParams } from '../account-of.ts'
import { EVENT_LIST } from '../events/list.tsx'
import { OneEvent, type OneEventProps } from '../events/one.tsx'
import { addDetailPage, type DetailPage } from '../parts/detail-page.tsx'
import { addListPage } from '../parts/list-page.tsx'

/** Twenty endpoints at most get an event, each once more with every replay. */
const MOST_DELIVERIES = 100

export function eventPages(own: FastifyInstance, world: World): void {
  addListPage(own, world, EVENT_LIST)
  addDetailPage(own, world, ONE_EVENT)
}

const ONE_EVENT: DetailPage<ObjectParams, OneEventProps> = {
  place: 'events',
  async find(world, params) {
    const named = await namedInAccount(world, params, 'event any more', findEvent)
    const { account, found: event } = named
    const key = { accountId: account.id, id: params.id.toLowerCase() }
    return { account, event, deliveries: await deliveriesOfEvent(world, key, MOST_DELIVERIES) }
  },
  title: ({ event }) => event.type,
  body: ({ found }) => <OneEvent {...found} />,
}
