// How much a process takes on at once. What it could not answer in time is refused before anything
// is begun, and what it has taken on keeps its pace.
//
// There are two bounds. Requests that are worked on are few, and others wait their turn for a
// moment: more at once would not be done sooner, and would keep the process from everything else.
// Payments that wait for their outcome cost next to nothing here, but each was handed to workers
// who do so many a second: as many may wait as these decide within a part of the callers' wait.
//
// Both bounds are shared fairly: a caller below its share (the bound, divided by the callers there
// are) is let in although a bound is reached. So a flood of one caller is refused, and those beside
// it are not.

import assert from 'node:assert'
import { RecentRate } from './recent-rate.ts'
import { SECOND } from './time-units.ts'

export interface AdmissionNeeds {
  /** How long the caller of a payment waits. */
  readonly waitMs: number
  readonly nowMs: () => number
  /** In [0, 1). */
  readonly random: () => number
}

export type RequestKind = 'payment' | 'other'

export type RefusedFor = 'work' | 'payments'

export type Admitted =
  | { readonly kind: 'admitted'; readonly place: Place }
  | { readonly kind: 'refused'; readonly for: RefusedFor; readonly retryAfterS: number }

/** Keeps the database and one core busy: the rounds that it makes are large enough to be cheap. */
export const MOST_WORKING = 128

/** Some times what is worked on: about as much as arrives while the process is held up. */
export const MOST_QUEUED = 512

/**
 * Of the callers' wait: a request that is not begun by then is refused, and there is still time for
 * another try.
 */
export const QUEUED_SHARE = 0.3

/** May wait at any pace for a moment: a burst says nothing of how many could be decided. */
export const BURST_PAYMENTS = 512
export const BURST_MS = 2 * SECOND

/** May always wait. */
const FEWEST_PAYMENTS = 64

/** While nothing is decided (no gateway answers, no worker lives) there is no pace to go by. */
export const MOST_UNDECIDED = 2_048

/** Of the callers' wait, what payments are to wait for at the pace of the moment, and at most. */
const WAIT_SHARE = 0.1
const MOST_WAIT_SHARE = 0.5

const LONGEST_RETRY_S = 30

/** Anybody can make up names: all that were never valid here share what one caller has. */
const STRANGER = ''

/** A caller that was forgotten is a stranger for one request. */
const MOST_KNOWN = 10_000

interface Caller {
  readonly name: string
  working: number
  payments: number
  readonly queue: Waiting[]
}

interface Waiting {
  readonly place: Place
  readonly resolve: (admitted: Admitted) => void
}

export class Admission {
  readonly #needs: AdmissionNeeds
  readonly #callers = new Map<string, Caller>()
  readonly #known = new Set<string>()
  /** Callers with a queue, the next one first. */
  readonly #turns: Caller[] = []
  readonly #decided: RecentRate
  readonly #refused: RecentRate
  #refusals = 0
  #working = 0
  #queued = 0
  #payments = 0
  /** Since when there have been more payments than the fewest. */
  #manySinceMs = 0

  constructor(needs: AdmissionNeeds) {
    this.#needs = needs
    this.#decided = new RecentRate(needs.nowMs)
    this.#refused = new RecentRate(needs.nowMs)
  }

