// `lamplighter sessions …` and `lamplighter sign-in-link` manage access to the console.

import { OperatorError } from '../accounts/operator-error.ts'
import { endAllSessions, endSessionById, listSessions } from '../operators/manage-sessions.ts'
import { makeSignInLink } from '../operators/sign-in-link.ts'
import { withWorld } from './open-service.ts'
import { type Output, print, printOne } from './output.ts'

export function listSessionsCommand(options: Output): Promise<void> {
  return withWorld(async (world) => print(await listSessions(world), options))
}

export async function endSessionsCommand(
  id: string | undefined,
  options: Output & { readonly all?: boolean },
): Promise<void> {
  if ((id === undefined) !== (options.all === true)) {
    throw new OperatorError('name one session by its id, or use --all')
  }
  await withWorld(async (world) => {
    if (id === undefined) return printOne({ ended: await endAllSessions(world) }, options)
    await endSessionById(world, id)
    printOne({ id, state: 'ended' }, options)
  })
}

export function signInLinkCommand({ json }: Output): Promise<void> {
  return withWorld(async (world) => {
    const link = await makeSignInLink(world, 'command line')
    // On a line of its own, so that a terminal can open it and a script can read it.
    if (json === true) printOne(link, { json })
    else process.stdout.write(`${link.url}\n`)
  })
}
