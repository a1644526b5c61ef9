// The mail domains and phone numbers that the messages of one channel go to. One provider takes
// them all, but it may hang over one of them: then that destination rests, longer each time, and
// holds few of the sends under way meanwhile. A provider that hangs over several, and answers
// nothing about any other, hangs for everybody.

import { type Backoff, backoffMs } from '../core/backoff.ts'
import { after, MINUTE, SECOND } from '../core/time-units.ts'

const REST: Backoff = { firstMs: SECOND, mostMs: MINUTE }

/** A destination that has answered nothing yet may hang: more than these at once are put off. */
const MOST_UNTRIED = 2

/** As many that hang, without one answer between them, are a sign that it is not about them. */
const HANGING_FOR_ALL = 3

/** Destinations remembered; the one that was used longest ago is forgotten first. */
const MOST_KNOWN = 10_000

interface Destination {
  sending: number
  /** Its last send was answered in good time. */
  isTrusted: boolean
  /** How often it has been rested since its last answer. */
  rests: number
  restsUntil: Date | undefined
}

/** A domain is one in whatever case; a phone number is one by itself. */
export function destinationOf(recipient: string): string {
  return recipient.slice(recipient.lastIndexOf('@') + 1).toLowerCase()
}

export class Destinations {
  /** The one that was used longest ago first. */
  readonly #known = new Map<string, Destination>()
  /** Destinations that have hung since the provider last answered about any. */
  readonly #hanging = new Set<string>()

  /** Counts a send in, or answers until when it is put off. */
  admit(id: string, now: Date): Date | undefined {
    const one = this.#known.get(id) ?? newDestination()
    this.#known.delete(id)
    this.#known.set(id, one)
    this.#forgetOld()
    if (one.restsUntil !== undefined && one.restsUntil > now) return one.restsUntil
    const mostUntrusted = one.rests > 0 ? 1 : MOST_UNTRIED
    if (!one.isTrusted && one.sending >= mostUntrusted) return rest(one, now)
    one.sending += 1
    return undefined
  }

  /** A send ends, whatever became of it. */
  release(id: string): void {
    const one = this.#known.get(id)
    if (one !== undefined) one.sending -= 1
  }

  /** The provider has spoken about it, so it hangs neither for this destination nor for all. */
  hasAnswered(id: string): void {
    this.#hanging.clear()
    const one = this.#known.get(id)
    if (one === undefined) return
    one.isTrusted = true
    one.rests = 0
    one.restsUntil = undefined
  }

  /** Called once a send is slow, and again where no answer comes at all. */
  isHanging(id: string, now: Date): void {
    this.#hanging.add(id)
    const one = this.#known.get(id)
    if (one === undefined) return
    one.isTrusted = false
    if (one.restsUntil === undefined || one.restsUntil <= now) rest(one, now)
  }

  /** It is the provider that hangs, not a destination of its. */
  get isHangingForAll(): boolean {
    return this.#hanging.size >= HANGING_FOR_ALL
  }

  #forgetOld(): void {
    for (const [id, { sending }] of this.#known) {
      if (this.#known.size <= MOST_KNOWN) return
      if (sending === 0) this.#known.delete(id)
    }
  }
}

function newDestination(): Destination {
  return { sending: 0, isTrusted: false, rests: 0, restsUntil: undefined }
}

function rest(one: Destination, now: Date): Date {
  one.rests += 1
  one.restsUntil = after(now, backoffMs(REST, one.rests))
  return one.restsUntil
}
