// Keeps the requests of the last day for operators: which key sent which request, and its answer.
// They are written together once a second, and nothing waits for it: if the database is away, they
// are dropped.

import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify'
import type { Refusal } from '../core/errors.ts'
import { every } from '../core/every.ts'
import { isId } from '../core/id.ts'
import { cleanText } from '../core/redact.ts'
import { storable } from '../core/text.ts'
import { MINUTE, SECOND } from '../core/time-units.ts'
import { isDoneWithin } from '../core/within.ts'
import { type KeptRequest, recentRequests } from '../operators/recent-requests.ts'
import type { Schema } from '../resource/json-schema.ts'
import type { World } from '../world.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The refusal that answers it. */
    refusal: Pick<Refusal, 'code' | 'message' | 'faults'> | undefined
  }
}

const WRITE_EVERY_MS = SECOND

/** How many requests of each key this process keeps in a minute. Few keys may send more. */
const MOST_OF_KEY = 100

/** An ending process waits at most this long for the last requests. */
const CLOSE_MS = SECOND

/** A process that cannot write keeps no more than these. */
const MOST_KEPT = 2_000

export function keepRequests(app: FastifyInstance, world: World): void {
  const { clock, log, newId } = world
  let kept: KeptRequest[] = []
  let counts = new Map<string, number>()
  let countedSinceMs = 0

  /** Reads that succeed have a share of their own, so that they never crowd out the others. */
  function isOneTooMany(share: string, now: Date): boolean {
    // The clock of the service may be set back.
    if (Math.abs(now.getTime() - countedSinceMs) >= MINUTE) {
      counts = new Map()
      countedSinceMs = now.getTime()
    }
    const count = (counts.get(share) ?? 0) + 1
    counts.set(share, count)
    return count > MOST_OF_KEY || kept.length >= MOST_KEPT
  }

  const writes = every(WRITE_EVERY_MS, async () => {
    const requests = kept
    kept = []
    await recentRequests
      .insert(world.db.query, ...requests)
      .catch((err) => log.debug({ err }, 'requests dropped'))
  })

  app.decorateRequest('refusal', undefined)
  app.addHook('onResponse', async (request, reply) => {
    const { caller, method } = request
    if (caller === undefined) return
    const { accountId, key } = caller
    const { statusCode: status, elapsedTime } = reply
    const now = clock.now()
    const isSuccessfulRead = method === 'GET' && status < 400
    if (isOneTooMany(`${key.id} ${isSuccessfulRead}`, now)) return
    // As in the log: a caller may have put a key or a card number there.
    const requestId = cleanText(request.id)
    const about = { requestId, method, ...targetOf(request), status, ...errorOf(request, status) }
    const ms = Math.round(elapsedTime)
    kept.push({ accountId, id: newId(), keyId: key.id, ...about, ms, at: now })
  })
  app.addHook('onClose', async () => {
    void writes.begin()
    await isDoneWithin(CLOSE_MS, writes.close())
  })
}

/**
 * The name of an unknown field or parameter is the caller's text and may be anything, so the
 * message does without it.
 */
function errorOf(
  { query, refusal, routeOptions }: FastifyRequest,
  status: number,
): Pick<KeptRequest, 'error' | 'message'> {
  // A declined payment is no refusal: its answer is the transaction.
  if (refusal === undefined) return { error: null, message: status === 400 ? 'declined' : null }
  const { code, message, faults = {} } = refusal
  const [field, texts] = Object.entries(faults)[0] ?? []
  if (field === undefined || isKnownField(routeOptions.schema, field)) {
    return { error: code, message: cleanText(storable(message)) }
  }
  const what = Object.hasOwn(query as object, field) ? 'a query parameter' : 'a field'
  return { error: code, message: `${what} ${texts?.[0]}` }
}

const PARTS = ['body', 'querystring', 'params', 'headers'] as const

/** A fault of a whole part has the name of the part. */
function isKnownField(schema: FastifySchema | undefined, field: string): boolean {
  const [name = ''] = field.split('.')
  return PARTS.some(
    (part) =>
      part === field ||
      Object.hasOwn((schema?.[part] as Schema | undefined)?.properties ?? {}, name),
  )
}

/** A caller's text in the place of an id is not kept, because it could be a card number. */
function targetOf(request: FastifyRequest): Pick<KeptRequest, 'path' | 'subjectId'> {
  const { routeOptions, url } = request
  const path = url.split('?', 1)[0] ?? ''
  const route = routeOptions.url
  if (route === undefined) return { path: 'unknown', subjectId: null }
  const params = request.params as Readonly<Record<string, string>>
  const subjectId = isId(params.id ?? '') ? (params.id ?? null) : null
  return { path: Object.values(params).every((value) => isId(value)) ? path : route, subjectId }
}
