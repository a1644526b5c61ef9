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

/** If another process uses the port, the error says so in one line. */
export async function listenOn(
  server: Server,
  { host, port, setting }: ListenTarget,
): Promise<void> {
  try {
    server.listen({ host, port })
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new OperatorError(portInUse(port, setting))
  }
}

/** The service keeps running if only npm was ended. */
export function portInUse(port: unknown, setting: string): string {
  const advice = `end that, or set ${setting} to another`
  return `port ${port} is in use, perhaps by this service already: ${advice}`
}
