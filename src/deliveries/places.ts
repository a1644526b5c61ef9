// The places for sends under way in this process, shared fairly between accounts and between the
// recipient queues of an account: one queue for each endpoint, and one for all e-mails
// (or texts) of an account. A claim takes only rows that have a place, so no claimed row waits.

import type { ChannelAdapter } from './channel-adapter.ts'
import type { Room } from './claim-due-deliveries.ts'

/**
 * An account may have this part of the places that other accounts leave free, and an endpoint this
 * part of what the account's other endpoints leave of that.
 */
const PART_OF_FREE = 0.5

/** Slow sends do not count against the share of their account, up to this part of all places. */
const MOST_OF_ACCOUNT = 0.7

type Limits = Pick<ChannelAdapter, 'atOnce' | 'atOnceAnEndpoint'>

/** The places that an account, or one of its recipient queues, has. */
interface Share {
  sending: number
  /** Those of them that take longer than usual. */
  slow: number
}

interface RecipientQueue extends Share {
  readonly accountId: string
  readonly account: Share
}

export class Places {
  readonly #atOnce: number
  readonly #atOnceAnEndpoint: number | undefined
  readonly #queues = new Map<string, RecipientQueue>()
  readonly #accounts = new Map<string, Share>()
  #taken = 0

  constructor({ atOnce, atOnceAnEndpoint }: Limits) {
    this.#atOnce = atOnce
    this.#atOnceAnEndpoint = atOnceAnEndpoint
  }

  get free(): number {
    return this.#atOnce - this.#taken
  }

  get room(): Room {
    const queues = [...this.#queues].map(
      ([id, queue]) => [id, leftOf(this.#capOf(queue), queue)] as const,
    )
    const accounts = [...this.#accounts].map(
      ([id, account]) => [id, leftOf(this.#accountCapOf(account), account)] as const,
    )
    return {
      mostAQueue: this.#capOf({ ...NOTHING, account: NOTHING }),
      mostAnAccount: this.#accountCapOf(NOTHING),
      queues: new Map(queues),
      accounts: new Map(accounts),
    }
  }

  take(id: string, accountId: string): void {
    const account = this.#accounts.get(accountId) ?? { ...NOTHING }
    this.#accounts.set(accountId, account)
    const queue = this.#queues.get(id) ?? { ...NOTHING, accountId, account }
    this.#queues.set(id, queue)
    this.#taken += 1
    for (const share of [queue, account]) share.sending += 1
  }

  /**
   * The send takes longer than usual, perhaps because of its recipient: others of its queue may
   * start beside it.
   */
  markSlow(id: string): void {
    const queue = this.#queues.get(id)
    if (queue === undefined) return
    for (const share of [queue, queue.account]) share.slow += 1
  }

  leave(id: string, wasSlow: boolean): void {
    const queue = this.#queues.get(id)
    if (queue === undefined) return
    this.#taken -= 1
    for (const share of [queue, queue.account]) {
      share.sending -= 1
      if (wasSlow) share.slow -= 1
    }
    if (queue.sending === 0) this.#queues.delete(id)
    if (queue.account.sending === 0) this.#accounts.delete(queue.accountId)
  }

  /** How many sends of a recipient queue may be under way, apart from slow ones. */
  #capOf(queue: Share & Pick<RecipientQueue, 'account'>): number {
    const cap = this.#accountCapOf(queue.account)
    // For messages an account has one recipient queue, which may have the whole share.
    if (this.#atOnceAnEndpoint === undefined) return cap
    const leftByOthers = cap - (quickOf(queue.account) - quickOf(queue))
    return Math.max(1, Math.min(this.#atOnceAnEndpoint, Math.floor(leftByOthers * PART_OF_FREE)))
  }

  #accountCapOf(account: Share): number {
    const most = Math.floor(this.#atOnce * MOST_OF_ACCOUNT) - account.slow
    const leftByOthers = this.#atOnce - (this.#taken - quickOf(account))
    return Math.min(most, Math.max(1, Math.floor(leftByOthers * PART_OF_FREE)))
  }
}

const NOTHING: Share = { sending: 0, slow: 0 }

function quickOf({ sending, slow }: Share): number {
  return sending - slow
}

function leftOf(cap: number, share: Share): number {
  return Math.max(0, cap - quickOf(share))
}
