// The actions on one endpoint. They run the merchant's own actions, each with its audit entry.

import { setTimeout as delay } from 'node:timers/promises'
import { Refusal } from '../../core/errors.ts'
import { parseInstant } from '../../core/instant.ts'
import { cleanText } from '../../core/redact.ts'
import { SECOND } from '../../core/time-units.ts'
import type { RowKey } from '../../db/columns.ts'
import type { InCommit } from '../../db/queries.ts'
import { findDelivery } from '../../deliveries/deliveries-anywhere.ts'
import { startDueDeliveries } from '../../deliveries/start-due-deliveries.ts'
import { lineOf } from '../../web/forms.ts'
import { incompleteForm } from '../../web/page-refusal.ts'
import { changeWebhook, deleteWebhook, rollSecret } from '../../webhooks/change-webhook.ts'
import type { SeenEndpoint } from '../../webhooks/endpoints-anywhere.ts'
import { pauseWebhook, resumeWebhook } from '../../webhooks/pause-webhook.ts'
import { replayEvents } from '../../webhooks/replay-events.ts'
import { testWebhook } from '../../webhooks/test-webhook.ts'
import type { World } from '../../world.ts'
import { auditInCommit, keyOfForm, operatorContext, refuseWhileAdvancing } from '../account-of.ts'
import { attemptWords, lastTryOf } from '../deliveries/attempts.ts'
import { type DoneText, savedWords } from '../done.ts'
import type { Acting, Action } from '../parts/object-page.tsx'
import { CopyableText } from '../parts/shown.tsx'
import { isFaulty } from '../parts/typed.ts'
import { deliveryPath, ENDPOINTS_PATH, endpointPath, PARKED_PATH } from '../paths.ts'
import { type OfEndpoint, OVERLAPS, readEndpoint, TestForm } from './endpoint-forms.tsx'

export const ENDPOINT_ACTIONS: Readonly<Record<string, Action<OfEndpoint>>> = {
  set,
  test,
  replay,
  roll,
  pause: (acting) =>
    afterwards(acting, pauseWebhook, 'paused', 'The endpoint is paused: its deliveries wait.'),
  resume: (acting) => afterwards(acting, resumeWebhook, 'resumed', 'The endpoint is resumed.'),
  enable: (acting) =>
    afterwards(acting, withStatus('active'), 'enabled', 'The endpoint is enabled.'),
  disable: (acting) =>
    afterwards(acting, withStatus('disabled'), 'disabled', 'The endpoint is disabled.'),
  delete: remove,
}

const withStatus =
  (status: 'active' | 'disabled') => (world: World, key: RowKey, record: InCommit) =>
    changeWebhook(world, key, { status }, undefined, record)

/** A second sending changes nothing, so it writes no second entry, even at the same moment. */
async function afterwards(
  acting: Acting<OfEndpoint>,
  act: (world: World, key: RowKey, record: InCommit) => Promise<unknown>,
  done: string,
  words: string,
) {
  const { world, form, found } = acting
  const { account, endpoint } = found
  refuseClosed(found)
  await act(world, endpoint, auditInCommit(acting, account, `endpoint ${done}`, endpoint.id))
  const isFromParked = form.from === 'parked'
  return {
    done: words,
    path: isFromParked ? `${PARKED_PATH}?kind=endpoint` : endpointPath(endpoint),
  }
}

async function set(acting: Acting<OfEndpoint>) {
  const { world, form, found } = acting
  const { endpoint } = found
  refuseClosed(found)
  const { faults, input } = readEndpoint(form, endpoint.events)
  if (isFaulty(faults)) return { faults }
  const version = versionOf(form.version)
  const { targetUrl } = input
  const audit: InCommit<[Pick<SeenEndpoint, 'events'>]> = (query, next) => {
    const [from, to] = [endpoint, next].map((one) => one.events.join(' '))
    return record(acting, 'endpoint changed', {
      ...(targetUrl === endpoint.targetUrl
        ? {}
        : { address: cleanText(`${endpoint.targetUrl} → ${targetUrl}`) }),
      ...(from === to ? {} : { events: `${from} → ${to}` }),
    })(query)
  }
  const changed = await changeWebhook(world, endpoint, input, version, audit)
  return savedWords(changed.version === endpoint.version ? 0 : 1)
}