  /** What is under way. */
  get counts(): { readonly working: number; readonly queued: number; readonly payments: number } {
    return { working: this.#working, queued: this.#queued, payments: this.#payments }
  }

  /** How many were refused since this was asked last. */
  takeRefused(): number {
    const refused = this.#refusals
    this.#refusals = 0
    return refused
  }

  /** `name` tells callers apart. The answer may come later. */
  async enter(name: string, kind: RequestKind): Promise<Admitted> {
    const caller = this.#callerOf(this.#known.has(name) ? name : STRANGER)
    const { working, payments, queue } = caller
    if (kind === 'payment' && !this.#hasRoom(payments, this.#payments, this.#mostPayments())) {
      return this.#refuse(caller, 'payments')
    }
    const isNext = queue.length === 0 && this.#hasRoom(working, this.#working, MOST_WORKING)
    if (!isNext && !this.#hasRoom(queue.length, this.#queued, MOST_QUEUED)) {
      return this.#refuse(caller, 'work')
    }
    if (kind === 'payment') this.#count(caller, 'payments', 1)
    const place = new Place(this, caller, kind, this.#needs.nowMs())
    if (isNext) return this.#begin(place)
    return new Promise((resolve) => {
      if (queue.push({ place, resolve }) === 1) this.#turns.push(caller)
      this.#queued += 1
    })
  }

  /** The caller is who it says: from now on it has a share of its own. */
  remember(name: string): void {
    if (this.#known.has(name)) return
    const [oldest] = this.#known
    if (oldest !== undefined && this.#known.size >= MOST_KNOWN) this.#known.delete(oldest)
    this.#known.add(name)
  }

  /** Refuses what has waited too long for its turn. To be called now and then. */
  refuseLate(): void {
    const before = this.#needs.nowMs() - QUEUED_SHARE * this.#needs.waitMs
    for (const caller of [...this.#turns]) {
      for (let [late] = caller.queue; late !== undefined && late.place.arrivedMs < before; ) {
        this.#dequeue(caller)
        if (late.place.kind === 'payment') this.#count(caller, 'payments', -1)
        late.resolve(this.#refuse(caller, 'work'))
        late = caller.queue[0]
      }
    }
  }

  /** For a place: its work is done, or waits for others. */
  endWork(caller: Caller): void {
    this.#count(caller, 'working', -1)
    while (this.#working < MOST_WORKING) {
      const [next] = this.#turns
      if (next === undefined) return
      const { place, resolve } = this.#dequeue(next)
      // The next turn is another caller's.
      if (this.#turns[0] === next) this.#turns.push(...this.#turns.splice(0, 1))
      resolve(this.#begin(place))
    }
  }

  endPayment(caller: Caller, isDecided: boolean): void {
    if (isDecided) this.#decided.add()
    this.#count(caller, 'payments', -1)
  }

  #begin(place: Place): Admitted {
    this.#count(place.caller, 'working', 1)
    return { kind: 'admitted', place }
  }

  #dequeue(caller: Caller): Waiting {
    const first = caller.queue.shift()
    assert(first !== undefined, 'a caller has a turn while it has a queue')
    this.#queued -= 1
    if (caller.queue.length === 0) this.#turns.splice(this.#turns.indexOf(caller), 1)
    return first
  }

  /** All shares together are no more than the bound, or one for each caller that is known. */
  #hasRoom(own: number, all: number, most: number): boolean {
    return all < most || own < Math.max(1, most / this.#callers.size)
  }

  #mostPayments(): number {
    const aSecond = this.#decided.best()
    if (aSecond === 0) return MOST_UNDECIDED
    const inTime = (aSecond * this.#needs.waitMs) / SECOND
    const most = Math.max(BURST_PAYMENTS, WAIT_SHARE * inTime)
    const isBurst = this.#needs.nowMs() - this.#manySinceMs < BURST_MS
    return isBurst ? most : Math.max(FEWEST_PAYMENTS, Math.min(most, MOST_WAIT_SHARE * inTime))
  }

  /** The more are refused at the pace of the moment, the later they are to come back. */
  #refuse(caller: Caller, reason: RefusedFor): Admitted {
    this.#refused.add()
    this.#refusals += 1
    this.#forgetIdle(caller)
    const rounds = 1 + this.#refused.best() / Math.max(1, this.#decided.best())
    const retryAfterS = 1 + Math.floor(this.#needs.random() * Math.min(rounds, LONGEST_RETRY_S))
    return { kind: 'refused', for: reason, retryAfterS }
  }

  #count(caller: Caller, what: 'working' | 'payments', by: 1 | -1): void {
    caller[what] += by
    if (what === 'working') this.#working += by
    else this.#countPayments(by)
    this.#forgetIdle(caller)
  }

  #countPayments(by: 1 | -1): void {
    this.#payments += by
    if (this.#payments <= FEWEST_PAYMENTS) this.#manySinceMs = this.#needs.nowMs()
  }

  #callerOf(name: string): Caller {
    const known = this.#callers.get(name) ?? { name, working: 0, payments: 0, queue: [] }
    this.#callers.set(name, known)
    return known
  }

  #forgetIdle(caller: Caller): void {
    const { name, working, payments, queue } = caller
    if (working + payments + queue.length === 0) this.#callers.delete(name)
  }
}

/** What an admitted request holds. */
export class Place {
  readonly kind: RequestKind
  readonly caller: Caller
  readonly arrivedMs: number
  readonly #admission: Admission
  #isWorking = true
  #isHeld = true

  constructor(admission: Admission, caller: Caller, kind: RequestKind, arrivedMs: number) {
    this.kind = kind
    this.caller = caller
    this.arrivedMs = arrivedMs
    this.#admission = admission
  }

  /** From here on it only waits for the outcome of a payment. */
  endWork(): void {
    if (!this.#isWorking) return
    this.#isWorking = false
    this.#admission.endWork(this.caller)
  }

  /** `isDecided`: the payment has its outcome. What is called later does nothing. */
  leave(isDecided = false): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    this.endWork()
    if (this.kind === 'payment') this.#admission.endPayment(this.caller, isDecided)
  }
}
