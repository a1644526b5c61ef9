// What was taken and is not recorded yet, lane by lane: how much of each is on its way, what waits
// for its turn, and which lanes are left alone for a while because nobody answers there.

import { type Backoff, backoffMs } from '../core/backoff.ts'
import { after, MINUTE, SECOND } from '../core/time-units.ts'
import type { Carrier } from './carrier.ts'

/** Whoever is silent holds a place for as long as he may; so he is asked seldom. */
const REST: Backoff = { firstMs: SECOND, mostMs: MINUTE }

/** Where lanes are apart, one may have this part of what others leave: the fuller, the less. */
const PART_OF_FREE = 0.25

/**
 * Taken for each that may be on its way, where lanes are apart: the next is there when one is back.
 * One provider for all may be away by then.
 */
const TAKEN_FOR_EACH = 6

type Limits = Pick<Carrier, 'atOnce' | 'atOnceALane' | 'perSecond'>

interface Lane {
  sending: number
  readonly waiting: (() => void)[]
}

export class Lanes {
  readonly #atOnce: number
  readonly #atOnceALane: number
  readonly #takenForEach: number
  readonly #lanes = new Map<string, Lane>()
  readonly #silences = new Map<string, { readonly inARow: number; readonly restsUntil: Date }>()
  #sending = 0
  #total = 0

  constructor({ atOnce, atOnceALane, perSecond }: Limits) {
    this.#atOnce = atOnce
    this.#atOnceALane = atOnceALane
    this.#takenForEach = perSecond === undefined ? TAKEN_FOR_EACH : 1
  }

  /** Taken, and not recorded yet. */
  get total(): number {
    return this.#total
  }

  /** How many more may be taken. */
  get free(): number {
    return this.#atOnce * this.#takenForEach - this.#total
  }

  /** How many may be taken of a lane of which none are. */
  get mostALane(): number {
    return this.#capOf(0) * this.#takenForEach
  }

  /** How many more may be taken of each lane of which something is special. */
  roomAt(now: Date): ReadonlyMap<string, number> {
    const room = new Map<string, number>()
    for (const [id, { sending, waiting }] of this.#lanes) {
      const most = this.#capOf(sending) * this.#takenForEach
      room.set(id, Math.max(0, most - sending - waiting.length))
    }
    for (const [id, { restsUntil }] of this.#silences) {
      room.set(id, restsUntil > now || this.#lanes.has(id) ? 0 : 1)
    }
    return room
  }

  /** Started at once, or when its turn has come. */
  admit(id: string, start: () => void): void {
    this.#total += 1
    const lane = this.#lanes.get(id) ?? { sending: 0, waiting: [] }
    this.#lanes.set(id, lane)
    lane.waiting.push(start)
    this.#startOf(lane)
  }

  /** There is room in its lane again; it has still to be recorded. Answers how many wait there. */
  isBack(id: string): number {
    const lane = this.#lanes.get(id)
    if (lane === undefined) return 0
    lane.sending -= 1
    this.#sending -= 1
    this.#startOf(lane)
    for (const other of this.#lanes.values()) {
      if (this.#sending >= this.#atOnce) break
      this.#startOf(other)
    }
    if (lane.sending === 0 && lane.waiting.length === 0) this.#lanes.delete(id)
    return lane.waiting.length
  }

  isRecorded(): void {
    this.#total -= 1
  }

  /** Nobody answers there: what was taken before that was known need not find out as well. */
  isResting(id: string, now: Date): boolean {
    const silence = this.#silences.get(id)
    return silence !== undefined && silence.restsUntil > now
  }

  hasAnswered(id: string): void {
    this.#silences.delete(id)
  }

  /** Answers until when the lane rests. Those that were on their way together count once. */
  wasSilent(id: string, now: Date): Date {
    const before = this.#silences.get(id)
    if (before !== undefined && before.restsUntil > now) return before.restsUntil
    const inARow = (before?.inARow ?? 0) + 1
    const restsUntil = after(now, backoffMs(REST, inARow))
    this.#silences.set(id, { inARow, restsUntil })
    return restsUntil
  }

  #startOf(lane: Lane): void {
    while (this.#sending < this.#atOnce && lane.sending < this.#capOf(lane.sending)) {
      const start = lane.waiting.shift()
      if (start === undefined) return
      lane.sending += 1
      this.#sending += 1
      start()
    }
  }

  /** How many of a lane may be on their way, where so many of it are. */
  #capOf(sending: number): number {
    if (this.#atOnceALane >= this.#atOnce) return this.#atOnce
    const leftByOthers = this.#atOnce - (this.#sending - sending)
    return Math.max(1, Math.min(this.#atOnceALane, Math.floor(leftByOthers * PART_OF_FREE)))
  }
}
