// The outcome of a delivery, for every answer on every channel, and the time of its retry.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type DeliveryChannel,
  type DeliveryOutcome,
  type DueDelivery,
  deliveryOutcome,
  OLDEST_MESSAGE_MS,
  type ParkedReason,
  type SendAnswer,
} from '../../src/core/delivery.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../src/core/time-units.ts'

const NOW = new Date('2026-03-06T22:00:00.000Z')

const CHANNELS: readonly DeliveryChannel[] = ['email', 'sms', 'webhook']

const REASONS: readonly ParkedReason[] = ['refused', 'opted_out', 'undelivered', 'no_target']

/** The waits between the tries, and their number, as promised for each channel. */
const PLANS: Readonly<Record<DeliveryChannel, readonly number[]>> = {
  email: [
    ...[1, 2, 4, 8, 16, 32, 64, 128].map((minutes) => minutes * MINUTE),
    ...Array<number>(5).fill(4 * HOUR),
  ],
  sms: [30, 60, 120, 240, 480].map((seconds) => seconds * SECOND),
  webhook: [5 * SECOND, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map((h) => h * HOUR)],
}

const FAILED: SendAnswer = { kind: 'failed', detail: 'try later' }
const SILENT: SendAnswer = { kind: 'silent', detail: 'no answer' }
const AWAY: SendAnswer = { kind: 'away', detail: 'connection refused' }
const THROTTLED: SendAnswer = { kind: 'throttled', detail: 'too many' }

/** The longest wait that jitter makes. */
const LATEST = 0.999_999

function owed(channel: DeliveryChannel, tries = 0, ageMs = 0): DueDelivery {
  return { channel, tries, owedAt: new Date(NOW.getTime() - ageMs) }
}

function waitOf({ dueAt }: DeliveryOutcome): number {
  return (dueAt?.getTime() ?? Number.NaN) - NOW.getTime()
}

describe.each(CHANNELS)('a delivery by %s', (channel) => {
  it('that was taken is sent, and no longer due', () => {
    const answer: SendAnswer = { kind: 'taken', providerId: 'abc' }
    const sent = { status: 'sent', tries: 4, dueAt: null, reason: null }
    expect(deliveryOutcome(owed(channel, 3, 9 * DAY), answer, NOW, 0.5)).toEqual(sent)
  })

  it.each(REASONS)('that is refused as %s is parked for it at once', (reason) => {
    const answer: SendAnswer = { kind: 'refused', reason, detail: 'never' }
    const parked = { status: 'parked', tries: 1, dueAt: null, reason }
    expect(deliveryOutcome(owed(channel), answer, NOW, 0.5)).toEqual(parked)
  })

  describe.each([
    ['failed', FAILED],
    ['was left without an answer', SILENT],
  ])('that %s', (_how, answer) => {
    it('is retried by its plan, and is parked when the plan is used up', () => {
      const plan = PLANS[channel]
      const outcomes = plan.map((_, tries) => deliveryOutcome(owed(channel, tries), answer, NOW, 0))
      expect(outcomes.map(waitOf)).toEqual(plan)
      expect(outcomes.map(({ status, tries }) => ({ status, tries }))).toEqual(
        plan.map((_, i) => ({ status: 'pending', tries: i + 1 })),
      )
      const last = deliveryOutcome(owed(channel, plan.length), answer, NOW, 0)
      const parked = { status: 'parked', dueAt: null, reason: 'out_of_tries' }
      expect(last).toEqual({ ...parked, tries: plan.length + 1 })
    })

    it('has the same waits, however old it is', () => {
      const old = deliveryOutcome(owed(channel, 1, 30 * DAY), answer, NOW, 0)
      expect(old).toEqual(deliveryOutcome(owed(channel, 1), answer, NOW, 0))
    })

    it('is retried at most a quarter later than planned', () => {
      const plan = PLANS[channel]
      const latest = plan.map((_, tries) =>
        waitOf(deliveryOutcome(owed(channel, tries), answer, NOW, LATEST)),
      )
      expect(latest).toEqual(plan.map((waitMs) => Math.round(waitMs * (1 + LATEST / 4))))
    })
  })

  it('that failed waits as long as the provider asks, but no shorter than planned', () => {
    const [planned = 0] = PLANS[channel]
    const delayed = (waitMs: number) =>
      waitOf(deliveryOutcome(owed(channel), { ...FAILED, waitMs }, NOW, 0))
    expect([delayed(0), delayed(planned - 1), delayed(planned + 1), delayed(DAY)]).toEqual([
      planned,
      planned,
      planned + 1,
      DAY,
    ])
  })

  // Each endpoint is its own provider: "away" means a fault of ours.
  const unasked: readonly (readonly [string, SendAnswer])[] = [
    ['everybody is throttled', THROTTLED],
    ...(channel === 'webhook' ? [] : [['its provider is away', AWAY] as const]),
  ]
  describe.each(unasked)('while %s', (_how, answer) => {
    it.each([0, 1, PLANS[channel].length])('has its %i tries and no more', (tries) => {
      const outcome = deliveryOutcome(owed(channel, tries), answer, NOW, 0)
      expect(outcome).toEqual({
        status: 'pending',
        tries,
        dueAt: new Date(NOW.getTime() + SECOND),
        reason: null,
      })
    })

    it('is due for three days, and then parked as expired', () => {
      const aged = (ageMs: number) => deliveryOutcome(owed(channel, 2, ageMs), answer, NOW, 0)
      expect(OLDEST_MESSAGE_MS).toBe(3 * DAY)
      expect(aged(3 * DAY - 2 * SECOND).status).toBe('pending')
      const parked = { status: 'parked', tries: 2, dueAt: null, reason: 'expired' }
      expect([aged(3 * DAY), aged(4 * DAY)]).toEqual([parked, parked])
    })
  })

  it('is retried after the time of throttling that the provider asks for', () => {
    const outcome = deliveryOutcome(owed(channel), { ...THROTTLED, waitMs: MINUTE }, NOW, 0)
    expect(waitOf(outcome)).toBe(MINUTE)
  })
})

