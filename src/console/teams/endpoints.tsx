// The endpoints of a team, with the facts that operators need.

import type { Webhook } from '../../generated/client.ts'
import type { World } from '../../world.ts'
import { At, Id, StatusWord, Table } from '../parts/shown.tsx'

/** Without the secret. */
export type Endpoint = Pick<
  Webhook,
  'id' | 'targetUrl' | 'events' | 'status' | 'disabledReason' | 'failingSince'
>

const MOST_SHOWN = 100

export function endpointsOf(
  world: World,
  accountIds: readonly string[],
): Promise<readonly Endpoint[]> {
  return world.db.prisma.webhook.findMany({
    where: { accountId: { in: [...accountIds] }, deletedAt: null },
    select: {
      id: true,
      targetUrl: true,
      events: true,
      status: true,
      disabledReason: true,
      failingSince: true,
    },
    orderBy: { createdAt: 'desc' },
    take: MOST_SHOWN,
  })
}

export function Endpoints({ rows }: { rows: readonly Endpoint[] }) {
  return (
    <section class="stack" aria-labelledby="endpoints">
      <h2 id="endpoints">Webhooks</h2>
      <Table
        title="Webhooks"
        heads={['Endpoint', 'Id', 'Status', 'Events', 'Failing since (UTC)']}
        isEmpty={rows.length === 0}
        whenEmpty="This team has no webhook endpoints."
      >
        {rows.map((row) => (
          <tr key={row.id}>
            <td class="wrap">
              <code>{row.targetUrl}</code>
            </td>
            <td>
              <Id id={row.id} />
            </td>
            <td>
              <StatusWord status={row.status} />{' '}
              {row.disabledReason === null ? null : <span class="quiet">{row.disabledReason}</span>}
            </td>
            <td class="wrap">{row.events.join(', ')}</td>
            <td>
              <At instant={row.failingSince} />
            </td>
          </tr>
        ))}
      </Table>
    </section>
  )
}
