// TCP proxies whose ports stay while the server behind them comes and goes, one for each process: so
// a fault of the network can hit one process alone. While a group is shut its proxies refuse
// connections, as a stopped server does.

import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

export interface ServerProxy {
  readonly port: number
  /**
   * Every connection stays open, and nothing passes through it ever again, not even its end. New
   * connections are the same until the proxy is healed.
   */
  swallow(): void
  /** New connections pass again. The swallowed ones stay as they are. */
  heal(): void
  /** Resets every connection. New ones pass. */
  cut(): void
  /** All data arrives this much later. */
  slow(latencyMs: number): void
}

/** Proxies of one server. */
export interface ProxyGroup {
  proxy(): Promise<ServerProxy>
  /** Lets connections through to that port; existing ones stay where they lead. */
  open(target: number): Promise<void>
  /** Ends every connection. */
  shut(): Promise<void>
}

/**
 * The server does not learn that the other end has left a swallowed connection. Some time later its
 * own keep-alive would notice, and it would release the connection's locks.
 */
const SERVER_LETS_GO_MS = 20_000

export function buildProxies(): ProxyGroup {
  const proxies: TcpProxy[] = []
  let target: number | undefined
  return {
    async proxy() {
      const proxy = new TcpProxy(await freePort())
      proxies.push(proxy)
      if (target !== undefined) await proxy.open(target)
      return proxy
    },
    async open(port) {
      target = port
      await Promise.all(proxies.map((proxy) => proxy.open(port)))
    },
    async shut() {
      target = undefined
      await Promise.all(proxies.map((proxy) => proxy.shut()))
    },
  }
}

class TcpProxy implements ServerProxy {
  readonly port: number
  readonly #links = new Set<Link>()
  #server: Server | undefined
  #target = 0
  #isSwallowing = false
  #latencyMs = 0

  constructor(port: number) {
    this.port = port
  }

  async open(target: number): Promise<void> {
    this.#target = target
    if (this.#server !== undefined) return
    const server = createServer({ noDelay: true }, (inside) => {
      const outside = connect({ port: this.#target, host: '127.0.0.1', noDelay: true })
      const link = new Link(inside, outside, () => this.#latencyMs)
      this.#links.add(link)
      link.onEnd = () => this.#links.delete(link)
      if (this.#isSwallowing) link.swallow()
    })
    server.listen(this.port, '127.0.0.1')
    await once(server, 'listening')
    this.#server = server
  }

  async shut(): Promise<void> {
    const server = this.#server
    if (server === undefined) return
    this.#server = undefined
    const closed = once(server, 'close')
    server.close()
    for (const link of this.#links) link.destroy()
    await closed
  }

  swallow(): void {
    this.#isSwallowing = true
    for (const link of this.#links) link.swallow()
  }

  heal(): void {
    this.#isSwallowing = false
  }

  cut(): void {
    for (const link of this.#links) link.reset()
  }

  slow(latencyMs: number): void {
    this.#latencyMs = latencyMs
  }
}

/** One connection, in its two halves. */
class Link {
  readonly #inside: Socket
  readonly #outside: Socket
  readonly #latencyMs: () => number
  #isSwallowed = false
  onEnd: () => void = () => {}

  constructor(inside: Socket, outside: Socket, latencyMs: () => number) {
    this.#inside = inside
    this.#outside = outside
    this.#latencyMs = latencyMs
    this.#carry(inside, outside)
    this.#carry(outside, inside)
  }

  swallow(): void {
    if (this.#isSwallowed) return
    this.#isSwallowed = true
    setTimeout(() => this.#outside.destroy(), SERVER_LETS_GO_MS).unref()
  }

  reset(): void {
    if (this.#isSwallowed) return
    this.#inside.resetAndDestroy()
    this.#outside.resetAndDestroy()
  }

  destroy(): void {
    this.#inside.destroy()
    this.#outside.destroy()
  }

  /** Keeps the order, however the latency changes. */
  #carry(from: Socket, to: Socket): void {
    const acts: (() => void)[] = []
    const later = (act: () => void) => {
      const latencyMs = this.#latencyMs()
      if (latencyMs === 0 && acts.length === 0) return act()
      acts.push(act)
      setTimeout(() => acts.shift()?.(), latencyMs)
    }
    const pass = (chunk: Buffer) => {
      if (this.#isSwallowed || to.destroyed || to.write(chunk)) return
      from.pause()
      to.once('drain', () => from.resume())
    }
    from.on('data', (chunk) => later(() => pass(chunk)))
    from.on('error', () => {}) // `close` reports its end.
    from.on('close', () => {
      later(() => this.#isSwallowed || to.destroySoon())
      if (from.destroyed && to.destroyed) this.onEnd()
    })
  }
}

/**
 * These are below the ports that systems give to connections, and to servers that ask for any port:
 * none is taken by chance before it is used.
 */
const PORTS = { from: 20_000, to: 32_000 }

/**
 * A server that is stopped for a while comes back on its port. So no port is given twice, and the
 * workers of one run have ports of their own.
 */
const given = new Set<number>()
const MOST_WORKERS = 4
const PORTS_EACH = (PORTS.to - PORTS.from) / MOST_WORKERS
const ownTurn = Number(process.env.VITEST_POOL_ID ?? 0) % MOST_WORKERS

export async function freePort(): Promise<number> {
  if (given.size > PORTS_EACH / 2) given.clear()
  for (;;) {
    const port = PORTS.from + randomInt(PORTS_EACH) * MOST_WORKERS + ownTurn
    if (given.has(port)) continue
    const probe = createServer().listen(port, '127.0.0.1')
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    probe.close()
    await once(probe, 'close')
    given.add(port)
    return port
  }
}
