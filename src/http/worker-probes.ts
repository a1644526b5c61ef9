// The HTTP probes of a worker, if it has a port: whether it works, whether it is ready, and its
// metrics. It serves no API, and three paths need no framework.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JobWorker } from '../queue/engine.ts'
import { checkWorkerReadiness, clockFault } from '../upkeep/check-readiness.ts'
import { METRICS_TYPE, metricsReader } from '../upkeep/collect-metrics.ts'
import { watchLiveness } from '../upkeep/worker-liveness.ts'
import type { World } from '../world.ts'
import { listenOn } from './listen-on.ts'

export interface WorkerProbes {
  readonly port: number
  watch(worker: JobWorker): void
  close(): void
}

interface ProbeAnswer {
  readonly status: number
  readonly type: string
  readonly body: string
}

type Probe = () => Promise<ProbeAnswer>

/** Listens before there are workers: a process that waits for Redis is alive. */
export async function openWorkerProbes(world: World, port: number): Promise<WorkerProbes> {
  const liveness = watchLiveness(world)
  const readMetrics = metricsReader(world)
  let isAtWork = false
  const probes: Readonly<Record<string, Probe>> = {
    '/healthz': async () => {
      const stuck = await liveness.whatIsStuck()
      const reason = clockFault(world)
      // A restart does not fix a clock.
      if (stuck === undefined && reason !== undefined) return json(200, { status: 'ok', reason })
      return healthOf('stuck', stuck)
    },
    '/readyz': async () => {
      const reason = await checkWorkerReadiness(world)
      return healthOf('not ready', isAtWork ? reason : (reason ?? 'it has not begun to work'))
    },
    '/metrics': async () => ({ status: 200, type: METRICS_TYPE, body: await readMetrics() }),
  }
  const server = createServer((request, response) => {
    answer(world, probes, request, response)
  })
  await listenOn(server, { host: world.config.host, port, setting: 'WORKER_PORT' })
  return {
    port: (server.address() as AddressInfo).port,
    watch(worker) {
      isAtWork = true
      liveness.watch(worker)
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function answer(
  { log }: World,
  probes: Readonly<Record<string, Probe>>,
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path = ''] = url.split('?')
  const probe = Object.hasOwn(probes, path) ? probes[path] : undefined
  try {
    if (probe === undefined) send(response, json(404, { error: 'not_found' }))
    else if (method !== 'GET' && method !== 'HEAD') send(response, NOT_ALLOWED)
    else send(response, await probe())
  } catch (err) {
    log.error({ err, path }, 'a probe was not answered')
    send(response, json(500, { error: 'server_error' }))
  }
}

function send(response: ServerResponse, { status, type, body }: ProbeAnswer): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
}

function healthOf(wrong: string, reason: string | undefined): ProbeAnswer {
  return reason === undefined ? json(200, { status: 'ok' }) : json(503, { status: wrong, reason })
}

function json(status: number, body: Readonly<Record<string, string>>): ProbeAnswer {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(body) }
}

const NOT_ALLOWED = json(405, { error: 'method_not_allowed' })
