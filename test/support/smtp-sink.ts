// A mail server of the test's own, on a free port: it takes messages, and fails on request.
//
//   await using sink = await openSmtpSink()
//   sink.faults.recipient = { code: 450, text: '4.2.0 greylisted' }
//   …
//   const [mail] = await sink.waitFor(1)

import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import { ownCertificate } from './certificate.ts'
import {
  optionsOf,
  type ReceivedMail,
  type SinkState,
  type SmtpFaults,
  type SmtpSinkOptions,
} from './smtp-answers.ts'

export interface SmtpSink extends AsyncDisposable {
  readonly url: string
  readonly port: number
  /** The server's certificate, in PEM. */
  readonly certificate: string
  /** Can be set at any time. */
  readonly faults: SmtpFaults
  /** In the order in which they came. */
  readonly received: readonly ReceivedMail[]
  /** The number of connections so far. */
  readonly connections: number
  /** Recipients in the order of the commands, whether accepted or not. */
  readonly askedFor: readonly string[]
  /** All messages, once this many are there. */
  waitFor(count: number, timeoutMs?: number): Promise<readonly ReceivedMail[]>
  /** Hangs up, after which nothing listens. */
  stop(): Promise<void>
  /** Listens again at the same port. */
  start(): Promise<void>
  close(): Promise<void>
}

const CREDENTIALS = ownCertificate()

export async function openSmtpSink(options: SmtpSinkOptions = {}): Promise<SmtpSink> {
  const state: SinkState = {
    faults: {},
    received: [],
    askedFor: [],
    waiting: new Set(),
    connections: 0,
    server: new SMTPServer({ secure: false, ...CREDENTIALS }),
  }
  let port = 0

  async function start(): Promise<void> {
    state.server = new SMTPServer(optionsOf(state, options, CREDENTIALS))
    // Many tests are about clients that hang up.
    state.server.on('error', () => {})
    const listener = state.server.listen(port, '127.0.0.1')
    await once(listener, 'listening')
    const address = listener.address()
    if (address === null || typeof address === 'string') throw new Error('the sink has no port')
    port = address.port
  }

  async function stop(): Promise<void> {
    const isClosed = new Promise<void>((resolve) => state.server.close(() => resolve()))
    for (const connection of state.server.connections) connection._socket.destroy()
    await isClosed
  }

  await start()
  const { auth, tls } = options
  const user = auth === undefined ? '' : `${auth.user}:${encodeURIComponent(auth.password)}@`
  const scheme = tls === 'implicit' ? 'smtps' : 'smtp'
  return {
    url: `${scheme}://${user}127.0.0.1:${port}`,
    port,
    certificate: CREDENTIALS.cert,
    faults: state.faults,
    received: state.received,
    askedFor: state.askedFor,
    get connections() {
      return state.connections
    },
    waitFor: (count, timeoutMs = 15_000) => waitFor(state, count, timeoutMs),
    stop,
    start,
    close: stop,
    [Symbol.asyncDispose]: stop,
  }
}

function waitFor(
  { received, waiting }: SinkState,
  count: number,
  timeoutMs: number,
): Promise<readonly ReceivedMail[]> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      waiting.delete(look)
      reject(new Error(`${received.length} of ${count} messages came in time`))
    }, timeoutMs)
    function look(): void {
      if (received.length < count) return
      clearTimeout(timer)
      waiting.delete(look)
      resolve(received)
    }
    waiting.add(look)
    look()
  })
}
