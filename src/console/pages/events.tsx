// The pages of events: the list, and one with its payload and its deliveries.

import type { FastifyInstance } from 'fastify'
import { accountWithTeam } from '../../accounts/find-teams.ts'
import { isId } from '../../core/id.ts'
import { deliveriesOfEvent } from '../../deliveries/deliveries-anywhere.ts'
import { findEvent } from '../../events/events-anywhere.ts'
import { answerHtml } from '../../web/html.ts'
import { PageRefusal } from '../../web/page-refusal.ts'
import type { World } from '../../world.ts'
import { EVENT_LIST } from '../events/list.tsx'
import { OneEvent } from '../events/one.tsx'
import { ConsolePage } from '../layout.tsx'
import { addListPage } from '../parts/list-page.tsx'
import { operatorOf } from '../who.ts'

interface OfOne {
  readonly Params: { readonly account: string; readonly id: string }
}

/** Twenty endpoints at most get an event, each once more with every replay. */
const MOST_DELIVERIES = 100

const NOT_FOUND = new PageRefusal(
  404,
  'Not found',
  'There is no such event in that account; it may have been deleted.',
)

export function eventPages(own: FastifyInstance, world: World): void {
  addListPage(own, world, EVENT_LIST)
  own.get<OfOne>('/events/:account/:id', { schema: { hide: true } }, async (request, reply) => {
    const { account: accountId, id } = request.params
    if (!isId(accountId) || !isId(id)) throw NOT_FOUND
    const [event, account, deliveries] = await Promise.all([
      findEvent(world, accountId, id),
      accountWithTeam(world, accountId),
      deliveriesOfEvent(world, { accountId, id }, MOST_DELIVERIES),
    ])
    if (event === undefined || account === undefined) throw NOT_FOUND
    return answerHtml(
      reply,
      <ConsolePage title={event.type} place="events" operator={operatorOf(request)}>
        <OneEvent {...{ event, account, deliveries }} />
      </ConsolePage>,
    )
  })
}
