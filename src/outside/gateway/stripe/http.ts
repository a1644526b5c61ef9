// The connections to Stripe, as its client wants them. Its own clients are not used: one of them
// sends a request twice when the connection breaks, and the other costs three times as much.

import type Stripe from 'stripe'
import type { Pool } from 'undici'
import { SECOND } from '../../../core/time-units.ts'

type HttpClient = NonNullable<Stripe.StripeConfig['httpClient']>

/** At 25 requests a second, as many are open only if Stripe takes five seconds to answer. */
const MOST_CONNECTIONS = 128

const CONNECT_MS = 10 * SECOND

/** A hundred objects, the most that a list has, are a tenth of it. */
const MOST_ANSWER_BYTES = 8 * 1024 * 1024

type Headers = Readonly<Record<string, number | string | string[] | undefined>>

export interface HttpRequest {
  /** Without the query. */
  readonly path: string
  readonly method: string
  /** The same object as the authenticator of the request was given. */
  readonly headers: Headers
}

/** `ready` resolves when a request may be sent, with the signal that ends it. */
export async function stripeHttp(
  ready: (request: HttpRequest) => Promise<AbortSignal>,
): Promise<HttpClient> {
  const { Pool } = await import('undici')
  const options = {
    connections: MOST_CONNECTIONS,
    connect: { timeout: CONNECT_MS },
    maxResponseSize: MOST_ANSWER_BYTES,
  }
  // The client has one address for all its requests.
  let pool: Pool | undefined

  return {
    getClientName: () => 'lamplighter',
    async makeRequest(host, port, path, method, headers, body, protocol) {
      const signal = await ready({ path: path.split('?')[0] ?? path, method, headers })
      pool ??= new Pool(`${protocol}://${host}:${port}`, options)
      const sent = { path, method: methodOf(method), headers: textsOf(headers), body: body || null }
      const response = await pool.request({ ...sent, signal }).catch(unanswered)
      const text = await response.body.text().catch(unanswered)
      return {
        getStatusCode: () => response.statusCode,
        getHeaders: () => textsOf(response.headers),
        getRawResponse: () => response,
        toStream: () => {
          throw new Error('no answer of Stripe is read as a stream')
        },
        toJSON: async () => inItsWords(response.statusCode, JSON.parse(text)),
      }
    },
  }
}

/** Its code is left out, because Stripe's client sends again what was cut off with some codes. */
function unanswered(error: unknown): never {
  throw new Error('Stripe did not answer', { cause: error })
}

/**
 * The client takes any JSON without an error for what it has asked for, whatever the status: also
 * that of a proxy which has no connection to Stripe. Every object of Stripe says what it is, and
 * every error of which type.
 */
function inItsWords(status: number, answer: StripeWords | null): object {
  const kind = status < 300 ? answer?.object : answer?.error?.type
  if (answer === null || typeof kind !== 'string') throw new Error(`a ${status} of another sender`)
  return answer
}

interface StripeWords {
  readonly object?: unknown
  readonly error?: { readonly type?: unknown } | null
}

function methodOf(method: string): 'DELETE' | 'GET' | 'POST' {
  if (method === 'DELETE' || method === 'GET' || method === 'POST') return method
  throw new Error(`no request of ours is a ${method}`)
}

function textsOf(headers: Headers): Record<string, string> {
  const present = Object.entries(headers).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present.map(([name, value]) => [name, String(value)]))
}
