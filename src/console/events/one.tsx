// One event: its facts, what it contains, and its deliveries.

import type { AccountWithTeam } from '../../accounts/find-teams.ts'
import { deliveriesOfEvent, type SeenDelivery } from '../../deliveries/deliveries-anywhere.ts'
import { findEvent, type WholeEvent } from '../../events/events-anywhere.ts'
import { namedInAccount, type ObjectParams } from '../account-of.ts'
import { DeliveryStateWord, Recipient } from '../deliveries/list.tsx'
import type { ObjectPage } from '../parts/object-page.tsx'
import { withoutTokens } from '../parts/payers-pages.ts'
import { type Column, TablePart } from '../parts/row-table.tsx'
import { FactCard, Id, TeamOf, Verbatim } from '../parts/shown.tsx'
import { shownJson } from '../parts/shown-json.ts'
import { deliveryPath } from '../paths.ts'
import { resourcePath } from './list.tsx'

/** Twenty endpoints at most get an event, each once more with every replay. */
const MOST_DELIVERIES = 100

interface OfEvent {
  readonly event: WholeEvent
  readonly account: AccountWithTeam
  readonly deliveries: readonly SeenDelivery[]
}

export const ONE_EVENT: ObjectPage<ObjectParams, OfEvent> = {
  place: 'events',
  async find(world, params) {
    const named = await namedInAccount(world, params, 'event any more', findEvent)
    const { account, found: event } = named
    return { account, event, deliveries: await deliveriesOfEvent(world, event, MOST_DELIVERIES) }
  },
  title: ({ event }) => event.type,
  body: ({ found: { event, account, deliveries }, operator }) => (
    <>
      <FactCard
        of={{
          Team: <TeamOf account={account} />,
          Resource: <Id id={event.resourceId} to={resourcePath(event)} />,
          Sequence: event.sequence,
          'When (UTC)': event.createdAt,
          Request: <code>{event.requestId}</code>,
          Id: <code>{event.id}</code>,
        }}
      />
      <section class="stack" aria-labelledby="payload">
        <h2 id="payload">Payload</h2>
        {/* With line breaks. Endpoints get the same values without them. */}
        <Verbatim text={withoutTokens(shownJson(JSON.parse(event.body)), operator)} />
      </section>
      <TablePart
        id="deliveries"
        title="Deliveries"
        columns={DELIVERY_COLUMNS}
        rows={deliveries}
        whenEmpty="No endpoint gets this event."
      />
    </>
  ),
}

const DELIVERY_COLUMNS: readonly Column<SeenDelivery>[] = [
  { head: 'Delivery', isMain: true, cell: (row) => <Id id={row.id} to={deliveryPath(row)} /> },
  { head: 'To', class: 'says', cell: (row) => <Recipient row={row} /> },
  { head: 'State', cell: (row) => <DeliveryStateWord row={row} /> },
  { head: 'Attempts', class: 'number', named: true, cell: (row) => row.tries },
]
