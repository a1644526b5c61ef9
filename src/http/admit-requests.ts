// Whether there is time for a request with a key, asked before anything else about it: a request
// that is refused costs next to nothing, has stored nothing, and may come again. Probes, metrics,
// the console and the pages of payers are asked for without a key: they are never refused for this.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hashOf, isKeyForm } from '../accounts/key.ts'
import type { AdmissionSlot, RequestKind } from '../core/admission.ts'
import { Refusal } from '../core/errors.ts'
import { connectionAccepted } from '../core/next-turn.ts'
import { SECOND } from '../core/time-units.ts'
import type { World } from '../world.ts'
import { refuse } from './answer-errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Held until the answer; absent where no key is asked for. */
    place: AdmissionSlot | undefined
    /** It was refused at the door: such come by the thousand, and have no line each in the log. */
    isTurnedAway: boolean
  }
}

/** Much less than a request may wait for its turn. */
const LOOK_EVERY_MS = 100

/** Made once, since it is sent by the thousand while there is no time. */
const OVERLOADED = new Refusal('overloaded')

/** Of the line that says how many were refused. */
const TELL_EVERY_MS = 10 * SECOND

/** Requests whose body has not arrived: of a client that goes away by then nothing more is heard. */
const UNREAD = new WeakSet<FastifyRequest>()

export function admitRequests(app: FastifyInstance, { admission, log }: World): void {
  app.decorateRequest('place', undefined)
  app.decorateRequest('isTurnedAway', false)
  app.server.on('connection', connectionAccepted)
  // From here on it is answered, whether anybody is there to hear it or not.
  app.addHook('preHandler', async (request) => void UNREAD.delete(request))
  app.addHook('onSend', async ({ place }) => place?.leave())
  const looking = setInterval(() => admission.refuseLate(), LOOK_EVERY_MS).unref()
  const telling = setInterval(() => {
    const refused = admission.takeRefused()
    if (refused > 0) log.warn({ refused }, 'more was asked for than can be answered in time')
  }, TELL_EVERY_MS).unref()
  app.addHook('onClose', async () => {
    clearInterval(looking)
    clearInterval(telling)
  })
}

interface RequestContext {
  /** As it was presented: whether it is valid is not known yet. */
  readonly key: string | undefined
  readonly kind: RequestKind
}

/** False: it is answered already. */
export async function admitRequest(
  { admission, metrics }: World,
  request: FastifyRequest,
  reply: FastifyReply,
  { key, kind }: RequestContext,
): Promise<boolean> {
  const admitted = await admission.enter(key === undefined ? '' : nameOf(key), kind)
  if (admitted.kind === 'refused') {
    metrics.refusedRequests.inc({ reason: admitted.for })
    reply.header('retry-after', admitted.retryAfterS)
    request.isTurnedAway = true
    refuse(reply, request, OVERLOADED)
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

/** What a key is known by once it was found to be valid: its caller has a share of its own. */
export function rememberCaller({ admission }: World, key: string): void {
  admission.remember(nameOf(key))
}

function nameOf(key: string): string {
  return isKeyForm(key) ? hashOf(key).toString('base64') : ''
}
