// The actions on one endpoint. They run the merchant's own actions, and the audit entry of each is
// written right after its commit.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RequestContext } from '../../accounts/acting-account.ts'
import type { AccountWithTeam } from '../../accounts/find-teams.ts'
import { Refusal } from '../../core/errors.ts'
import { parseInstant } from '../../core/instant.ts'
import { SECOND } from '../../core/time-units.ts'
import { deliveriesOfEndpoint, findDelivery } from '../../deliveries/deliveries-anywhere.ts'
import { promptDeliveries } from '../../deliveries/prompt-deliveries.ts'
import { type NewAuditEntry, writeAuditEntry } from '../../operators/audit-entries.ts'
import { formOf, lineOf } from '../../web/forms.ts'
import { answerHtml } from '../../web/html.ts'
import { PageRefusal } from '../../web/page-refusal.ts'
import { changeWebhook, deleteWebhook, rollSecret } from '../../webhooks/change-webhook.ts'
import { RECENT_OF_ONE, type SeenEndpoint } from '../../webhooks/endpoints-anywhere.ts'
import { pauseWebhook, resumeWebhook } from '../../webhooks/pause-webhook.ts'
import { replayEvents } from '../../webhooks/replay-events.ts'
import { testWebhook } from '../../webhooks/test-webhook.ts'
import type { World } from '../../world.ts'
import { actingOf, keyOfForm, operatorContext } from '../account-of.ts'
import { attemptWords, lastTryOf } from '../deliveries/attempts.ts'
import { deliveryPath } from '../deliveries/list.tsx'
import { redirectDone, savedWords, takeDone } from '../done.ts'
import { ConsolePage } from '../layout.tsx'
import { operatorOf } from '../who.ts'
import { OVERLAPS } from './forms.tsx'
import { ENDPOINTS_PATH, endpointPath } from './list.tsx'
import { EndpointSecret, OneEndpoint } from './one.tsx'
import {
  addressFaults,
  type EndpointForm,
  endpointOf,
  type RefusedEndpoint,
  refusalFaults,
  typedEndpoint,
} from './typed.ts'

export interface OfEndpoint {
  readonly endpoint: SeenEndpoint
  readonly account: AccountWithTeam
}

interface Asked extends OfEndpoint {
  readonly world: World
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

export const ENDPOINT_ACTS: Readonly<Record<string, (asked: Asked) => Promise<FastifyReply>>> = {
  set,
  test,
  replay,
  rotate,
  pause: (asked) =>
    afterwards(asked, pauseWebhook, 'paused', 'The endpoint is paused: its deliveries wait.'),
  resume: (asked) => afterwards(asked, resumeWebhook, 'resumed', 'The endpoint is resumed.'),
  enable: (asked) => afterwards(asked, withStatus('active'), 'enabled', 'The endpoint is enabled.'),
  disable: (asked) =>
    afterwards(asked, withStatus('disabled'), 'disabled', 'The endpoint is disabled.'),
  delete: remove,
}

const withStatus =
  (status: 'active' | 'disabled') => (world: World, accountId: string, id: string) =>
    changeWebhook(world, accountId, id, { status })

/** A second sending changes nothing, so it writes no second entry. */
async function afterwards(
  asked: Asked,
  act: (world: World, accountId: string, id: string) => Promise<{ readonly version: number }>,
  done: string,
  words: string,
): Promise<FastifyReply> {
  const { world, request, reply, endpoint } = asked
  refuseWhileAdvancing(asked)
  const { version } = await act(world, endpoint.accountId, endpoint.id)
  if (version !== endpoint.version) await record(asked, { action: `endpoint ${done}` })
  const from = formOf(request).from === 'parked' ? '/admin/parked?kind=endpoint' : undefined
  return redirectDone(world, request, reply, from ?? endpointPath(endpoint), words)
}

async function set(asked: Asked): Promise<FastifyReply> {
  const { world, request, reply, endpoint } = asked
  const form = formOf(request)
  const typed = typedEndpoint(form)
  const version = versionOf(form.version)
  const faults = addressFaults(typed)
  if (Object.keys(faults).length > 0) return refuse(asked, { form: 'set', typed, faults })
  const { targetUrl, events } = endpointOf(typed)
  return tried(asked, 'set', typed, async () => {
    const { accountId, id } = endpoint
    const changed = await changeWebhook(world, accountId, id, { targetUrl, events }, version)
    const isChanged = changed.version !== endpoint.version
    if (isChanged) {
      const [from, to] = [endpoint, changed].map((one) => one.events.join(' '))
      const detail = {
        ...(targetUrl === endpoint.targetUrl
          ? {}
          : { address: `${endpoint.targetUrl} → ${targetUrl}` }),
        ...(from === to ? {} : { events: `${from} → ${to}` }),
      }
      await record(asked, { action: 'endpoint changed', detail })
    }
    return redirectDone(
      world,
      request,
      reply,
      endpointPath(endpoint),
      savedWords(isChanged ? 1 : 0),
    )
  })
}

async function test(asked: Asked): Promise<FastifyReply> {
  const { world, request, reply, endpoint, account } = asked
  const { accountId, id } = endpoint
  return tried(asked, 'test', {}, async () => {
    const context = contextOf(account, request)
    const done = await testWebhook(world, context, id)
    const delivery = { accountId, id: String(JSON.parse(done.body).id) }
    if (!done.isReplayed) {
      await record(asked, { action: 'endpoint tested', detail: { delivery: delivery.id } })
    }
    promptDeliveries(world, accountId)
    const words = await testWords(world, delivery)
    return redirectDone(world, request, reply, deliveryPath(delivery), words)
  })
}

const TRIES = 20
const BETWEEN_MS = 150

/** Most endpoints answer at once, so the operator sees the answer without opening the page again. */
async function testWords(
  world: World,
  { accountId, id }: { readonly accountId: string; readonly id: string },
): Promise<string> {
  for (let n = 0; n < TRIES; n += 1) {
    const delivery = await findDelivery(world, accountId, id)
    const last = delivery && lastTryOf(delivery)
    if (delivery?.status === 'sent') return `The test event was answered ${last?.detail}.`
    if (last !== undefined) return `The test event failed: ${last.detail ?? attemptWords(last)}.`
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS))
  }
  return 'The test event is queued. Open this page again to see its answer.'
}

