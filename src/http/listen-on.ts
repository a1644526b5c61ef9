// A server on a port that the settings name.

import { once } from 'node:events'
import type { Server } from 'node:net'
import { OperatorError } from '../accounts/operator-error.ts'

interface Place {
  readonly host: string
  readonly port: number
  /** The setting that names the port. */
  readonly setting: string
}

/** Where another process has the port, it throws a line that says so. */
export async function listenOn(server: Server, { host, port, setting }: Place): Promise<void> {
  try {
    server.listen({ host, port })
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new OperatorError(`port ${port} is in use: set ${setting} to another`)
  }
}
