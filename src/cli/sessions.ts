// `lamplighter sessions …` and `lamplighter sign-in-link` manage access to the console.

import { OperatorError } from '../core/operator-error.ts'
import { BY_COMMAND } from '../operators/audit-entries.ts'
import {
  endAllSessions,
  endSessionById,
  type ListedSession,
  listSessions,
} from '../operators/manage-sessions.ts'
import { makeSignInLink } from '../operators/sign-in-link.ts'
import { type ListOutput, type Output, printLink, printOne, printRows } from './output.ts'
import type { TableColumn } from './table.ts'
import { withQueries } from './with-queries.ts'

const COLUMNS: readonly TableColumn<ListedSession>[] = [
  { heading: 'ID', read: ({ id }) => id },
  { heading: 'OPERATOR', read: ({ name }) => name, isCut: true },
  { heading: 'ADDRESS', read: ({ address }) => address },
  { heading: 'CREATED', read: ({ createdAt }) => createdAt },
  { heading: 'EXPIRES', read: ({ expiresAt }) => expiresAt },
  { heading: 'OWN PASSWORD', read: ({ hasOwnPassword }) => hasOwnPassword },
]

const MAY_HAVE_ENDED =
  'If it has no own password, a session of before a change of ADMIN_PASSWORD lets nobody in, but is listed until it expires; lamplighter sessions end removes it.\n'

export function listSessionsCommand(options: ListOutput): Promise<void> {
  return withQueries(async (world) => {
    const sessions = await listSessions(world)
    printRows(sessions, COLUMNS, options)
    const mayHaveEnded = sessions.some(({ hasOwnPassword }) => !hasOwnPassword)
    if (mayHaveEnded && options.json !== true) process.stdout.write(MAY_HAVE_ENDED)
  })
}

export async function endSessionsCommand(
  id: string | undefined,
  options: Output & { readonly all?: boolean },
): Promise<void> {
  if ((id === undefined) !== (options.all === true)) {
    throw new OperatorError('name one session by its id, or use --all')
  }
  await withQueries(async (world) => {
    if (id === undefined) return printOne({ ended: await endAllSessions(world) }, options)
    await endSessionById(world, id)
    printOne({ id, state: 'ended' }, options)
  })
}

export function signInLinkCommand(options: Output): Promise<void> {
  return withQueries(async (world) =>
    printLink(world, await makeSignInLink(world, BY_COMMAND), options),
  )
}
