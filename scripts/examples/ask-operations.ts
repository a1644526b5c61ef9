// Sends requests by the names of operations, and keeps the first answer of each status as the
// example of its operation.

import { setTimeout as delay } from 'node:timers/promises'
import type { App } from '../../src/http/app.ts'
import { operationsOf } from '../documents/operations.ts'
import type { ApiDocument } from '../documents/service-document.ts'

// biome-ignore lint/suspicious/noExplicitAny: the story looks into answers as a client without types does
export type Body = any

interface AskOptions {
  /** The id in the path. */
  readonly id?: string
  readonly query?: Readonly<Record<string, string>>
  /** Replaces fields of the document's own example of the body. */
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  /** 200 if absent. */
  readonly status?: number
  /**
   * Repeats the request until an answer passes, which a worker brings about soon. The other answers
   * are not kept.
   */
  readonly until?: (body: Body) => boolean
}

export type AskOperation = (operationId: string, options?: AskOptions) => Promise<Body>

/** The answer to each operation, by its name and the status. */
export type Answers = Record<string, Record<string, unknown>>

const JSON_MEDIA = 'application/json'

/** Long, because a message to a domain that was slow on a busy machine waits half a minute. */
const PATIENCE_MS = 120_000
const PAUSE_MS = 20

/** The answers are added to `kept`. */
export function askOperations(
  app: App,
  document: ApiDocument,
  kept: Answers,
  key: string,
): AskOperation {
  const named = new Map(operationsOf(document).map((one) => [one.operation.operationId, one]))
  async function send(operationId: string, options: AskOptions): Promise<Body> {
    const { id = '', query = {}, body, headers = {}, status = 200 } = options
    const found = named.get(operationId)
    if (found === undefined) throw new Error(`the document has no operation ${operationId}`)
    const { method, path, operation } = found
    const media = operation.requestBody?.content[JSON_MEDIA]
    const search = new URLSearchParams(query)
    const answer = await app.inject({
      method: method as 'GET',
      url: `${path.replace('{id}', id)}${search.size === 0 ? '' : `?${search}`}`,
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(media === undefined ? {} : { payload: { ...media.example, ...body } }),
    })
    if (answer.statusCode !== status) {
      throw new Error(`${operationId} is ${answer.statusCode}, not ${status}: ${answer.body}`)
    }
    const isJson = String(answer.headers['content-type']).startsWith(JSON_MEDIA)
    return isJson ? answer.json() : undefined
  }

  return async (operationId, options = {}) => {
    const { status = 200, until = () => true } = options
    const end = performance.now() + PATIENCE_MS
    let body = await send(operationId, options)
    while (!until(body)) {
      if (performance.now() > end) {
        throw new Error(`${operationId} is still ${JSON.stringify(body)}`)
      }
      await delay(PAUSE_MS)
      body = await send(operationId, options)
    }
    if (body !== undefined) kept[operationId] = { [status]: body, ...kept[operationId] }
    return body
  }
}
