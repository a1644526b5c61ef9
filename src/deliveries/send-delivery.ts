// One attempt of a delivery: waits for its send slot, asks the provider, and records the answer. A
// delivery that was sent and not recorded is sent again, so recording is tried repeatedly: as long
// as the database is away, however long that takes.

import {
  type DeliveryOutcome,
  deliveryOutcome,
  isTooOld,
  type SendAnswer,
} from '../core/delivery.ts'
import { cleanText } from '../core/redact.ts'
import { storable } from '../core/text.ts'
import { after, SECOND } from '../core/time-units.ts'
import { isDatabaseAway } from '../db/failure.ts'
import { isUnavailable } from '../db/unavailable.ts'
import type { World } from '../world.ts'
import type { ChannelAdapter, TimeLimit } from './channel-adapter.ts'
import type { ClaimedDelivery } from './claim-due-deliveries.ts'
import type { PlannedSend, SendSlot } from './claimer.ts'
import { type DeliveryAttempt, recordAttempt, releaseDelivery } from './record-attempt.ts'
import {
  giveBackSlots,
  noteAnswered,
  noteAway,
  noteLate,
  noteThrottled,
  reserveSlots,
  type SlotReservation,
} from './send-slots.ts'
import { refusalOfStopped, stopAddress } from './stopped-addresses.ts'

export interface SendHooks {
  /**
   * True if, since the claim, this process began to drain, or was suspended so long that another
   * may have claimed the row.
   */
  readonly isCalledOff: () => boolean
  /** How long a provider that is asked now may take. */
  readonly timeLimit: TimeLimit
  /** Called just before the provider is asked. */
  readonly onBegin: () => void
  /** Called with the provider's answer. */
  readonly onAnswer: (answer: SendAnswer) => JudgedAnswer
  /** Called instead if the service itself refuses the delivery. */
  readonly onUnsent: () => void
  /** Called before the answer is recorded: from then on another send may have the place. */
  readonly onEnd: () => void
}

/** What the answer to a delivery means for it, and for the others of its channel. */
export interface JudgedAnswer {
  readonly answer: SendAnswer
  /** False if it may concern its recipient alone: then the pace of the channel stays as it is. */
  readonly isForAll: boolean
}

/** Between two tries to record an answer. */
const RECORD_AGAIN_MS = 500

/** A slot that passed this long ago is lost: others may have used its second. */
const LOST_MS = SECOND / 2

export async function sendDelivery(
  world: World,
  adapter: ChannelAdapter,
  planned: PlannedSend,
  hooks: SendHooks,
): Promise<Date | null> {
  const { delivery } = planned
  // Before the wait, since nothing may delay a send whose slot has come.
  const unasked = await answerUnasked(world, delivery)
  const slot = await untilItsSlot(world, adapter, planned.slot)
  if (slot === 'too late' || hooks.isCalledOff()) return release(world, delivery)
  hooks.onBegin()
  const startedAt = world.clock.now()
  const startedMs = performance.now()
  const answering = unasked ?? ask(world, adapter, delivery, hooks.timeLimit)
  if (slot !== undefined) delayOthers(world, adapter, slot)
  const asked = await answering
  const at = world.clock.now()
  const ms = Math.round(performance.now() - startedMs)
  const { answer, isForAll } = asked.isAsked
    ? hooks.onAnswer(asked.answer)
    : { answer: asked.answer, isForAll: true }
  // Before its place is free: nothing else is sent to a provider that has asked for a pause.
  if (slot !== undefined && (isForAll || slot.reservation.isProbe)) {
    await notePace(world, adapter, slot.reservation, asked).catch((err) =>
      world.log.warn({ ...aboutDelivery(delivery), err }, 'the pace of a provider is not noted'),
    )
  }
  const isUnsent = !asked.isAsked && answer.kind === 'refused'
  if (isUnsent) hooks.onUnsent()
  hooks.onEnd()
  // What the service itself refuses is no attempt: an alert would blame the provider.
  if (!isUnsent) {
    world.metrics.deliveries.observe(
      { channel: delivery.channel, answer: answer.kind },
      ms / SECOND,
    )
  }
  const outcome = deliveryOutcome(delivery, answer, at, world.random())
  const attempt = attemptOf(delivery, answer, outcome, { startedAt, at, ms })
  await recordWithRetries(world, adapter, attempt)
  const about = { ...aboutDelivery(delivery), answer: answer.kind, status: outcome.status, ms }
  world.log.info(about, `${delivery.channel} ${outcome.status}`)
  return outcome.dueAt
}

/** Releases a delivery that waited too long or was called off, for the next claim. */
async function release(
  world: World,
  { accountId, id, attempt }: ClaimedDelivery,
): Promise<Date | null> {
  await world.db.ask(releaseDelivery, { accountId, id, attempt, dueAt: null })
  return world.clock.now()
}

/** Waits for the slot; a process that was suspended past its slot reserves another. */
async function untilItsSlot(
  world: World,
  { channel, perSecond, timeoutMs }: ChannelAdapter,
  planned: SendSlot | undefined,
): Promise<SendSlot | undefined | 'too late'> {
  if (planned === undefined || perSecond === undefined) return undefined
  const beginBy = after(world.clock.now(), timeoutMs)
  let slot = planned
  for (;;) {
    await until(world, slot.atMs)
    if (world.clock.now() > beginBy) return 'too late'
    if (world.clock.now().getTime() - slot.atMs <= LOST_MS) return slot
    const next = await reserveSlots(world, channel, 1, perSecond)
    if (next.count > 0) slot = { reservation: next, atMs: next.firstMs }
    else await until(world, Math.min(next.againMs, world.clock.now().getTime() + SECOND))
  }
}

