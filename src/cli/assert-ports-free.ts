// A port that another process has is noticed before a database is made, started or migrated. It is
// let go again at once: a load balancer that is refused looks elsewhere, one that connects to a
// process that cannot answer yet waits.

import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from '../config.ts'
import { listenOn } from '../http/listen-on.ts'

export async function assertPortsFree(config: Config, api: boolean): Promise<void> {
  const { host, port, adminPort, workerPort } = config
  const ports = api ? { PORT: port, ADMIN_PORT: adminPort } : { WORKER_PORT: workerPort }
  for (const [setting, port] of Object.entries(ports)) {
    if (port === undefined || port === 0) continue
    const probe = createServer()
    await listenOn(probe, { host, port, setting })
    probe.close()
    await once(probe, 'close')
  }
}
