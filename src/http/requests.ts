// Facts about a request that the API server adds to it.

import { isUtf8 } from 'node:buffer'
import type { RequestContext } from '../accounts/acting-account.ts'
import type { Caller } from '../accounts/find-caller.ts'
import { holdsGroupedCardNumber } from '../core/card-number.ts'
import { Refusal, wrongField } from '../core/errors.ts'
import type { RowKey } from '../db/columns.ts'
import { HOLDS_NUMBER } from './refuse-card-data.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Routes that need a key set it before any other code reads the request. */
    caller: Caller | undefined
    /** A worker has made the payment, and has started the deliveries that follow from it. */
    isDoneByWorker: boolean
    /** The service's address from the settings, not from the request. */
    readonly publicAddress: string
  }
}

/** Fits into a header, a log line and a job, also if a caller chose it. */
const REQUEST_ID = /^[\w.:/+=-]{1,128}$/

const MOST_KEY_CHARACTERS = 255

type Headers = Readonly<Record<string, string | string[] | undefined>>

export function requestIdOf(headers: Headers): string | undefined {
  const sent = headers['x-request-id']
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : undefined
}

interface Asked {
  readonly id: string
  readonly headers: Headers
  /** The raw headers: Node joins two lines of one header, which then look like one. */
  readonly raw: { readonly headersDistinct?: NodeJS.Dict<string[]> }
  readonly caller: Caller | undefined
}

export function callerOf(request: Pick<Asked, 'caller'>): Caller {
  if (request.caller === undefined) throw new Refusal('unauthorized')
  return request.caller
}

export function requestContextOf(request: Asked, idempotencyField?: string): RequestContext {
  const { accountId, clockAt } = callerOf(request)
  const idempotencyKey = idempotencyKeyOf(request, idempotencyField)
  return { accountId, clockAt, requestId: request.id, idempotencyKey }
}

/** The id in the path. Ids are shown in lower case, and found in any. */
export function pathId({ params }: { readonly params: { readonly id: string } }): string {
  return params.id.toLowerCase()
}

/** The row that the path names, which must be of the caller's account. */
export function pathKey(request: Parameters<typeof pathId>[0] & Pick<Asked, 'caller'>): RowKey {
  return { accountId: callerOf(request).accountId, id: pathId(request) }
}

export function prefersAsync(headers: Headers): boolean {
  return /(^|[\s,;])respond-async($|[\s,;])/i.test(String(headers.prefer ?? ''))
}

function idempotencyKeyOf(
  { headers, raw }: Pick<Asked, 'headers' | 'raw'>,
  whole: string | undefined,
): string | undefined {
  const field = whole === undefined ? undefined : keyInField(whole)
  const header = headers['idempotency-key']
  if ((raw.headersDistinct?.['idempotency-key'] ?? []).length > 1) {
    throw wrongField('Idempotency-Key', 'must be sent once')
  }
  const sent = typeof header === 'string' ? headerText(header) : undefined
  if (sent === '') {
    // A caller whose key was lost on its way would be charged twice for a repeat.
    throw wrongField('Idempotency-Key', 'must not be empty: leave the header out instead')
  }
  // Counted as those of the field: a letter beyond the first 65,536 is one character.
  if (sent !== undefined && [...sent].length > MOST_KEY_CHARACTERS) {
    throw wrongField('Idempotency-Key', `must be at most ${MOST_KEY_CHARACTERS} characters`)
  }
  if (sent !== undefined && holdsGroupedCardNumber(sent)) {
    throw new Refusal('card_data_not_accepted', { faults: { 'Idempotency-Key': HOLDS_NUMBER } })
  }
  if (sent !== undefined && field !== undefined && sent !== field) {
    throw wrongField('idempotency_id', 'differs from the header Idempotency-Key')
  }
  return sent ?? field
}

/** Node reads each byte of a header as a character; in the field the same key is UTF-8. */
function headerText(header: string): string {
  const bytes = Buffer.from(header, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : header
}

/** Without the spaces around it, which a header loses on its way. */
function keyInField(whole: string): string {
  const key = whole.replace(/^[ \t]+|[ \t]+$/g, '')
  if (key !== '') return key
  throw wrongField('idempotency_id', 'must not be blank')
}