async function until(world: World, instantMs: number): Promise<void> {
  const earlyMs = instantMs - world.clock.now().getTime()
  if (earlyMs > 0) await new Promise((resolve) => setTimeout(resolve, Math.ceil(earlyMs)))
}

/** Called after the send has begun, so that nothing delays it, and not awaited. */
function delayOthers(
  world: World,
  { channel }: ChannelAdapter,
  { reservation, atMs }: SendSlot,
): void {
  noteLate(world, channel, reservation, world.clock.now().getTime() - atMs).catch((err) =>
    world.log.warn({ err }, 'a late send did not delay the following ones'),
  )
}

async function recordWithRetries(
  world: World,
  { timeoutMs }: ChannelAdapter,
  attempt: DeliveryAttempt,
): Promise<void> {
  const giveUpMs = performance.now() + timeoutMs
  for (;;) {
    try {
      await world.db.ask(recordAttempt, attempt)
      return
    } catch (error) {
      if (!isUnavailable(error) && performance.now() > giveUpMs) throw error
      world.outages.report('results of deliveries are not recorded yet', { err: error })
      await new Promise((resolve) => setTimeout(resolve, RECORD_AGAIN_MS))
    }
  }
}

/** A probe that did not reach the provider is given back: it shows nothing. */
async function notePace(
  world: World,
  { channel }: ChannelAdapter,
  reservation: SlotReservation,
  { answer, isAsked }: Asked,
): Promise<void> {
  const { isProbe } = reservation
  if (!isAsked) {
    if (isProbe) await giveBackSlots(world, channel, reservation, 0)
  } else if (answer.kind === 'away') await noteAway(world, channel, isProbe)
  else if (answer.kind === 'throttled') await noteThrottled(world, channel, answer.waitMs)
  else if (isProbe) await noteAnswered(world, channel)
}

interface Asked {
  readonly answer: SendAnswer
  /** False if the provider was not asked: then the answer says nothing about it. */
  readonly isAsked: boolean
}

/** The answer to a delivery that is not to be sent. Undefined if its provider must be asked. */
async function answerUnasked(world: World, delivery: ClaimedDelivery): Promise<Asked | undefined> {
  if (isTooOld(delivery, world.clock.now())) return { answer: TOO_OLD, isAsked: false }
  try {
    const answer = await refusalOfStopped(world, delivery)
    return answer && { answer, isAsked: false }
  } catch (err) {
    return faultOf(world, delivery, err)
  }
}

async function ask(
  world: World,
  adapter: ChannelAdapter,
  delivery: ClaimedDelivery,
  timeLimit: TimeLimit,
): Promise<Asked> {
  try {
    const answer = await send(world, adapter, delivery, timeLimit)
    await noteNoSuchAddress(world, delivery, answer)
    // A channel that refuses a delivery itself names another reason.
    const isOurs = answer.kind === 'refused' && answer.reason !== 'refused'
    return { answer, isAsked: !isOurs }
  } catch (err) {
    return faultOf(world, delivery, err)
  }
}

/** A failure of our database is no try of the recipient. */
function faultOf(world: World, delivery: ClaimedDelivery, err: unknown): Asked {
  if (isDatabaseAway(err)) return { answer: NOT_READ, isAsked: false }
  world.log.error({ ...aboutDelivery(delivery), err }, `${delivery.channel} failed`)
  return { answer: OUR_FAULT, isAsked: false }
}

/** Before the attempt is recorded: if the process dies in between, the address is asked again. */
async function noteNoSuchAddress(
  world: World,
  { accountId, channel, recipient: address }: ClaimedDelivery,
  answer: SendAnswer,
): Promise<void> {
  const isGone = answer.kind === 'refused' && answer.isNoSuchAddress === true
  if (!isGone || channel === 'webhook') return
  const key = { accountId, channel, address, reason: 'no_such_address' } as const
  await stopAddress(world, key, answer.detail)
}

function send(
  world: World,
  adapter: ChannelAdapter,
  delivery: ClaimedDelivery,
  timeLimit: TimeLimit,
): Promise<SendAnswer> {
  return world.tracer.span(
    { name: `send ${adapter.channel}`, kind: 'client', attributes: aboutDelivery(delivery) },
    () => adapter.send(world, delivery, timeLimit),
    (answer) => ({ answer: answer.kind }),
  )
}

const OUR_FAULT: SendAnswer = { kind: 'failed', detail: 'a fault of the service; its log has it' }

const NOT_READ: SendAnswer = { kind: 'away', detail: 'the database was away' }

const TOO_OLD: SendAnswer = {
  kind: 'refused',
  reason: 'expired',
  detail: 'it was due for so long that it would only confuse its recipient',
}

/** Fields for the log; `tries` are those before this attempt. */
function aboutDelivery({ channel, id, accountId, requestId, tries }: ClaimedDelivery) {
  return { job: channel, request_id: requestId, account_id: accountId, id, tries }
}

interface AttemptTimes {
  readonly startedAt: Date
  readonly at: Date
  readonly ms: number
}

function attemptOf(
  { accountId, id, attempt }: ClaimedDelivery,
  answer: SendAnswer,
  outcome: DeliveryOutcome,
  { startedAt, at, ms }: AttemptTimes,
): DeliveryAttempt {
  const { status, tries, dueAt, reason } = outcome
  const detail = answer.detail === undefined ? undefined : storable(cleanText(answer.detail))
  const entry = { at: startedAt.toISOString(), ms, answer: answer.kind, detail }
  return {
    status,
    tries,
    dueAt,
    reason,
    accountId,
    id,
    attempt,
    at,
    providerId: answer.kind === 'taken' && answer.providerId ? storable(answer.providerId) : null,
    lastError: answer.kind === 'taken' ? null : (detail ?? null),
    entry: JSON.stringify(entry),
  }
}
