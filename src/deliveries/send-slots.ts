// The places for sends under way in this process, shared fairly between accounts and between the
// recipient queues ("lanes") of an account: one queue for each endpoint, and one for all e-mails
// (or texts) of an account. Knows what is claimed and not recorded yet, what waits for a place, and
// which endpoints rest because they do not answer.

import { type Backoff, backoffMs } from '../core/backoff.ts'
import { after, MINUTE, SECOND } from '../core/time-units.ts'
import type { ChannelAdapter } from './channel-adapter.ts'

/**
 * An account may have this part of the places that other accounts leave free, and an endpoint this
 * part of what the account's other endpoints leave of that.
 */
const PART_OF_FREE = 0.5

/** Slow sends do not count against the share of their account, up to this part of all places. */
const MOST_OF_ACCOUNT = 0.7

/**
 * Webhooks are claimed ahead, this many for each place, so that the next one is there when a place
 * becomes free. Messages are not: their provider may be away by then.
 */
const CLAIMED_PER_SLOT = 6

type Limits = Pick<ChannelAdapter, 'atOnce' | 'atOnceALane' | 'perSecond'>

/** The places that an account, or one of its recipient queues, has. */
interface Share {
  sending: number
  /** Those of them that take longer than usual. */
  slow: number
  /** Claimed, and not started yet. */
  waits: number
}

interface Lane extends Share {
  readonly accountId: string
  readonly account: Share
  readonly waiting: (() => void)[]
}

export class SendSlots {
  readonly rests = new Rests()
  readonly #atOnce: number
  readonly #atOnceALane: number
  readonly #isApart: boolean
  readonly #claimedPerSlot: number
  readonly #queues = new Map<string, Lane>()
  readonly #accounts = new Map<string, Share>()
  #sending = 0
  #total = 0

  constructor({ atOnce, atOnceALane, perSecond }: Limits) {
    this.#atOnce = atOnce
    this.#atOnceALane = atOnceALane
    this.#isApart = perSecond === undefined
    this.#claimedPerSlot = perSecond === undefined ? CLAIMED_PER_SLOT : 1
  }

  /** Claimed, and not recorded yet. */
  get total(): number {
    return this.#total
  }

  /** How many more may be claimed. */
  get free(): number {
    return this.#atOnce * this.#claimedPerSlot - this.#total
  }

  /** How many may be claimed of a recipient queue of which none are under way. */
  get mostALane(): number {
    return this.#capOf({ ...NOTHING, account: NOTHING }) * this.#claimedPerSlot
  }

  /** How many more may be claimed of each recipient queue that is under way or rests. */
  roomAt(now: Date): ReadonlyMap<string, number> {
    const room = new Map<string, number>()
    for (const [id, lane] of this.#queues) {
      const { account } = lane
      const ofAccount = this.#roomOf(account, this.#accountCapOf(account))
      room.set(id, Math.max(0, Math.min(ofAccount, this.#roomOf(lane, this.#capOf(lane)))))
    }
    for (const id of this.rests.lanes) {
      room.set(id, this.rests.isResting(id, now) || this.#queues.has(id) ? 0 : 1)
    }
    return room
  }

  /** Calls `start` at once, or when a place becomes free. */
  admit(id: string, accountId: string, start: () => void): void {
    this.#total += 1
    const account = this.#accounts.get(accountId) ?? { ...NOTHING }
    this.#accounts.set(accountId, account)
    const lane = this.#queues.get(id) ?? { ...NOTHING, accountId, account, waiting: [] }
    this.#queues.set(id, lane)
    lane.waiting.push(start)
    for (const share of [lane, account]) share.waits += 1
    this.#startOf(lane)
  }

  /**
   * The send takes longer than usual, perhaps because of its recipient: others of its queue may
   * start beside it.
   */
  markSlow(id: string): void {
    const lane = this.#queues.get(id)
    if (lane === undefined) return
    for (const share of [lane, lane.account]) share.slow += 1
    this.#startOf(lane)
  }

  /** Frees the place of a send that is still to be recorded. Returns how many of its queue wait. */
  release(id: string, wasSlow: boolean): number {
    const lane = this.#queues.get(id)
    if (lane === undefined) return 0
    const { account, accountId } = lane
    for (const share of [lane, account]) {
      share.sending -= 1
      if (wasSlow) share.slow -= 1
    }
    this.#sending -= 1
    this.#startOf(lane)
    for (const other of this.#queues.values()) {
      if (this.#sending >= this.#atOnce) break
      this.#startOf(other)
    }
    if (isIdle(lane)) this.#queues.delete(id)
    if (isIdle(account)) this.#accounts.delete(accountId)
    return lane.waits
  }

  markRecorded(): void {
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

  /** How many more may be claimed of it. */
  #roomOf(share: Share, cap: number): number {
    return cap * this.#claimedPerSlot - quickOf(share) - share.waits
  }

  /** How many sends of a recipient queue may be under way, apart from slow ones. */
  #capOf(lane: Pick<Lane, keyof Share | 'account'>): number {
    const cap = this.#accountCapOf(lane.account)
    // For messages an account has one recipient queue, which may have the whole share.
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

  /** Otherwise one recipient queue may have all places. */
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

/** A silent endpoint holds a place for the whole time limit; so it is asked seldom. */
const REST: Backoff = { firstMs: SECOND, mostMs: MINUTE }

/** Endpoints that get nothing for a while, longer each time, because they do not answer. */
class Rests {
  readonly #silences = new Map<string, { readonly inARow: number; readonly until: Date }>()

  /** Recipient queues without an answer since the last silence, resting or not. */
  get lanes(): Iterable<string> {
    return this.#silences.keys()
  }

  /** Deliveries that were claimed before need not be sent either. */
  isResting(lane: string, now: Date): boolean {
    const silence = this.#silences.get(lane)
    return silence !== undefined && silence.until > now
  }

  markAnswered(lane: string): void {
    this.#silences.delete(lane)
  }

  /** Returns until when it rests. Sends that were under way together count once. */
  markSilent(lane: string, now: Date): Date {
    const before = this.#silences.get(lane)
    if (before !== undefined && before.until > now) return before.until
    const inARow = (before?.inARow ?? 0) + 1
    const until = after(now, backoffMs(REST, inARow))
    this.#silences.set(lane, { inARow, until })
    return until
  }
}
