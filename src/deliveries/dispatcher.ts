// Sends the due deliveries of one channel: claims as many rows as there are free places, in turns
// between recipient queues (an account, or an endpoint), starts them all at once, and claims again
// as soon as some of them are recorded.
//
//   job ──▶ claim ──rows──▶ send each, and claim again if places are free
//             │ ▲
//             │ └── woken: by a job, by sends that have ended, or at the next send slot
//             ▼
//           nothing due ──▶ wait while a send is under way, then end
//
// After five seconds, or when the process is about to end, it hands over to another job, and only
// waits for its own sends.

import { setMaxListeners } from 'node:events'
import { mayBeOfRecipient, type SendAnswer } from '../core/delivery.ts'
import { isShort, type Lease, whileLeased } from '../core/lease.ts'
import { MINUTE, SECOND } from '../core/time-units.ts'
import { DatabaseAway } from '../db/failure.ts'
import type { World } from '../world.ts'
import type { ChannelAdapter, TimeLimit } from './channel-adapter.ts'
import type { ClaimedDelivery } from './claim-due-deliveries.ts'
import { Claimer, type PlannedSend } from './claimer.ts'
import { Destinations, destinationOf } from './destinations.ts'
import { Places } from './places.ts'
import { renewDelivery } from './record-attempt.ts'
import { type JudgedAnswer, sendDelivery } from './send-delivery.ts'

/** After this long it claims no more: another job continues, here or in another process. */
const ROUND_MS = 5 * SECOND

/** If the next send slot is further away than this, a delayed job continues. */
const LONGEST_WAIT_MS = SECOND

/** A retry that is due within this time gets a delayed job; the sweep finds the others. */
const SOON_MS = MINUTE

/** Sends that finish within this time share the next claim. */
const GATHER_MS = 3

export class Dispatcher {
  readonly #world: World
  readonly #adapter: ChannelAdapter
  readonly #places: Places
  readonly #destinations = new Destinations()
  readonly #claimer: Claimer
  readonly #timeLimit: TimeLimit
  #isRunning = false
  /** There may be due rows, or free places for them, that no claim has looked for. */
  #isWoken = false
  #wake: () => void = () => {}
  /** It is about to be woken: sends that end now share that. */
  #isWaking = false
  #claimsUntilMs = 0
  /** Sends that are not recorded yet. */
  readonly #unrecorded = new Set<PlannedSend>()
  /** The last error of a send. The job fails with it once all sends have ended. */
  #fault: unknown

