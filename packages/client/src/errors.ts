// `instanceof` tells the errors apart; `code` of an ApiError is stable, its message is not.

import type { Transaction } from './api.ts'

/** Every error that this package throws, except for mistakes in the call itself (TypeError). */
export class LamplighterError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}

/** No whole answer arrived, after all attempts; `cause` is the last failure. */
export class ConnectionError extends LamplighterError {}

/** A webhook whose signature or timestamp is wrong. */
export class SignatureError extends LamplighterError {}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** Parsed JSON, or text where the answer is not JSON. */
  readonly body: unknown
}

/** The API refused the request. */
export class ApiError extends LamplighterError {
  declare readonly status: number
  /** From the catalogue of errors; `unexpected_answer` where the answer is not the API's. */
  declare readonly code: string
  declare readonly requestId: string | undefined
  /** The faults of each field. */
  declare readonly errors: Readonly<Record<string, readonly string[]>>
  declare readonly body: unknown

  constructor(answer: Answer, code: string, message: string) {
    super(message)
    this.status = answer.status
    this.code = code
    this.body = answer.body
    this.requestId = answer.headers.get('x-request-id') ?? undefined
    this.errors = (fieldOf(answer.body, 'errors') ?? {}) as ApiError['errors']
  }
}

/** More requests than the key may send, still after all attempts. */
export class RateLimitError extends ApiError {
  /** Seconds. */
  declare readonly retryAfter: number

  constructor(answer: Answer, message: string, retryAfter: number) {
    super(answer, 'rate_limited', message)
    this.retryAfter = retryAfter
  }
}

/** The gateway declined the payment, or its void, refund or capture. */
export class DeclinedError extends ApiError {
  /** The FAILED transaction; of a void, refund or capture the parent with its FAILED child. */
  declare readonly transaction: Transaction

  constructor(answer: Answer, transaction: Transaction) {
    super(answer, 'declined', reasonOf(transaction))
    this.transaction = transaction
  }
}

export function errorOf(answer: Answer): ApiError {
  const { status, headers, body } = answer
  const code = fieldOf(body, 'error')
  if (typeof code !== 'string') {
    const isTransaction = fieldOf(body, 'id') !== undefined && fieldOf(body, 'total') !== undefined
    if (status === 400 && isTransaction) return new DeclinedError(answer, body as Transaction)
    const type = headers.get('content-type') ?? 'nothing'
    return new ApiError(answer, 'unexpected_answer', `The server answered ${status} with ${type}.`)
  }
  const message = String(fieldOf(body, 'message') ?? code)
  if (code === 'rate_limited')
    return new RateLimitError(answer, message, retryAfterOf(headers) ?? 0)
  return new ApiError(answer, code, message)
}

/** Seconds, from a number or a date. */
export function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after')
  if (text === null) return undefined
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

function reasonOf({ message, child_captures, child_transactions }: Transaction): string {
  const children = [...child_captures, ...child_transactions]
  const failed = children.filter(({ status }) => status === 'FAILED').at(-1)
  return failed?.message ?? message ?? 'The payment was declined.'
}

function fieldOf(body: unknown, name: string): unknown {
  if (typeof body !== 'object' || body === null) return undefined
  return (body as Record<string, unknown>)[name]
}
