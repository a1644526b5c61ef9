// Checks whether there is time for a request with a key, before anything else about it. A refused
// request costs almost nothing, has stored nothing, and may be repeated. Probes, metrics, the
// console and payers' pages need no key and are never refused here.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Admission, AdmissionSlot, RequestKind } from '../core/admission.ts'
import { Refusal } from '../core/errors.ts'
import { connectionAccepted } from '../core/next-turn.ts'
import { SECOND } from '../core/time-units.ts'
import type { World } from '../world.ts'
import { refuse } from './answer-errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Held until the answer. Absent if no key is needed. */
    place: AdmissionSlot | undefined
    /**
     * It was refused here. Such requests come by the thousand, so they get no line each in the log.
     */
    isTurnedAway: boolean
  }
}

/** Much shorter than the longest wait of a request for its turn. */
const LOOK_EVERY_MS = 100

/** Created once, since it is sent by the thousand under overload. */
const OVERLOADED = new Refusal('overloaded')

/** The interval of the log line with the number of refusals. */
const LOG_EVERY_MS = 10 * SECOND

/** Requests whose body has not arrived: if their client goes away, no other event reports it. */
const UNREAD = new WeakSet<FastifyRequest>()

/** The admissions whose queue is being checked. */
const LOOKING = new WeakSet<Admission>()

export function admitRequests(app: FastifyInstance, { admission, log }: World): void {
  app.decorateRequest('place', undefined)
  app.decorateRequest('isTurnedAway', false)
  app.server.on('connection', connectionAccepted)
  // From here on the request is answered, whether or not its client is still there.
  app.addHook('preHandler', async (request) => void UNREAD.delete(request))
  app.addHook('onSend', async ({ place }) => place?.leave())
  const logging = setInterval(() => {
    const refused = admission.takeRefused()
    if (refused > 0) log.warn({ refused }, 'requests were refused: the service is overloaded')
  }, LOG_EVERY_MS).unref()
  app.addHook('onClose', async () => clearInterval(logging))
}

/** Refuses those that have queued too long, while any are queued. */
function refuseLate(admission: Admission): void {
  if (admission.counts.queued === 0 || LOOKING.has(admission)) return
  LOOKING.add(admission)
  const looking = setInterval(() => {
    admission.refuseLate()
    if (admission.counts.queued > 0) return
    clearInterval(looking)
    LOOKING.delete(admission)
  }, LOOK_EVERY_MS)
  looking.unref()
}

/**
 * False if the request is already answered. `name` is the hash of its key, valid or not, as text;
 * empty if it has nothing in the form of a key.
 */
export async function admitRequest(
  { admission, metrics }: World,
  reply: FastifyReply,
  name: string,
  kind: RequestKind,
): Promise<boolean> {
  const { request } = reply
  const entering = admission.enter(name, kind)
  refuseLate(admission)
  const admitted = await entering
  if (admitted.kind === 'refused') {
    metrics.refusedRequests.inc({ reason: admitted.for })
    reply.header('retry-after', admitted.retryAfterS)
    request.isTurnedAway = true
    refuse(reply, OVERLOADED)
    return false
  }
  const { place } = admitted
  request.place = place
  UNREAD.add(request)
  const leaveUnread = () => UNREAD.has(request) && place.leave()
  if (reply.raw.destroyed) leaveUnread()
  else reply.raw.once('close', leaveUnread)
  return true
}
