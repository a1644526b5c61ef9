// `lamplighter sessions …`: who is signed in to the console, and sending them away.

import { OperatorError } from '../accounts/operator-error.ts'
import { endAllSessions, endSessionById, listSessions } from '../operators/manage-sessions.ts'
import { openHouse } from './open-house.ts'
import { type Output, print, printOne } from './output.ts'

export async function list(options: Output): Promise<void> {
  const house = await openHouse({ role: 'guest' })
  try {
    print(await listSessions(house.world), options)
  } finally {
    await house.close()
  }
}

export async function end(
  id: string | undefined,
  options: Output & { readonly all?: boolean },
): Promise<void> {
  if ((id === undefined) !== (options.all === true)) {
    throw new OperatorError('name one session by its id, or end --all')
  }
  const house = await openHouse({ role: 'guest' })
  try {
    if (id === undefined) {
      printOne({ ended: await endAllSessions(house.world) }, options)
      return
    }
    await endSessionById(house.world, id)
    printOne({ id, state: 'ended' }, options)
  } finally {
    await house.close()
  }
}