describe('an event that the service itself cannot send to its endpoint', () => {
  /** The waits if every attempt fails like that, from the first one. */
  function attempts(): { readonly waits: readonly number[]; readonly last: DeliveryOutcome } {
    const waits: number[] = []
    let ageMs = 0
    for (;;) {
      const outcome = deliveryOutcome(owed('webhook', 2, ageMs), AWAY, NOW, 0)
      if (outcome.status !== 'pending') return { waits, last: outcome }
      waits.push(waitOf(outcome))
      ageMs += waitOf(outcome)
    }
  }

  it('keeps all its tries, and is attempted no more often than every ten minutes', () => {
    const { waits, last } = attempts()
    expect(waits.slice(0, 3)).toEqual([5 * SECOND, 5 * SECOND, 5 * SECOND])
    expect(waits.every((wait, i) => wait >= (waits[i - 1] ?? 0))).toBe(true)
    expect(waits.at(-1)).toBe(10 * MINUTE)
    expect(waits.length).toBeLessThan((7 * DAY) / (10 * MINUTE) + 30)
    expect(last).toEqual({ status: 'parked', tries: 2, dueAt: null, reason: 'expired' })
  })
})

describe('for every answer', () => {
  const random = fc.double({ min: 0, max: LATEST, noNaN: true })
  const waitMs = fc.option(fc.integer({ min: 0, max: 400 * DAY }), { nil: undefined })
  const answers: fc.Arbitrary<SendAnswer> = fc.oneof(
    fc.record({ kind: fc.constant('taken' as const), providerId: fc.constant(null) }),
    fc.constantFrom(...REASONS).map((reason) => ({ kind: 'refused', reason, detail: '' }) as const),
    waitMs.map((ms) => ({ ...FAILED, waitMs: ms })),
    waitMs.map((ms) => ({ ...THROTTLED, waitMs: ms })),
    fc.constantFrom(SILENT, AWAY),
  )
  const deliveries = fc.record({
    channel: fc.constantFrom(...CHANNELS),
    tries: fc.nat(20),
    owedAt: fc.integer({ min: 0, max: 9 * DAY }).map((ageMs) => new Date(NOW.getTime() - ageMs)),
  })

  function check(
    holds: (outcome: DeliveryOutcome, delivery: DueDelivery, answer: SendAnswer) => void,
  ): void {
    fc.assert(
      fc.property(deliveries, answers, random, (delivery, answer, chance) => {
        holds(deliveryOutcome(delivery, answer, NOW, chance), delivery, answer)
      }),
      { numRuns: 3_000 },
    )
  }

  it('a retry comes neither before the planned time nor before the time that was asked for', () => {
    const seen = new Set<string>()
    check((outcome, { channel, tries }, answer) => {
      if (outcome.status !== 'pending') return
      seen.add(answer.kind)
      const isTry = answer.kind === 'failed' || answer.kind === 'silent'
      expect(waitOf(outcome)).toBeGreaterThanOrEqual(isTry ? (PLANS[channel][tries] ?? DAY) : 0)
      if ('waitMs' in answer) expect(waitOf(outcome)).toBeGreaterThanOrEqual(answer.waitMs ?? 0)
    })
    // Otherwise the property would prove nothing.
    expect([...seen].sort()).toEqual(['away', 'failed', 'silent', 'throttled'])
  })

  it('a delivery is due exactly if it is pending, and has a reason exactly if it is parked', () => {
    check((outcome) => {
      expect(outcome.dueAt !== null).toBe(outcome.status === 'pending')
      expect(outcome.reason !== null).toBe(outcome.status === 'parked')
    })
  })

  it('a try is counted exactly if a provider was asked about this delivery', () => {
    check((outcome, { tries }, { kind }) => {
      const isUncounted = kind === 'away' || kind === 'throttled'
      expect(outcome.tries).toBe(isUncounted ? tries : tries + 1)
    })
  })
})