async function replay(asked: Asked): Promise<FastifyReply> {
  const { world, request, reply, endpoint } = asked
  const form = formOf(request)
  const typed = { since: lineOf(form.since, LONGEST_INSTANT) }
  const since = parseInstant(typed.since)
  if (since === undefined) {
    const faults = { since: 'Enter a date like 2026-03-06, or 2026-03-06 15:00.' }
    return refuse(asked, { form: 'replay', typed, faults })
  }
  return tried(asked, 'replay', typed, async () => {
    await replayEvents(world, endpoint.accountId, endpoint.id, since, versionOf(form.version))
    await record(asked, { action: 'events replayed', detail: { since: since.toISOString() } })
    const words = 'The replay begins within seconds.'
    return redirectDone(world, request, reply, endpointPath(endpoint), words)
  })
}

const LONGEST_INSTANT = 40

async function rotate(asked: Asked): Promise<FastifyReply> {
  const { world, request, reply, endpoint } = asked
  const form = formOf(request)
  const typed = { overlap: lineOf(form.overlap, LONGEST_INSTANT) }
  const overlap = OVERLAPS.find(([seconds]) => seconds === typed.overlap)?.[0]
  if (overlap === undefined) {
    const faults = { overlap: 'Choose when the current secret expires.' }
    return refuse(asked, { form: 'rotate', typed, faults })
  }
  return tried(asked, 'rotate', typed, async () => {
    const { accountId, id } = endpoint
    const overlapMs = Number(overlap) * SECOND
    const version = versionOf(form.version)
    const { secret } = await rollSecret(world, accountId, id, overlapMs, version)
    await record(asked, { action: 'endpoint secret rotated', detail: { overlap_s: overlap } })
    return answerSecret(world, request, reply, endpoint, secret)
  })
}

async function remove(asked: Asked): Promise<FastifyReply> {
  const { world, request, reply, endpoint } = asked
  refuseWhileAdvancing(asked)
  await deleteWebhook(world, endpoint.accountId, endpoint.id)
  await record(asked, { action: 'endpoint deleted', detail: { address: endpoint.targetUrl } })
  return redirectDone(world, request, reply, ENDPOINTS_PATH, 'The endpoint is deleted.')
}

/** Shows the page again if the action is refused. */
async function tried(
  asked: Asked,
  form: EndpointForm,
  typed: RefusedEndpoint['typed'],
  act: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    refuseWhileAdvancing(asked)
    return await act()
  } catch (error) {
    const faults = refusalFaults(error, 'form')
    if (faults === undefined) throw error
    return refuse(asked, { form, typed, faults })
  }
}

/** As the API refuses the merchant's requests meanwhile. */
export function refuseWhileAdvancing({ account }: Pick<OfEndpoint, 'account'>): void {
  if (account.clockTarget !== null) throw new Refusal('clock_advancing')
}

function record(
  { world, request, endpoint: { accountId, id } }: Asked,
  { action, detail }: NewAuditEntry,
): Promise<void> {
  const entry = { action, subject: id, detail: { account: accountId, ...detail } }
  return writeAuditEntry(world, operatorOf(request), entry)
}

const INCOMPLETE = new PageRefusal(400, 'The form is incomplete', 'Open the page again.')

/** The key was made with the form, so that a form sent twice does its work once. */
export function contextOf(account: AccountWithTeam, request: FastifyRequest): RequestContext {
  return operatorContext(request, actingOf(account), keyOfForm(formOf(request)))
}

/** The endpoint as the form was made for it. */
function versionOf(text: string | undefined): number {
  if (text === undefined || !/^[1-9]\d{0,8}$/.test(text)) throw INCOMPLETE
  return Number(text)
}

function refuse(asked: Asked, refused: RefusedEndpoint): Promise<FastifyReply> {
  const { world, request, reply } = asked
  return answerEndpoint(world, request, reply, asked, refused)
}

export async function answerEndpoint(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  { endpoint, account }: OfEndpoint,
  refused?: RefusedEndpoint,
): Promise<FastifyReply> {
  const deliveries = await deliveriesOfEndpoint(world, endpoint, RECENT_OF_ONE)
  const operator = operatorOf(request)
  const [requestKey, now] = [world.newId(), world.clock.now()]
  return answerHtml(
    reply,
    <ConsolePage
      title={`Endpoint ${hostOf(endpoint.targetUrl)}`}
      place="endpoints"
      operator={operator}
      done={takeDone(world, request, reply)}
    >
      <OneEndpoint {...{ endpoint, account, deliveries, requestKey, now, refused, operator }} />
    </ConsolePage>,
    refused === undefined ? 200 : 422,
  )
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : ''
}

export function answerSecret(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: SeenEndpoint,
  secret: string,
): FastifyReply {
  const operator = operatorOf(request)
  return answerHtml(
    reply,
    <ConsolePage title="The secret of the endpoint" place="endpoints" operator={operator}>
      <EndpointSecret {...{ endpoint, secret, requestKey: world.newId(), operator }} />
    </ConsolePage>,
  )
}
