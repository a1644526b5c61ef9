// Keeps a channel's deliveries on their way: takes what is due whenever there is room, each lane in
// its turn, and never waits for a slow one before it takes the next.

import { MINUTE, SECOND } from '../core/time-units.ts'
import type { World } from '../world.ts'
import type { Carrier } from './carrier.ts'
import { carry } from './carry.ts'
import type { Departure } from './departure.ts'
import { Lanes } from './lanes.ts'
import { sharedTimeout } from './shared-timeout.ts'
import { Taker } from './taker.ts'

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
  readonly #taker: Taker
  readonly #timeLimit: () => AbortSignal
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
    this.#taker = new Taker(world, carrier, this.#lanes)
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
    }
  }

  async #pump(): Promise<number> {
    let sent = 0
    let hasHandedOver = false
    while (this.#isWoken || this.#lanes.total > 0) {
      this.#isWoken = false
      if (this.#world.queues.isDraining || performance.now() > this.#takesUntilMs) {
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
      this.#lanes.admit(departure.delivery.lane, () => void this.#start(departure))
    }
    // Whether there is more is known once nothing was found.
    this.#isWoken ||= this.#lanes.free > 0
    return departures.length
  }

  async #start(departure: Departure): Promise<void> {
    const { lane } = departure.delivery
    const { clock, queues } = this.#world
    let isBack = false
    const onAnswer = () => {
      if (!isBack) this.#isBack(lane)
      isBack = true
    }
    const isCalledOff = () => queues.isDraining || this.#lanes.isResting(lane, clock.now())
    const escort = { timeLimit: this.#timeLimit, onAnswer, isCalledOff }
    try {
      const { isSilent, dueAt } = await carry(this.#world, this.#carrier, departure, escort)
      if (isSilent) this.#comeBack(this.#lanes.wasSilent(lane, clock.now()))
      else if (isBack) this.#lanes.hasAnswered(lane)
      if (dueAt !== null) this.#comeBack(dueAt)
    } catch (error) {
      this.#fault = error
    }
    onAnswer()
    this.#lanes.isRecorded()
    if (this.#lanes.total === 0 || this.#taker.wasFull) this.#rouse()
  }

  /** The next are taken before the last of those that wait are on their way. */
  #isBack(lane: string): void {
    if (this.#lanes.isBack(lane) > FEW || this.#isRousing) return
    this.#isRousing = true
    setTimeout(() => {
      this.#isRousing = false
      this.#rouse()
    }, GATHER_MS)
  }

  #comeBack(at: Date): void {
    const waitMs = at.getTime() - this.#world.clock.now().getTime()
    if (waitMs < SOON_MS) this.#world.queues.promptAt(this.#carrier.channel, at)
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
