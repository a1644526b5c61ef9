// Calls the API of Checkout.com: each call sends one request, and ends when its caller's time is
// up. Failures that say nothing about the request are thrown, in words without a secret or a token.

import { NamedError } from '../../../core/named-error.ts'

export interface CheckoutTarget {
  readonly secretKey: string
  readonly apiUrl: string
}

export interface CheckoutRequest {
  readonly method: 'DELETE' | 'GET' | 'POST'
  readonly path: string
  readonly body?: object | undefined
  /** The key under which Checkout.com executes the request once. */
  readonly idempotencyKey?: string | undefined
}

/** An answer in the words of Checkout.com: its status is below 500. */
export interface CheckoutReply {
  readonly status: number
  /** Empty if the answer has no body. */
  readonly body: unknown
  /** The log of Checkout.com shows the request by this id. */
  readonly requestId: string
}

export type AskCheckout = (request: CheckoutRequest, signal: AbortSignal) => Promise<CheckoutReply>

const SERVER_ERRORS = 500

/** A page of a list is a tenth of it. */
const MOST_ANSWER_BYTES = 8 * 1024 * 1024

export function checkoutClient({ apiUrl, secretKey }: CheckoutTarget): AskCheckout {
  const authorization = `Bearer ${secretKey}`
  return async ({ body, idempotencyKey, method, path }, signal) => {
    const { response, text } = await answerTo(`${apiUrl}${path}`, {
      method,
      signal,
      redirect: 'error',
      headers: {
        authorization,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'cko-idempotency-key': idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const requestId = response.headers.get('cko-request-id') ?? 'unknown'
    const { status } = response
    if (status >= SERVER_ERRORS) throw silence(`answered ${status}, request ${requestId}`)
    return { status, body: parsed(text, status, requestId), requestId }
  }
}

/** The errors of fetch can name the address, which may contain a token. */
async function answerTo(url: string, init: RequestInit) {
  try {
    const response = await fetch(url, init)
    return { response, text: await textOf(response) }
  } catch (error) {
    throw silence(`did not answer (${codeOf(error)})`)
  }
}

async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > MOST_ANSWER_BYTES) throw new AnswerTooLong('more than any list has')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

class AnswerTooLong extends NamedError {}

function codeOf(error: unknown): string {
  const { cause, name } = error instanceof Error ? error : { cause: undefined, name: 'unknown' }
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? code : name
}

/** A refusal may have no body, or one of a proxy. An acceptance is believed only if it is whole. */
function parsed(text: string, status: number, requestId: string): unknown {
  if (text === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    throw silence(`answered ${status} in other words, request ${requestId}`)
  }
}

function silence(words: string): Error {
  return new Error(`Checkout.com ${words}`)
}
