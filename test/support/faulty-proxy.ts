// A proxy between a client and a service: it disturbs the first requests of each charge, which the
// client must survive. Everything else passes.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FaultyProxy extends AsyncDisposable {
  readonly url: string
  /** The idempotency keys of the charges that came, in their order. */
  readonly keys: readonly string[]
}

type Fault = (request: IncomingMessage, response: ServerResponse, body: Buffer) => Promise<void>

export async function openFaultyProxy(target: string): Promise<FaultyProxy> {
  const keys: string[] = []

  const pass: Fault = async (request, response, body) => {
    const answer = await forward(request, body)
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    response.end(await answer.text())
  }
  const faults: readonly Fault[] = [
    // The charge is made, and its answer is lost.
    async (request, response, body) => {
      await forward(request, body)
      response.destroy()
    },
    async (_request, response) => void response.writeHead(503).end(),
    async (_request, response) => void response.writeHead(429, { 'retry-after': '1' }).end(),
  ]

  async function forward({ method = '', url, headers }: IncomingMessage, body: Buffer) {
    const { host: _, connection: __, 'content-length': ___, ...kept } = headers
    const own = kept as Record<string, string>
    const payload = body.length === 0 ? {} : { body: body.toString() }
    return fetch(`${target}${url}`, { method, headers: own, ...payload })
  }

  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    if (request.url !== '/charge') return pass(request, response, body)
    const key = String(request.headers['idempotency-key'])
    const earlier = keys.filter((one) => one === key).length
    keys.push(key)
    return (faults[earlier] ?? pass)(request, response, body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
