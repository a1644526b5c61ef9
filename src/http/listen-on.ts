// Starts a server on a port from the settings.

import { once } from 'node:events'
import type { Server } from 'node:net'
import { OperatorError } from '../core/operator-error.ts'

interface ListenTarget {
  readonly host: string
  readonly port: number
  /** The setting with this port. */
  readonly setting: string
}

/** If the port or the host is wrong, the error says so in one line. */
export async function listenOn(server: Server, target: ListenTarget): Promise<void> {
  const { host, port } = target
  await namingFault(target, async () => {
    server.listen({ host, port })
    await once(server, 'listening')
  })
}

/** The same for a server that listens in another way. */
export async function namingFault(
  target: ListenTarget,
  listen: () => Promise<unknown>,
): Promise<void> {
  try {
    await listen()
  } catch (error) {
    const says = faultOf(error as NodeJS.ErrnoException, target)
    throw says === undefined ? error : new OperatorError(says)
  }
}

function faultOf(
  { code }: NodeJS.ErrnoException,
  { host, port, setting }: ListenTarget,
): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return portInUse(port, setting)
    case 'EACCES':
      return `port ${port} is not for this user: set ${setting} to one above 1023`
    case 'EADDRNOTAVAIL':
    case 'EAI_AGAIN':
    case 'ENOTFOUND':
      return `this machine has no address ${host}: set HOST to one that it has, or to 0.0.0.0`
    default:
      return undefined
  }
}

/** The service keeps running if only npm was ended. */
export function portInUse(port: unknown, setting: string): string {
  const advice = `end that, or set ${setting} to another`
  return `port ${port} is in use, perhaps by this service already: ${advice}`
}
