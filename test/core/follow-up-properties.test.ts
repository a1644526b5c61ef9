// Properties of every transaction, whatever follow-up is requested.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decide,
  type FollowUpDecision,
  type FollowUpFacts,
  type FollowUpInput,
  flagsOf,
} from '../../src/core/follow-up.ts'
import { followUpFacts } from '../support/follow-up-facts.ts'

const RUNS = { numRuns: 1_500 }

const input: fc.Arbitrary<FollowUpInput> = fc.record({
  operation: fc.constantFrom('void', 'refund', 'capture', 'void_or_refund'),
  total: often(fc.bigInt({ min: 1n, max: 2_100n })),
  previouslyRefunded: often(fc.bigInt({ min: 0n, max: 20n })),
})

describe('a decision', () => {
  it('grants no more than there is', () => {
    const granted = new Set<string>()
    fc.assert(
      fc.property(followUpFacts, input, (t, asked) => {
        const decision = decide(t, asked)
        if (decision.kind === 'refused') return
        granted.add(decision.type)
        expect(decision.amount).toBeGreaterThan(0n)
        expect(decision.amount).toBe(asked.total ?? wholeOf(t, decision.type))
        expect(decision.amount <= wholeOf(t, decision.type)).toBe(true)
      }),
      RUNS,
    )
    // Otherwise the property would prove nothing.
    expect([...granted].sort()).toEqual(['capture', 'refund', 'void'])
  })

  it('agrees with the flags', () => {
    fc.assert(
      fc.property(followUpFacts, (t) => {
        expect(flagsOf(t)).toEqual({
          isVoidable: isGranted(decide(t, { operation: 'void' })),
          isRefundable: isGranted(decide(t, { operation: 'refund' })),
        })
      }),
      RUNS,
    )
  })

  it('lets nothing be both voided and refunded', () => {
    fc.assert(
      fc.property(followUpFacts, (t) => {
        const { isVoidable, isRefundable } = flagsOf(t)
        expect(isVoidable && isRefundable).toBe(false)
      }),
      RUNS,
    )
  })

  it('about a void or refund is the one that the batch leaves possible', () => {
    fc.assert(
      fc.property(followUpFacts, input, (t, asked) => {
        const operation = t.isBatched ? 'refund' : 'void'
        const either = decide(t, { ...asked, operation: 'void_or_refund' })
        expect(either).toEqual(decide(t, { ...asked, operation }))
      }),
      RUNS,
    )
  })

  it('grants a refund of exactly the rest if one is possible, and not a cent more', () => {
    fc.assert(
      fc.property(followUpFacts, (t) => {
        fc.pre(flagsOf(t).isRefundable)
        const left = wholeOf(t, 'refund')
        const exact = decide(t, { operation: 'refund', total: left })
        expect(exact).toEqual({ kind: 'granted', type: 'refund', amount: left })
        expect(isGranted(decide(t, { operation: 'refund', total: left + 1n }))).toBe(false)
      }),
      RUNS,
    )
  })

  it('grants refunds until nothing is left, and they add up', () => {
    const parts = fc.array(fc.bigInt({ min: 1n, max: 700n }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(followUpFacts, parts, (first, wanted) => {
        fc.pre(flagsOf(first).isRefundable)
        let t = first
        for (const total of wanted) {
          const decision = decide(t, { operation: 'refund', total })
          const left = wholeOf(t, 'refund')
          expect(isGranted(decision)).toBe(total <= left)
          if (isGranted(decision)) t = { ...t, refunded: t.refunded + total }
          expect(flagsOf(t).isRefundable).toBe(wholeOf(t, 'refund') > 0n)
        }
        expect(t.refunded + t.reserved <= t.captured).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })
})

/** Half of the requests leave it out: a random amount is refused nearly always. */
function often(amount: fc.Arbitrary<bigint>): fc.Arbitrary<bigint | undefined> {
  return fc.option(amount, { nil: undefined, freq: 1 })
}

function isGranted(decision: FollowUpDecision): boolean {
  return decision.kind === 'granted'
}

/** The whole amount, or all that is left. */
function wholeOf(t: FollowUpFacts, type: 'void' | 'refund' | 'capture'): bigint {
  switch (type) {
    case 'void':
      return t.total
    case 'refund':
      return t.captured - t.refunded - t.reserved
    case 'capture':
      return t.total - t.captured - t.reserved
  }
}
