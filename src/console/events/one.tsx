// One event: its facts, what it contains, and its deliveries.

import type { AccountWithTeam } from '../../accounts/find-teams.ts'
import type { SeenDelivery } from '../../deliveries/deliveries-anywhere.ts'
import type { WholeEvent } from '../../events/events-anywhere.ts'
import { DeliveryStateWord, deliveryPath, Recipient } from '../deliveries/list.tsx'
import { At, FactList, Id, Table, TeamOf, Verbatim } from '../parts/shown.tsx'
import { shownJson } from '../parts/shown-json.ts'
import { resourcePath } from './list.tsx'

export interface OneEventProps {
  readonly event: WholeEvent
  readonly account: AccountWithTeam
  readonly deliveries: readonly SeenDelivery[]
}

export function OneEvent({ event, account, deliveries }: OneEventProps) {
  return (
    <>
      <section class="card" aria-label="Facts">
        <FactList
          of={{
            Team: <TeamOf account={account} />,
            Resource: <Id id={event.resourceId} to={resourcePath(event)} />,
            Sequence: event.sequence,
            'When (UTC)': <At instant={event.createdAt} />,
            Request: <code>{event.requestId}</code>,
            Id: <code>{event.id}</code>,
          }}
        />
      </section>
      <section class="stack" aria-labelledby="payload">
        <h2 id="payload">Payload</h2>
        <Verbatim text={formatted(event.body)} />
      </section>
      <section class="stack" aria-labelledby="deliveries">
        <h2 id="deliveries">Deliveries</h2>
        <Table
          title="Deliveries"
          heads={['Delivery', 'To', 'State', 'Attempts']}
          isEmpty={deliveries.length === 0}
          whenEmpty="No endpoint gets this event."
        >
          {deliveries.map((row) => (
            <tr key={row.id}>
              <td class="main">
                <Id id={row.id} to={deliveryPath(row)} />
              </td>
              <td class="says">
                <Recipient row={row} />
              </td>
              <td>
                <DeliveryStateWord row={row} />
              </td>
              <td class="number" data-head="Attempts">
                {row.tries}
              </td>
            </tr>
          ))}
        </Table>
      </section>
    </>
  )
}

/** With line breaks. Endpoints get the same values without them. */
function formatted(body: string): string {
  return shownJson(JSON.parse(body))
}
