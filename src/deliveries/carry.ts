// One attempt of a delivery: sent when its turn has come, and recorded for as long as the lease
// lasts, because what was sent and not recorded is sent again.

import { fateOf, type SendAnswer } from '../core/delivery.ts'
import { SECOND } from '../core/time-units.ts'
import type { World } from '../world.ts'
import { aboutDelivery, ask } from './ask-provider.ts'
import { attemptOf } from './attempt-of.ts'
import type { Carrier, TimeLimit } from './carrier.ts'
import type { TakenDelivery } from './claim-due.ts'
import type { Departure } from './departure.ts'
import {
  giveBack,
  reserveSlots,
  type Slots,
  tellAnswered,
  tellAway,
  tellLate,
  tellThrottled,
} from './pace.ts'
import { type Attempt, recordAttempt, releaseDelivery } from './record-attempt.ts'

export interface Escort {
  /**
   * Since it was taken its lane has been left alone, or this process has been told to end, or it
   * stood still for so long that another may have taken it.
   */
  readonly isCalledOff: () => boolean
  /** How long a provider that is asked now may take. */
  readonly timeLimit: TimeLimit
  /** Called when its provider is asked. */
  readonly onBegin: () => void
  /** Called when its provider has spoken: what is left is to record it. Returns what to record. */
  readonly onAnswer: (answer: SendAnswer, isAsked: boolean) => SendAnswer
}

export interface Arrival {
  readonly dueAt: Date | null
}

/** Between two tries to record the same. */
const RECORD_AGAIN_MS = 500

/** A turn that passed this long ago has been used up: others had the second that it was in. */
const LOST_MS = SECOND / 2

export async function carry(
  world: World,
  carrier: Carrier,
  departure: Departure,
  escort: Escort,
): Promise<Arrival> {
  const { delivery } = departure
  const turn = await untilItsTurn(world, carrier, departure)
  if (turn === 'too late' || escort.isCalledOff()) return letGo(world, delivery)
  escort.onBegin()
  const startedAt = world.clock.now()
  const startedMs = performance.now()
  const asking = ask(world, carrier, delivery, escort.timeLimit)
  if (turn !== undefined) putOffOthers(world, carrier, turn)
  const asked = await asking
  const { isAsked } = asked
  const answer = escort.onAnswer(asked.answer, isAsked)
  const at = world.clock.now()
  const ms = Math.round(performance.now() - startedMs)
  const about = { channel: delivery.channel, answer: answer.kind }
  world.metrics.deliveries.observe(about, ms / SECOND)
  const fate = fateOf(delivery, answer, at, world.random())
  const attempt = attemptOf(delivery, answer, fate, { startedAt, at, ms })
  await record(world, carrier, attempt, delivery)
  if (turn !== undefined) {
    await tellPace(world, carrier, turn.slots, isAsked ? asked.answer : undefined)
  }
  log(world, delivery, { answer: answer.kind, status: fate.status, ms })
  return { dueAt: fate.dueAt }
}

/** It waited too long for its turn, or was called off: who takes it next sends it. */
async function letGo(world: World, { accountId, id, attempt }: TakenDelivery): Promise<Arrival> {
  await world.db.ask(releaseDelivery, { accountId, id, attempt, dueAt: null })
  return { dueAt: world.clock.now() }
}

function log(
  world: World,
  delivery: TakenDelivery,
  about: { readonly answer: string; readonly status: string; readonly ms: number },
): void {
  world.log.info({ ...aboutDelivery(delivery), ...about }, `${delivery.channel} ${about.status}`)
}

interface Turn {
  readonly slots: Slots
  readonly atMs: number
}

/** Never before it; who slept through it, because the process stood still, takes another. */
async function untilItsTurn(
  world: World,
  { channel, perSecond }: Carrier,
  { slots, atMs, beginBy }: Departure,
): Promise<Turn | undefined | 'too late'> {
  const isTooLate = () => world.clock.now() > beginBy
  if (slots === undefined || atMs === undefined || perSecond === undefined) {
    return isTooLate() ? 'too late' : undefined
  }
  let turn: Turn = { slots, atMs }
  for (;;) {
    await until(world, turn.atMs)
    if (isTooLate()) return 'too late'
    if (world.clock.now().getTime() - turn.atMs <= LOST_MS) return turn
    const next = await reserveSlots(world, channel, 1, perSecond)
    if (next.count > 0) turn = { slots: next, atMs: next.firstMs }
    else await until(world, Math.min(next.againMs, world.clock.now().getTime() + SECOND))
  }
}

async function until(world: World, instantMs: number): Promise<void> {
  const earlyMs = instantMs - world.clock.now().getTime()
  if (earlyMs > 0) await new Promise((resolve) => setTimeout(resolve, Math.ceil(earlyMs)))
}

/** Told once it has begun, so that nothing comes between; and not waited for. */
function putOffOthers(world: World, { channel }: Carrier, { slots, atMs }: Turn): void {
  tellLate(world, channel, slots, world.clock.now().getTime() - atMs).catch((err) =>
    world.log.warn({ err }, 'nobody was put off'),
  )
}

async function record(
  world: World,
  { timeoutMs }: Carrier,
  attempt: Attempt,
  delivery: TakenDelivery,
): Promise<void> {
  const giveUpMs = performance.now() + timeoutMs
  for (;;) {
    try {
      await world.db.ask(recordAttempt, attempt)
      return
    } catch (error) {
      if (performance.now() > giveUpMs) throw error
      world.log.warn(
        { ...aboutDelivery(delivery), err: error },
        'what became of a delivery is not recorded yet',
      )
      await new Promise((resolve) => setTimeout(resolve, RECORD_AGAIN_MS))
    }
  }
}

/** A probe that was not asked has found out nothing. */
async function tellPace(
  world: World,
  { channel }: Carrier,
  slots: Slots,
  answer: SendAnswer | undefined,
): Promise<void> {
  if (answer === undefined) await giveBack(world, channel, slots, slots.isProbe ? 0 : slots.count)
  else if (answer.kind === 'away') await tellAway(world, channel, slots.isProbe)
  else if (answer.kind === 'throttled') await tellThrottled(world, channel, answer.waitMs)
  else if (slots.isProbe) await tellAnswered(world, channel)
}
