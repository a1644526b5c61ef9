// Starts a server on a port from the settings.

import { once } from 'node:events'
import type { Server } from 'node:net'
import { OperatorError } from '../accounts/operator-error.ts'

interface Place {
  readonly host: string
  readonly port: number
  /** The setting with this port. */
  readonly setting: string
}

/** If another process uses the port, the error says so in one line. */
export async function listenOn(server: Server, { host, port, setting }: Place): Promise<void> {
  try {
    server.listen({ host, port })
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new OperatorError(portInUse(port, setting))
  }
}

/** Whoever ended npm alone has left the service running. */
export function portInUse(port: unknown, setting: string): string {
  const advice = `end that, or set ${setting} to another`
  return `port ${port} is in use, perhaps by this service already: ${advice}`
}
