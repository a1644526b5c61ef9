// The places for sends under way in this process, shared fairly between accounts and between the
// lanes of an account. A claim takes only rows that have a place, so no claimed row waits.

import type { ChannelAdapter } from './channel-adapter.ts'
import type { Room } from './claim-due.ts'

/**
 * An account may have this part of the places that other accounts leave free, and an endpoint this
 * part of what the account's other endpoints leave of that.
 */
const PART_OF_FREE = 0.5

/** Slow sends do not count against the share of their account, up to this part of all places. */
const MOST_OF_ACCOUNT = 0.7

type Limits = Pick<ChannelAdapter, 'atOnce' | 'atOnceALane' | 'perSecond'>

/** The places that an account, or one of its lanes, has. */
interface Share {
  sending: number
  /** Those of them that take longer than usual. */
  slow: number
}

interface Lane extends Share {
  readonly accountId: string
  readonly account: Share
}

export class Places {
  readonly #atOnce: number
  readonly #atOnceALane: number
  /** Each lane has a provider of its own. */
  readonly #isApart: boolean
  readonly #lanes = new Map<string, Lane>()
  readonly #accounts = new Map<string, Share>()
  #taken = 0

  constructor({ atOnce, atOnceALane, perSecond }: Limits) {
    this.#atOnce = atOnce
    this.#atOnceALane = atOnceALane
    this.#isApart = perSecond === undefined
  }

  get free(): number {
    return this.#atOnce - this.#taken
  }

  get room(): Room {
    const lanes = [...this.#lanes].map(
      ([id, lane]) => [id, leftOf(this.#capOf(lane), lane)] as const,
    )
    const accounts = [...this.#accounts].map(
      ([id, account]) => [id, leftOf(this.#accountCapOf(account), account)] as const,
    )
    return {
      mostALane: this.#capOf({ ...NOTHING, account: NOTHING }),
      mostAnAccount: this.#accountCapOf(NOTHING),
      lanes: new Map(lanes),
      accounts: new Map(accounts),
    }
  }

  take(id: string, accountId: string): void {
    const account = this.#accounts.get(accountId) ?? { ...NOTHING }
    this.#accounts.set(accountId, account)
    const lane = this.#lanes.get(id) ?? { ...NOTHING, accountId, account }
    this.#lanes.set(id, lane)
    this.#taken += 1
    for (const share of [lane, account]) share.sending += 1
  }

  /**
   * The send takes longer than usual, perhaps because of its recipient: others of its lane may
   * start beside it.
   */
  markSlow(id: string): void {
    const lane = this.#lanes.get(id)
    if (lane === undefined) return
    for (const share of [lane, lane.account]) share.slow += 1
  }

  leave(id: string, wasSlow: boolean): void {
    const lane = this.#lanes.get(id)
    if (lane === undefined) return
    this.#taken -= 1
    for (const share of [lane, lane.account]) {
      share.sending -= 1
      if (wasSlow) share.slow -= 1
    }
    if (lane.sending === 0) this.#lanes.delete(id)
    if (lane.account.sending === 0) this.#accounts.delete(lane.accountId)
  }

  /** How many sends of a lane may be under way, apart from slow ones. */
  #capOf(lane: Share & Pick<Lane, 'account'>): number {
    const cap = this.#accountCapOf(lane.account)
    // For messages an account has one lane, which may have the whole share.
    if (!this.#isApart || !this.#isShared) return cap
    const leftByOthers = cap - (quickOf(lane.account) - quickOf(lane))
    return Math.max(1, Math.min(this.#atOnceALane, Math.floor(leftByOthers * PART_OF_FREE)))
  }

  #accountCapOf(account: Share): number {
    if (!this.#isShared) return this.#atOnce
    const most = Math.floor(this.#atOnce * MOST_OF_ACCOUNT) - account.slow
    const leftByOthers = this.#atOnce - (this.#taken - quickOf(account))
    return Math.min(most, Math.max(1, Math.floor(leftByOthers * PART_OF_FREE)))
  }

  /** Otherwise one lane may have all places. */
  get #isShared(): boolean {
    return this.#atOnceALane < this.#atOnce
  }
}

const NOTHING: Share = { sending: 0, slow: 0 }

function quickOf({ sending, slow }: Share): number {
  return sending - slow
}

function leftOf(cap: number, share: Share): number {
  return Math.max(0, cap - quickOf(share))
}