  constructor(world: World, adapter: ChannelAdapter) {
    this.#world = world
    this.#adapter = adapter
    this.#places = new Places(adapter)
    this.#claimer = new Claimer(world, adapter, {
      places: this.#places,
      inHand: () => [...this.#unrecorded].map(({ delivery }) => delivery.id),
      destinations: this.#destinations,
    })
    this.#timeLimit = sharedTimeout(adapter.timeoutMs)
  }

  async run(): Promise<number> {
    this.#claimsUntilMs = performance.now() + ROUND_MS
    this.#wakeUp()
    if (this.#isRunning) return 0
    this.#isRunning = true
    this.#fault = undefined
    try {
      return await this.#dispatch()
    } finally {
      this.#isRunning = false
      await this.#claimer.end()
    }
  }

  async #dispatch(): Promise<number> {
    let [sent, hasHandedOver] = [0, false]
    while (this.#isBusy) {
      this.#isWoken = false
      if (!this.#world.queues.takesWork || performance.now() > this.#claimsUntilMs) {
        if (!hasHandedOver) this.#world.queues.startRound(this.#adapter.channel)
        hasHandedOver = true
        await this.#woken()
        continue
      }
      hasHandedOver = false
      const result = await this.#claimer.claim()
      if (result.kind === 'claimed') sent += this.#startAll(result.planned)
      if (result.kind === 'not before') await this.#untilThen(result.at)
      else await this.#woken()
    }
    if (this.#fault !== undefined) throw this.#fault
    return sent
  }

  #startAll(planned: readonly PlannedSend[]): number {
    for (const one of planned) {
      this.#places.take(one.delivery.lane, one.delivery.accountId)
      this.#unrecorded.add(one)
      void this.#send(one)
    }
    // Only a claim that finds nothing shows that no more is due.
    this.#isWoken ||= this.#places.free > 0
    return planned.length
  }

  async #send(planned: PlannedSend): Promise<void> {
    const { delivery } = planned
    const { clock, queues } = this.#world
    const lease = leaseOf(this.#world, planned)
    const watched = this.#watch(delivery)
    const hooks = {
      timeLimit: () => {
        if (isShort(lease, clock.now())) throw new DatabaseAway('what is sent was read too late')
        return this.#timeLimit()
      },
      isCalledOff: () => !queues.takesWork || isShort(lease, clock.now()),
      onBegin: watched.begin,
      onAnswer: (answer: SendAnswer) => this.#judge(delivery, answer),
      onUnsent: () => this.#destinations.markUnsent(destinationOf(delivery.recipient)),
      onEnd: watched.end,
    }
    try {
      const dueAt = await whileLeased(this.#world, lease, () =>
        sendDelivery(this.#world, this.#adapter, planned, hooks),
      )
      if (dueAt !== null) this.#continueAt(dueAt)
    } catch (error) {
      this.#fault = error
    }
    watched.end()
    this.#unrecorded.delete(planned)
    if (this.#unrecorded.size === 0) this.#wakeUp()
  }

  #watch({ lane, recipient }: ClaimedDelivery): WatchedSend {
    const destination = destinationOf(recipient)
    const { perSecond, timeoutMs } = this.#adapter
    let [isSlow, isOver] = [false, false]
    let timer: NodeJS.Timeout | undefined
    const slow = () => {
      isSlow = true
      this.#destinations.markHanging(destination, this.#world.clock.now())
      this.#places.markSlow(lane)
      this.#wakeUp()
    }
    return {
      begin: () => {
        const slowMs = Math.min(this.#world.timings.slowMessageMs, timeoutMs / 4)
        if (perSecond !== undefined) timer = setTimeout(slow, slowMs)
      },
      end: () => {
        if (isOver) return
        isOver = true
        clearTimeout(timer)
        this.#destinations.release(destination)
        this.#places.leave(lane, isSlow)
        this.#wakeSoon()
      },
    }
  }

  /** Notes what the answer says about its destination, and about the provider as a whole. */
  #judge({ recipient }: ClaimedDelivery, answer: SendAnswer): JudgedAnswer {
    // Each endpoint is on its own: its answer says nothing about others.
    if (this.#adapter.perSecond === undefined) return { answer, isForAll: true }
    const destination = destinationOf(recipient)
    if (mayBeOfRecipient(answer)) {
      // A provider that hangs up on one destination after the other does so on all.
      this.#destinations.markHanging(destination, this.#world.clock.now())
      return { answer, isForAll: this.#destinations.isHangingForAll }
    }
    if (answer.kind === 'silent') {
      this.#destinations.markHanging(destination, this.#world.clock.now())
      // While the provider hangs for everybody no try is counted, unless it may have the message.
      const isExcused = answer.isUntaken === true && this.#destinations.isHangingForAll
      return {
        answer: isExcused ? { kind: 'away', detail: answer.detail } : answer,
        isForAll: true,
      }
    }
    if (answer.kind !== 'away') this.#destinations.markAnswered(destination)
    return { answer, isForAll: true }
  }

  #wakeSoon(): void {
    if (this.#isWaking) return
    this.#isWaking = true
    setTimeout(() => {
      this.#isWaking = false
      this.#wakeUp()
    }, GATHER_MS)
  }

  /** Has a job look for due rows then, if that is soon. */
  #continueAt(at: Date): void {
    const { clock, queues } = this.#world
    if (at.getTime() - clock.now().getTime() < SOON_MS)
      queues.startRoundAt(this.#adapter.channel, at)
  }

  #wakeUp(): void {
    this.#isWoken = true
    this.#wake()
  }

  /** A send that has ended may have left room for the next row. */
  get #isBusy(): boolean {
    return this.#isWoken || this.#isWaking || this.#unrecorded.size > 0
  }

  /** Returns at once when there may be due rows, or when no send is under way. */
  async #woken(): Promise<void> {
    if (this.#isWoken || !this.#isBusy) return
    await new Promise<void>((resolve) => {
      this.#wake = resolve
    })
  }

  /** Until the next send slot no finished send needs to wake it. */
  async #untilThen(at: Date): Promise<void> {
    const waitMs = at.getTime() - this.#world.clock.now().getTime()
    if (waitMs > LONGEST_WAIT_MS) {
      this.#continueAt(at)
      return this.#woken()
    }
    await new Promise((resolve) => setTimeout(resolve, Math.max(1, waitMs)))
    this.#isWoken = true
  }
}

function leaseOf({ db, timings }: World, { delivery, leasedUntil }: PlannedSend): Lease {
  const { accountId, id, attempt } = delivery
  return {
    ms: timings.deliveryLeaseMs,
    until: leasedUntil,
    renew: (_from, until) => db.ask(renewDelivery, { accountId, id, attempt, leasedUntil: until }),
  }
}

/** A send that holds a place; it gives the place back once, however it ends. */
interface WatchedSend {
  /** Called when the provider is asked: the time until "slow" starts. */
  begin(): void
  end(): void
}

/** How much later than requested a time limit may end. */
const TOGETHER_MS = 50

/**
 * A time limit that is shared by sends that begin at about the same moment: a signal for each would
 * cost more than most sends.
 */
function sharedTimeout(limitMs: number): () => AbortSignal {
  let signal: AbortSignal | undefined
  let sharedUntilMs = 0
  return () => {
    const nowMs = performance.now()
    if (signal === undefined || nowMs > sharedUntilMs) {
      signal = AbortSignal.timeout(limitMs + TOGETHER_MS)
      setMaxListeners(0, signal) // every send of the moment listens to it
      sharedUntilMs = nowMs + TOGETHER_MS
    }
    return signal
  }
}
