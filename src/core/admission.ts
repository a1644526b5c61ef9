// Limits how many requests a process accepts at once. A request that could not be answered in time
// is refused before any work starts, so accepted requests stay fast.
//
// There are two limits. Few requests are worked on at once and others queue briefly: more at once
// would finish no sooner and would block the process. Payments that wait for their outcome cost
// almost nothing here, but workers decide only so many a second: the number of waiting payments is
// limited to what the workers decide within a part of the callers' wait.
//
// Both limits are shared fairly: a caller below its share (the limit divided by the number of
// callers) is admitted even when a limit is reached. So a flood from one caller is refused and
// other callers are not.

import assert from 'node:assert'
import { SECOND } from './time-units.ts'

interface AdmissionNeeds {
  /** How long the caller of a payment waits for its outcome. */
  readonly waitMs: number
  readonly nowMs: () => number
  /** In [0, 1). */
  readonly random: () => number
}

export type RequestKind = 'payment' | 'other'

type RefusedFor = 'work' | 'payments'

export type Admitted =
  | { readonly kind: 'admitted'; readonly place: AdmissionSlot }
  | { readonly kind: 'refused'; readonly for: RefusedFor; readonly retryAfterS: number }

/** Enough to keep the database and one core busy with statements of many rows. */
export const MOST_WORKING = 128

/** About as many as arrive while the process is busy for a moment. */
export const MOST_QUEUED = 512

/** The part of the callers' wait after which a queued request is refused, in time for a retry. */
export const QUEUED_SHARE = 0.3

/** A short burst may have this many: it does not show yet how fast the workers are. */
export const BURST_PAYMENTS = 512
export const BURST_MS = 2 * SECOND

/** This many may wait at any rate of decisions. */
const FEWEST_PAYMENTS = 64

/** The limit while nothing is decided, so that no rate is known. */
export const MOST_UNDECIDED = 2_048

/** Parts of the callers' wait for which payments may queue: in a burst, and at a steady rate. */
const WAIT_SHARE = 0.1
const MOST_WAIT_SHARE = 0.5

const LONGEST_RETRY_S = 30

/** Callers can invent names: all names that were never valid share one caller's part. */
const STRANGER = ''

/** A forgotten caller counts as unknown for one request. */
const MOST_KNOWN = 10_000

interface Caller {
  readonly name: string
  working: number
  payments: number
  readonly queue: Waiting[]
}

interface Waiting {
  readonly place: AdmissionSlot
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
  /** The last time at which no more than FEWEST_PAYMENTS waited. */
  #manySinceMs = 0

  constructor(needs: AdmissionNeeds) {
    this.#needs = needs
    this.#decided = new RecentRate(needs.nowMs)
    this.#refused = new RecentRate(needs.nowMs)
  }

  get counts(): { readonly working: number; readonly queued: number; readonly payments: number } {
    return { working: this.#working, queued: this.#queued, payments: this.#payments }
  }

  /** Returns how many were refused since the last call. */
  takeRefused(): number {
    const refused = this.#refusals
    this.#refusals = 0
    return refused
  }

  /** `name` identifies the caller. Resolves once the request may start, or is refused. */
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
    const place = new AdmissionSlot(this, caller, kind, this.#needs.nowMs())
    if (isNext) return this.#begin(place)
    return new Promise((resolve) => {
      if (queue.push({ place, resolve }) === 1) this.#turns.push(caller)
      this.#queued += 1
    })
  }

  /** The caller's key was valid, so the caller gets a share of its own. */
  remember(name: string): void {
    if (this.#known.has(name)) return
    const [oldest] = this.#known
    if (oldest !== undefined && this.#known.size >= MOST_KNOWN) this.#known.delete(oldest)
    this.#known.add(name)
  }

  /** True if the caller's key was valid before. It may have been revoked since. */
  knows(name: string): boolean {
    return this.#known.has(name)
  }

  /** Refuses requests that have queued too long. The server calls it while any are queued. */
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

  /** Called by a place when its work is done or only waits for an outcome. */
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

  #begin(place: AdmissionSlot): Admitted {
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

  /** All shares together are at most the limit, or one for each caller. */
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

  /** The more requests are refused, the later callers should retry. */
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

/** Held by an admitted request until it is answered. */
export class AdmissionSlot {
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

  /** The request does no more work and only waits for a payment's outcome. */
  endWork(): void {
    if (!this.#isWorking) return
    this.#isWorking = false
    this.#admission.endWork(this.caller)
  }

  /** `isDecided`: the payment has its outcome. Later calls do nothing. */
  leave(isDecided = false): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    this.endWork()
    if (this.kind === 'payment') this.#admission.endPayment(this.caller, isDecided)
  }
}

const SECONDS = 3

/**
 * The recent rate of an event: the best of the last seconds, because a machine that stalls for one
 * second is no slower in the next.
 */
class RecentRate {
  readonly #nowMs: () => number
  /** By second, as far back as is needed. */
  readonly #counts = new Map<number, number>()

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  add(): void {
    const second = this.#second()
    this.#counts.set(second, (this.#counts.get(second) ?? 0) + 1)
    for (const past of this.#counts.keys()) {
      if (past + SECONDS > second) return
      this.#counts.delete(past)
    }
  }

  /** 0 if nothing has happened lately. */
  best(): number {
    const from = this.#second() - SECONDS
    let best = 0
    for (const [second, count] of this.#counts) if (second > from && count > best) best = count
    return best
  }

  #second(): number {
    return Math.floor(this.#nowMs() / SECOND)
  }
}