async function test(acting: Acting<OfEndpoint>) {
  const { world, request, form, found } = acting
  const { accountId, id } = found.endpoint
  refuseClosed(found)
  const audit: InCommit<[string]> = (query, delivery) =>
    record(acting, 'endpoint tested', { delivery })(query)
  const context = { ...operatorContext(request, found.account, keyOfForm(form)), record: audit }
  const done = await testWebhook(world, context, id)
  const delivery = { accountId, id: String(JSON.parse(done.body).id) }
  startDueDeliveries(world, accountId)
  return { done: await testWords(world, delivery), path: deliveryPath(delivery) }
}

const TRIES = 20
const BETWEEN_MS = 150

/** Most endpoints answer at once, so the operator sees the answer without opening the page again. */
async function testWords(world: World, { accountId, id }: RowKey): Promise<string | DoneText> {
  for (let n = 0; n < TRIES; n += 1) {
    const delivery = await findDelivery(world, { accountId, id })
    const last = delivery && lastTryOf(delivery)
    if (delivery?.status === 'sent') return `The test event was answered ${last?.detail}.`
    if (last !== undefined) {
      return { words: `The test event failed: ${last.detail ?? attemptWords(last)}.`, isBad: true }
    }
    await delay(BETWEEN_MS)
  }
  return 'The test event is queued. Open this page again to see its answer.'
}

async function replay(acting: Acting<OfEndpoint>) {
  const { world, form, found } = acting
  refuseClosed(found)
  const since = parseInstant(lineOf(form.since, LONGEST_INSTANT))
  if (since === undefined) {
    return { faults: { since: 'Enter a date like 2026-03-06, or 2026-03-06 15:00.' } }
  }
  const audit = record(acting, 'events replayed', { since: since.toISOString() })
  await replayEvents(world, found.endpoint, since, versionOf(form.version), audit)
  return 'The replay begins within seconds.'
}

const LONGEST_INSTANT = 40

async function roll(acting: Acting<OfEndpoint>) {
  const { world, form, found } = acting
  refuseClosed(found)
  const overlap = OVERLAPS.find(([seconds]) => seconds === form.overlap)?.[0]
  if (overlap === undefined) {
    return { faults: { overlap: 'Choose when the current secret expires.' } }
  }
  const { endpoint } = found
  const overlapMs = Number(overlap) * SECOND
  const audit = record(acting, 'endpoint secret rolled', { overlap_s: overlap })
  const { secret } = await rollSecret(world, endpoint, overlapMs, versionOf(form.version), audit)
  return secretShown(world, endpoint, secret)
}

async function remove(acting: Acting<OfEndpoint>) {
  const { world, found } = acting
  const { endpoint } = found
  refuseClosed(found)
  const audit = record(acting, 'endpoint deleted', { address: cleanText(endpoint.targetUrl) })
  await deleteWebhook(world, endpoint, audit)
  return { done: 'The endpoint is deleted.', path: ENDPOINTS_PATH }
}

/** A deleted endpoint is shown, and nothing is done to it. */
function refuseClosed({ account, endpoint }: OfEndpoint): void {
  if (endpoint.deletedAt !== null) throw new Refusal('not_found')
  refuseWhileAdvancing(account)
}

function record(
  acting: Acting<OfEndpoint>,
  action: string,
  detail: Readonly<Record<string, string>>,
): InCommit {
  const { account, endpoint } = acting.found
  return auditInCommit(acting, account, action, endpoint.id, detail)
}

/** The endpoint as the form was made for it. */
function versionOf(text: string | undefined): number {
  if (text === undefined || !/^[1-9]\d{0,8}$/.test(text)) throw incompleteForm()
  return Number(text)
}

const FORMS = ['set', 'test', 'replay', 'roll'] as const

/** A refusal by the service itself is shown with the form that was sent. */
export function isForm(action: string): boolean {
  return FORMS.some((one) => one === action)
}

/** The secret is shown only here. */
export function secretShown(world: World, endpoint: SeenEndpoint, secret: string) {
  const isSending = endpoint.status === 'active' && endpoint.pausedAt === null
  const once = (
    <section class="card stack">
      <p>
        Copy the secret now. It can’t be shown again. The merchant verifies with it that a delivery
        is ours.
      </p>
      <CopyableText id="endpoint-secret" text={secret} />
      {isSending ? <TestForm endpoint={endpoint} formKey={world.newId()} /> : null}
      <p>
        <a href={endpointPath(endpoint)}>Open the endpoint</a>
      </p>
    </section>
  )
  return { title: 'The secret of the endpoint', once }
}
