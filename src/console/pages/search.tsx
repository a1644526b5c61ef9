// The search of every console page: a printed reference is opened, and any other text is searched
// among the transactions.

import type { FastifyInstance } from 'fastify'
import { findPrinted, type Printed, withoutKey } from '../../operators/find-printed.ts'
import type { World } from '../../world.ts'
import { answerConsole } from '../answer-console.tsx'
import { type Column, RowTable } from '../parts/row-table.tsx'
import { TEAM_COLUMN } from '../parts/rows-of-teams.tsx'
import { Id } from '../parts/shown.tsx'
import {
  DISPUTES_PATH,
  keyPath,
  OBJECT_PATHS,
  REQUESTS_PATH,
  TRANSACTIONS_PATH,
  teamPath,
} from '../paths.ts'
import { pathWith, queryOf } from '../query.ts'

export function searchPages(own: FastifyInstance, world: World): void {
  own.get('/search', async (request, reply) => {
    const { q } = queryOf(request)
    const found = q === undefined ? undefined : await findPrinted(world, q)
    const [one, ...others] = found ?? []
    const shown = q === undefined ? undefined : withoutKey(q)
    if (one === undefined) return reply.redirect(pathWith(TRANSACTIONS_PATH, {}, { q: shown }))
    if (others.length === 0) return reply.redirect(pathOf(one))
    return answerConsole(
      reply,
      { title: `Found by “${shown}”` },
      <RowTable title="Found" columns={COLUMNS} rows={[one, ...others]} />,
    )
  })
}

const COLUMNS: readonly Column<Printed>[] = [
  { head: 'What', cell: ({ kind }) => kind },
  { head: 'Id', isMain: true, cell: (row) => <Id id={row.id} to={pathOf(row)} /> },
  TEAM_COLUMN,
]

/** Its page, or a list of only the rows that belong to it. */
function pathOf(printed: Printed): string {
  const { kind, id, teamId } = printed
  switch (kind) {
    case 'dispute':
      return pathWith(DISPUTES_PATH, {}, { team: teamId })
    case 'request':
      return pathWith(REQUESTS_PATH, {}, { request: id })
    case 'API key':
      return keyPath(teamId, id)
    case 'account':
      return teamPath(teamId)
    default:
      return OBJECT_PATHS[kind](printed)
  }
}
