// Keeps a channel's deliveries on their way: takes what is due whenever there is room, each lane in
// its turn, and never waits for a slow one before it takes the next.

import type { SendAnswer } from '../core/delivery.ts'
import { MINUTE, SECOND } from '../core/time-units.ts'
import type { World } from '../world.ts'
import type { Carrier, TimeLimit } from './carrier.ts'
import { carry } from './carry.ts'
import type { TakenDelivery } from './claim-due.ts'
import type { Departure } from './departure.ts'
import { Destinations, destinationOf } from './destinations.ts'
import { Lanes } from './lanes.ts'
import { Leases } from './leases.ts'
import { sharedTimeout } from './shared-timeout.ts'
import { Taker } from './taker.ts'
import { type WatchedSend, watchedSend } from './watched-send.ts'

/** After this long it takes no more: another job goes on, here or in a process that stays. */
const ROUND_MS = 5 * SECOND

/** Who waits longer for the pace than this comes back with another job. */
const LONGEST_WAIT_MS = SECOND

/** What is due again within this time has a job of its own; the sweep sees to the rest. */
const SOON_MS = MINUTE

/** How long those who are back wait for others before the next are taken. */
const GATHER_MS = 3

/** Of a lane: as many as are on their way in that time. */
const FEW = 128

export class Pump {
  readonly #world: World
  readonly #carrier: Carrier
  readonly #lanes: Lanes
  readonly #destinations = new Destinations()
  readonly #leases: Leases
  readonly #taker: Taker
  readonly #timeLimit: TimeLimit
  #isRunning = false
  #isWoken = false
  #wake: () => void = () => {}
  #takesUntilMs = 0
  #isRousing = false
  #fault: unknown

  constructor(world: World, carrier: Carrier) {
    this.#world = world
    this.#carrier = carrier
    this.#lanes = new Lanes(carrier)
    this.#leases = new Leases(world)
    this.#taker = new Taker(world, carrier, {
      lanes: this.#lanes,
      destinations: this.#destinations,
      leases: this.#leases,
    })
    this.#timeLimit = sharedTimeout(carrier.timeoutMs)
  }

  async run(): Promise<number> {
    this.#takesUntilMs = performance.now() + ROUND_MS
    this.#rouse()
    if (this.#isRunning) return 0
    this.#isRunning = true
    this.#fault = undefined
    try {
      return await this.#pump()
    } finally {
      this.#isRunning = false
      await this.#taker.end()
    }
  }

  async #pump(): Promise<number> {
    let [sent, hasHandedOver] = [0, false]
    while (this.#isWoken || this.#lanes.total > 0) {
      this.#isWoken = false
      if (!this.#world.queues.takesWork || performance.now() > this.#takesUntilMs) {
        if (!hasHandedOver) this.#world.queues.prompt(this.#carrier.channel)
        hasHandedOver = true
        await this.#woken()
        continue
      }
      hasHandedOver = false
      const taking = await this.#taker.take()
      if (taking.kind === 'taken') sent += this.#startAll(taking.departures)
      if (taking.kind === 'not before') await this.#untilThen(taking.at)
      else await this.#woken()
    }
    if (this.#fault !== undefined) throw this.#fault
    return sent
  }

  #startAll(departures: readonly Departure[]): number {
    for (const departure of departures) {
      const { lane, accountId } = departure.delivery
      this.#lanes.admit(lane, accountId, () => void this.#start(departure))
    }
    // Whether there is more is known once nothing was found.
    this.#isWoken ||= this.#lanes.free > 0
    return departures.length
  }

  async #start(departure: Departure): Promise<void> {
    const { delivery } = departure
    const { clock, queues } = this.#world
    const way = this.#onItsWay(delivery)
    const escort = {
      timeLimit: this.#timeLimit,
      isCalledOff: () =>
        !queues.takesWork ||
        !this.#leases.isSafe(delivery) ||
        this.#lanes.rests.isResting(delivery.lane, clock.now()),
      onBegin: way.begin,
      onAnswer: (answer: SendAnswer, isAsked: boolean) => {
        way.end()
        return this.#heard(delivery, answer, isAsked)
      },
    }
    try {
      const { dueAt } = await carry(this.#world, this.#carrier, departure, escort)
      if (dueAt !== null) this.#comeBack(dueAt)
    } catch (error) {
      this.#fault = error
    }
    this.#leases.letGo(delivery)
    way.end()
    this.#lanes.isRecorded()
    if (this.#lanes.total === 0 || this.#taker.wasFull) this.#rouse()
  }

  #onItsWay({ lane, recipient }: TakenDelivery): WatchedSend {
    const destination = destinationOf(recipient)
    return watchedSend(this.#carrier, {
      onSlow: () => {
        this.#destinations.isHanging(destination, this.#world.clock.now())
        this.#lanes.isSlow(lane)
        this.#rouse()
      },
      onEnd: (wasSlow) => {
        this.#destinations.release(destination)
        this.#isBack(lane, wasSlow)
      },
    })
  }

  /** What it says of its lane or its destination; and what to record of it. */
  #heard(delivery: TakenDelivery, answer: SendAnswer, isAsked: boolean): SendAnswer {
    const { lane, recipient } = delivery
    const now = this.#world.clock.now()
    if (this.#carrier.perSecond === undefined) {
      // It says nothing of the lane: nobody there was asked.
      if (answer.kind === 'away') return answer
      if (answer.kind === 'silent') this.#comeBack(this.#lanes.rests.wasSilent(lane, now))
      else this.#lanes.rests.hasAnswered(lane)
      return answer
    }
    if (!isAsked) return answer
    const destination = destinationOf(recipient)
    if (answer.kind === 'silent') {
      this.#destinations.isHanging(destination, now)
      // A provider that answers nobody uses up no try, unless it may hold a copy of the message.
      const isExcused = answer.isUntaken && this.#destinations.isHangingForAll
      return isExcused ? { kind: 'away', detail: answer.detail } : answer
    }
    if (answer.kind !== 'away') this.#destinations.hasAnswered(destination)
    return answer
  }

  /** The next are taken before the last of those that wait are on their way. */
  #isBack(lane: string, wasSlow: boolean): void {
    if (this.#lanes.isBack(lane, wasSlow) > FEW || this.#isRousing) return
    this.#isRousing = true
    setTimeout(() => {
      this.#isRousing = false
      this.#rouse()
    }, GATHER_MS)
  }

  #comeBack(at: Date): void {
    const { clock, queues } = this.#world
    if (at.getTime() - clock.now().getTime() < SOON_MS) queues.promptAt(this.#carrier.channel, at)
  }

  #rouse(): void {
    this.#isWoken = true
    this.#wake()
  }

  /** Returns at once where there is something to look at, or nothing to wait for. */
  async #woken(): Promise<void> {
    if (this.#isWoken || this.#lanes.total === 0) return
    await new Promise<void>((resolve) => {
      this.#wake = resolve
    })
  }

  /** While it waits for its turn, who is back need not wake it: there is no turn for anybody. */
  async #untilThen(at: Date): Promise<void> {
    const waitMs = at.getTime() - this.#world.clock.now().getTime()
    if (waitMs > LONGEST_WAIT_MS) {
      this.#comeBack(at)
      return this.#woken()
    }
    await new Promise((resolve) => setTimeout(resolve, Math.max(1, waitMs)))
    this.#isWoken = true
  }
}
