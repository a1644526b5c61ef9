// A small load balancer: it calls the API servers in turn over connections that it keeps, and
// leaves one out while it says that it is not ready, or that it closes. A failed request is not
// tried elsewhere: only the caller may repeat a payment.

import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

export interface Balancer extends AsyncDisposable {
  post(
    path: string,
    body: object,
    headers: Readonly<Record<string, string>>,
  ): Promise<BalancedAnswer>
  /** How often each was left out after it had been in, and its number of answers. */
  readonly servers: readonly BalancedServer[]
  /** Resolves when that one gets requests. */
  isIn(address: string): Promise<void>
}

interface BalancedAnswer {
  readonly status: number
  readonly text: string
}

interface BalancedServer {
  readonly address: string
  readonly isIn: boolean
  /** How often it announced that it must be left out. */
  readonly partings: number
  readonly answers: number
}

interface Server extends BalancedServer {
  isIn: boolean
  partings: number
  answers: number
  readonly agent: Agent
}

/** Every quarter of a second is often for a load balancer; here a second is long. */
const LOOK_MS = 100

const PATIENCE_MS = 15_000

/** A gap that is longer is one that callers would notice. */
const MISSED_LOOKS_MS = 1_000

export function openBalancer(addresses: readonly string[]): Balancer {
  const servers: Server[] = addresses.map((address) => {
    const agent = new Agent({ keepAlive: true })
    return { address, agent, isIn: false, partings: 0, answers: 0 }
  })
  const over = new AbortController()
  let turn = 0

  function next(): Server | undefined {
    for (let i = 0; i < servers.length; i += 1) {
      turn = (turn + 1) % servers.length
      const server = servers[turn]
      if (server?.isIn) return server
    }
    return undefined
  }

  /** On a busy machine the only one left may miss a look; a request waits until it is in again. */
  async function nextSoon(): Promise<Server> {
    for (let waitedMs = 0; waitedMs < MISSED_LOOKS_MS; waitedMs += LOOK_MS) {
      const server = next()
      if (server !== undefined) return server
      await delay(LOOK_MS)
    }
    throw new Error('no API server was ready in time')
  }

  const looking = servers.map((server) => keepLooking(server, over.signal))
  return {
    servers,
    async post(path, body, headers) {
      const server = await nextSoon()
      const answer = await ask(server.agent, 'POST', server.address + path, headers, body)
      server.answers += 1
      if (answer.isLast) leaveOut(server)
      return answer
    },
    async isIn(address) {
      const server = servers.find((one) => one.address === address)
      while (server?.isIn !== true) await delay(LOOK_MS / 2)
    },
    async [Symbol.asyncDispose]() {
      over.abort()
      await Promise.all(looking)
      for (const { agent } of servers) agent.destroy()
    },
  }
}

async function keepLooking(server: Server, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    const { partings } = server
    const answer = await ask(undefined, 'GET', `${server.address}/readyz`).catch(() => undefined)
    // One that closed meanwhile may have answered "ready" a moment before.
    if (answer?.status === 200) server.isIn = server.partings === partings
    else if (answer !== undefined) leaveOut(server)
    else server.isIn = false
    await delay(LOOK_MS, undefined, { signal: over }).catch(() => {})
  }
}

function leaveOut(server: Server): void {
  if (server.isIn) server.partings += 1
  server.isIn = false
}

interface Said extends BalancedAnswer {
  readonly isLast: boolean
}

function ask(
  agent: Agent | undefined,
  method: string,
  url: string,
  headers: Readonly<Record<string, string>> = {},
  body?: object,
): Promise<Said> {
  const text = body === undefined ? '' : JSON.stringify(body)
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const options = {
    method,
    agent: agent ?? false,
    timeout: PATIENCE_MS,
    headers: { ...headers, ...type, 'content-length': Buffer.byteLength(text) },
  }
  return new Promise((resolve, reject) => {
    const asked = request(url, options as object, (response) => {
      wholeOf(response).then((said) => {
        const isLast = agent !== undefined && response.headers.connection === 'close'
        resolve({ status: response.statusCode ?? 0, text: said, isLast })
      }, reject)
    })
    asked.on('timeout', () => asked.destroy(new Error('no answer in time')))
    asked.on('error', reject)
    asked.end(text)
  })
}

async function wholeOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
