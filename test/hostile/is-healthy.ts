// Asks /healthz over a new connection, as an orchestrator does.

import { get } from 'node:http'

/** An answer that takes longer is none; an orchestrator would restart the service. */
const MOST_MS = 20_000

export function isHealthy(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(`${address}/healthz`, { agent: false, timeout: MOST_MS }, (answer) => {
      answer.resume().on('close', () => resolve(answer.statusCode === 200))
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(false))
  })
}
