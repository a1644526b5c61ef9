// One request, sent again until it has an answer. A repeat is safe: it is a GET, a PUT or a DELETE,
// or it has an idempotency key.

import { type Answer, ConnectionError, retryAfterOf } from './errors.ts'

export interface Sending {
  readonly fetch: typeof fetch
  readonly signal: AbortSignal | undefined
  readonly timeoutMs: number
  readonly maxRetries: number
  /** False where a second request could do something twice. */
  readonly isRepeatable: boolean
}

const TOO_MANY = 429

/** The service or a proxy before it cannot answer now. */
const AWAY = [502, 503, 504]

const FIRST_WAIT_S = 0.5
const LONGEST_WAIT_S = 8

/** A window of the rate limit is 60 seconds; a caller that must wait longer gets the error. */
const LONGEST_RETRY_AFTER_S = 65

/** The last answer: what was asked for, or a refusal. */
export async function send(url: string, init: RequestInit, sending: Sending): Promise<Answer> {
  for (let failures = 0; ; failures += 1) {
    const outcome = await attempt(url, init, sending)
    if (!(outcome instanceof Error) && isWanted(outcome)) return outcome
    const waitS = failures < sending.maxRetries ? waitOf(outcome, failures, sending) : undefined
    if (waitS === undefined) {
      if (outcome instanceof Error) throw outcome
      return outcome
    }
    await pause(waitS * 1000, sending.signal)
  }
}

async function attempt(
  url: string,
  init: RequestInit,
  { fetch, signal, timeoutMs }: Sending,
): Promise<Answer | ConnectionError> {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', abort)
  const timer = setTimeout(() => {
    controller.abort(new Error(`no answer within ${timeoutMs} ms`))
  }, timeoutMs)
  try {
    const response = await fetch(url, { ...init, signal: controller.signal })
    return await read(response)
  } catch (error) {
    signal?.throwIfAborted()
    const cause = controller.signal.aborted ? controller.signal.reason : error
    return new ConnectionError(`No answer from ${new URL(url).origin}: ${wordsOf(cause)}`, {
      cause,
    })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

async function read(response: Response): Promise<Answer> {
  const { status, headers } = response
  const text = await response.text()
  const isJson = headers.get('content-type')?.includes('application/json')
  return { status, headers, body: isJson ? JSON.parse(text) : text }
}

/** A page is an answer of something between the client and the service. */
export function isWanted({ status, headers }: Answer): boolean {
  return status < 400 && !headers.get('content-type')?.includes('text/html')
}

/** Seconds until the next attempt; undefined where another one is useless or not safe. */
function waitOf(
  outcome: Answer | ConnectionError,
  failures: number,
  { isRepeatable }: Sending,
): number | undefined {
  const longest = Math.min(FIRST_WAIT_S * 2 ** failures, LONGEST_WAIT_S)
  const waitS = longest * (0.5 + Math.random() / 2)
  if (outcome instanceof Error) return isRepeatable ? waitS : undefined
  const isRefusedUnread = outcome.status === TOO_MANY
  if (!isRefusedUnread && !(isRepeatable && AWAY.includes(outcome.status))) return undefined
  const retryAfterS = retryAfterOf(outcome.headers) ?? 0
  return retryAfterS > LONGEST_RETRY_AFTER_S ? undefined : Math.max(waitS, retryAfterS)
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
}

/** Of fetch's own errors the cause says more. */
function wordsOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}
