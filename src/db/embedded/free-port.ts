// A port for a server that cannot choose one itself.

import { once } from 'node:events'
import { createServer } from 'node:net'

/** Free at this moment; PostgreSQL does not take 0 for an answer. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
