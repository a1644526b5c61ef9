// A merchant's endpoint in this process: its behaviour is set by the test, and it keeps the
// requests.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { soon } from './soon.ts'

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The exact bytes. */
  readonly body: string
  readonly atMs: number
}

export type Behaviour =
  | {
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
      readonly delayMs?: number
    }
  /** It takes the request and never answers. */
  | 'hang'
  /** It says that it will answer, without end. */
  | 'early hints'
  /** It takes the request and closes the connection. */
  | 'cut'
  /** It answers 200 and begins a body that never ends. */
  | 'slow body'
  /** It answers 200 and sends unwanted data until the connection ends. */
  | 'huge body'

export interface Receiver extends AsyncDisposable {
  readonly port: number
  /** The address of its hook: `http://127.0.0.1:<port>/hook`. */
  readonly url: string
  /** All requests, the oldest first, whatever the answers. */
  readonly received: readonly Received[]
  /** The number of connections so far. */
  readonly connections: number
  /** Sets the behaviour from now on. */
  behave(behaviour: Behaviour | ((received: Received) => Behaviour)): void
  /** Resolves as soon as this many matching requests came. */
  until(count: number, passes?: (received: Received) => boolean): Promise<readonly Received[]>
  close(): Promise<void>
}

export interface ReceiverOptions {
  /** For https. */
  readonly tls?: { readonly key: string; readonly cert: string }
  /** 127.0.0.1 by default. */
  readonly host?: string
  /** Any free one by default. */
  readonly port?: number
}

const MUCH = Buffer.alloc(64 * 1024, 'x')

const HINTS = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(1_000)

function sendWithoutEnd(socket: Socket, text: string): void {
  const more = () => void socket.write(text)
  socket.on('drain', more).on('error', () => {})
  more()
}

export async function openReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const { tls, host = '127.0.0.1' } = options
  const received: Received[] = []
  let behaviour: Parameters<Receiver['behave']>[0] = { status: 200 }
  let connections = 0
  const listener: RequestListener = async (request, answer) => {
    const one = await read(request).catch(() => undefined)
    // The client may have gone meanwhile.
    if (one === undefined) return
    received.push(one)
    const reaction = typeof behaviour === 'function' ? behaviour(one) : behaviour
    if (reaction === 'hang') return
    if (reaction === 'early hints') return void sendWithoutEnd(request.socket, HINTS)
    if (reaction === 'cut') return void request.socket.destroy()
    if (reaction === 'slow body') return void answer.writeHead(200).write('so far')
    if (reaction === 'huge body') {
      const more = () => void answer.write(MUCH)
      answer.writeHead(200).on('drain', more)
      return more()
    }
    const respond = () =>
      answer.writeHead(reaction.status, reaction.headers).end(reaction.body ?? '')
    if (reaction.delayMs === undefined) respond()
    else setTimeout(respond, reaction.delayMs)
  }
  const server: Server =
    tls === undefined ? createServer(listener) : createSecureServer(tls, listener)
  server.on('connection', () => {
    connections += 1
  })
  server.listen(options.port ?? 0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  async function close(): Promise<void> {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }

  return {
    port,
    url: `${tls === undefined ? 'http' : 'https'}://${host}:${port}/hook`,
    received,
    get connections() {
      return connections
    },
    behave(next) {
      behaviour = next
    },
    until: (count, passes = () => true) =>
      soon(() => {
        const found = received.filter(passes)
        if (found.length < count) throw new Error(`${found.length} of ${count} came`)
        return found
      }),
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function read(request: IncomingMessage): Promise<Received> {
  const atMs = performance.now()
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks).toString(),
    atMs,
  }
}
