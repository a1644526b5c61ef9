// The endpoints of a team, with links to their pages.

import type { World } from '../../world.ts'
import { TeamFailures } from '../deliveries/list.tsx'
import {
  EndpointLink,
  EndpointStateWord,
  EventNames,
  NEW_ENDPOINT_PATH,
} from '../endpoints/list.tsx'
import { type Column, TablePart } from '../parts/row-table.tsx'
import { pathWith } from '../query.ts'

const MOST_SHOWN = 100

export type TeamEndpoint = Awaited<ReturnType<typeof endpointsOf>>[number]

/** Without their secrets. */
export function endpointsOf(world: World, accountIds: readonly string[]) {
  return world.db.prisma.webhook.findMany({
    where: { accountId: { in: [...accountIds] }, deletedAt: null },
    select: {
      accountId: true,
      id: true,
      targetUrl: true,
      events: true,
      status: true,
      pausedAt: true,
      disabledReason: true,
      failingSince: true,
      deletedAt: true,
    },
    orderBy: { createdAt: 'desc' },
    take: MOST_SHOWN,
  })
}

export function Endpoints({ teamId, rows }: { teamId: string; rows: readonly TeamEndpoint[] }) {
  return (
    <TablePart
      id="endpoints"
      title="Webhooks"
      columns={COLUMNS}
      rows={rows}
      whenEmpty="This team has no webhook endpoints."
    >
      <p class="ways">
        <a href={pathWith(NEW_ENDPOINT_PATH, {}, { team: teamId })}>Add an endpoint</a>
        <TeamFailures teamId={teamId} />
      </p>
    </TablePart>
  )
}

const COLUMNS: readonly Column<TeamEndpoint>[] = [
  { head: 'Endpoint', class: 'says', isMain: true, cell: (row) => <EndpointLink endpoint={row} /> },
  { head: 'State', class: 'wrap', cell: (row) => <EndpointStateWord row={row} /> },
  { head: 'Events', class: 'wrap', cell: (row) => <EventNames events={row.events} /> },
]
