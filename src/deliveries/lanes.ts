// What was taken and is not recorded yet, lane by lane: how much of each is on its way, what waits
// for its turn, and which lanes are left alone for a while because nobody answers there. An account
// has the lanes of its endpoints; where one provider takes all of a channel, it has one lane.

import type { Carrier } from './carrier.ts'
import { Rests } from './rests.ts'

/**
 * An account may have this part of what other accounts leave of all, and a lane this part of what
 * its account's other lanes leave of that: the fuller, the less.
 */
const PART_OF_FREE = 0.5

/** Slow sends leave their account room for others; so much of all it may have together. */
const MOST_OF_ACCOUNT = 0.7

/**
 * Taken for each that may be on its way, where lanes are apart: the next is there when one is back.
 * One provider for all may be away by then.
 */
const TAKEN_FOR_EACH = 6

type Limits = Pick<Carrier, 'atOnce' | 'atOnceALane' | 'perSecond'>

/** What an account, or a lane of it, has of the sends that may be under way. */
interface Share {
  sending: number
  /** Those of them that have been under way for longer than sends commonly are. */
  slow: number
  /** Taken, and not started yet. */
  waits: number
}

interface Lane extends Share {
  readonly accountId: string
  readonly account: Share
  readonly waiting: (() => void)[]
}

export class Lanes {
  readonly rests = new Rests()
  readonly #atOnce: number
  readonly #atOnceALane: number
  readonly #isApart: boolean
  readonly #takenForEach: number
  readonly #lanes = new Map<string, Lane>()
  readonly #accounts = new Map<string, Share>()
  #sending = 0
  #total = 0

  constructor({ atOnce, atOnceALane, perSecond }: Limits) {
    this.#atOnce = atOnce
    this.#atOnceALane = atOnceALane
    this.#isApart = perSecond === undefined
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
    return this.#capOf({ ...NOTHING, account: NOTHING }) * this.#takenForEach
  }

  /** How many more may be taken of each lane of which something is special. */
  roomAt(now: Date): ReadonlyMap<string, number> {
    const room = new Map<string, number>()
    for (const [id, lane] of this.#lanes) {
      const { account } = lane
      const ofAccount = this.#roomOf(account, this.#accountCapOf(account))
      room.set(id, Math.max(0, Math.min(ofAccount, this.#roomOf(lane, this.#capOf(lane)))))
    }
    for (const id of this.rests.lanes) {
      room.set(id, this.rests.isResting(id, now) || this.#lanes.has(id) ? 0 : 1)
    }
    return room
  }

  /** Started at once, or when its turn has come. */
  admit(id: string, accountId: string, start: () => void): void {
    this.#total += 1
    const account = this.#accounts.get(accountId) ?? { ...NOTHING }
    this.#accounts.set(accountId, account)
    const lane = this.#lanes.get(id) ?? { ...NOTHING, accountId, account, waiting: [] }
    this.#lanes.set(id, lane)
    lane.waiting.push(start)
    for (const share of [lane, account]) share.waits += 1
    this.#startOf(lane)
  }

  /**
   * It holds its place for longer than sends commonly do: it may be about its recipient, and others
   * of its lane have room beside it.
   */
  isSlow(id: string): void {
    const lane = this.#lanes.get(id)
    if (lane === undefined) return
    for (const share of [lane, lane.account]) share.slow += 1
    this.#startOf(lane)
  }

  /** There is room in its lane again; it has still to be recorded. Answers how many wait there. */
  isBack(id: string, wasSlow: boolean): number {
    const lane = this.#lanes.get(id)
    if (lane === undefined) return 0
    const { account, accountId } = lane
    for (const share of [lane, account]) {
      share.sending -= 1
      if (wasSlow) share.slow -= 1
    }
    this.#sending -= 1
    this.#startOf(lane)
    for (const other of this.#lanes.values()) {
      if (this.#sending >= this.#atOnce) break
      this.#startOf(other)
    }
    if (isIdle(lane)) this.#lanes.delete(id)
    if (isIdle(account)) this.#accounts.delete(accountId)
    return lane.waits
  }

  isRecorded(): void {
    this.#total -= 1
  }

  #startOf(lane: Lane): void {
    const { account, waiting } = lane
    while (this.#sending < this.#atOnce && this.#mayStart(lane)) {
      const start = waiting.shift()
      if (start === undefined) return
      for (const share of [lane, account]) {
        share.sending += 1
        share.waits -= 1
      }
      this.#sending += 1
      start()
    }
  }

  #mayStart(lane: Lane): boolean {
    const { account } = lane
    return quickOf(lane) < this.#capOf(lane) && quickOf(account) < this.#accountCapOf(account)
  }

  /** How many more may be taken of it. */
  #roomOf(share: Share, cap: number): number {
    return cap * this.#takenForEach - quickOf(share) - share.waits
  }

  /** How many of a lane may be on their way, but for the slow ones, of which it has some. */
  #capOf(lane: Pick<Lane, keyof Share | 'account'>): number {
    const cap = this.#accountCapOf(lane.account)
    // Where one provider takes all, an account has one lane, and no share is kept from it.
    if (!this.#isApart || !this.#isShared) return cap
    const leftByOthers = cap - (quickOf(lane.account) - quickOf(lane))
    return Math.max(1, Math.min(this.#atOnceALane, Math.floor(leftByOthers * PART_OF_FREE)))
  }

  #accountCapOf(account: Share): number {
    if (!this.#isShared) return this.#atOnce
    const most = Math.floor(this.#atOnce * MOST_OF_ACCOUNT) - account.slow
    const leftByOthers = this.#atOnce - (this.#sending - quickOf(account))
    return Math.min(most, Math.max(1, Math.floor(leftByOthers * PART_OF_FREE)))
  }

  /** Or else one lane may have all. */
  get #isShared(): boolean {
    return this.#atOnceALane < this.#atOnce
  }
}

const NOTHING: Share = { sending: 0, slow: 0, waits: 0 }

function quickOf({ sending, slow }: Share): number {
  return sending - slow
}

function isIdle({ sending, waits }: Share): boolean {
  return sending === 0 && waits === 0
}
