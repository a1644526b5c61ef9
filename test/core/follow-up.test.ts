import { describe, expect, it } from 'vitest'
import {
  decide,
  type FollowUpFacts,
  type FollowUpInput,
  flagsOf,
  MOST_CHILDREN,
} from '../../src/core/follow-up.ts'
import {
  BATCHED,
  CAPTURE,
  CHARGE,
  everyFollowUpFacts,
  PRE_AUTH,
} from '../support/follow-up-facts.ts'

const OVER = 'refund_exceeds_remaining'

describe('the possible follow-ups', () => {
  it.each<[what: string, facts: FollowUpFacts, possible: 'void' | 'refund' | 'neither']>([
    ['a charge, not batched', CHARGE, 'void'],
    ['a capture, not batched', CAPTURE, 'void'],
    ['a charge, batched', BATCHED, 'refund'],
    ['a capture, batched', { ...CAPTURE, isBatched: true }, 'refund'],
    ['a part refunded', { ...BATCHED, refunded: 9_99n }, 'refund'],
    ['all refunded', { ...BATCHED, refunded: 10_00n }, 'neither'],
    ['the rest on its way back', { ...BATCHED, refunded: 4_00n, reserved: 6_00n }, 'neither'],
    ['a pre_auth without a capture', PRE_AUTH, 'void'],
    ['a pre_auth with a capture', { ...PRE_AUTH, captured: 1n }, 'neither'],
    ['a pre_auth with a capture under way', { ...PRE_AUTH, reserved: 1n }, 'neither'],
    ['a pre_auth, captured whole', { ...PRE_AUTH, captured: 10_00n }, 'neither'],
    ['voided', { ...CHARGE, isVoided: true }, 'neither'],
    ['a pre_auth, voided', { ...PRE_AUTH, isVoided: true }, 'neither'],
    ['about to be voided', { ...CHARGE, isVoidUnderWay: true }, 'neither'],
    ['failed', { ...CHARGE, status: 'FAILED', captured: 0n }, 'neither'],
    ['pending', { ...CHARGE, status: 'PENDING', captured: 0n }, 'neither'],
    ['a void', { ...CHARGE, type: 'void' }, 'neither'],
    ['a refund', { ...CHARGE, type: 'refund' }, 'neither'],
    ['a refund, batched', { ...BATCHED, type: 'refund' }, 'neither'],
    ['a credit', { ...CHARGE, type: 'credit' }, 'neither'],
    ['manual', { ...CHARGE, isManual: true }, 'neither'],
    ['tied to a deleted link', { ...CHARGE, isLinkDeleted: true }, 'neither'],
    ['tied to a deleted link, batched', { ...BATCHED, isLinkDeleted: true }, 'neither'],
    ['before the sandbox midnight', { ...BATCHED, isBeforeSandboxMidnight: true }, 'neither'],
    ['card-present, without tokenization', { ...BATCHED, lacksTokenization: true }, 'neither'],
    ['the same, not batched', { ...CHARGE, lacksTokenization: true }, 'void'],
    ['with too many children, batched', { ...BATCHED, children: MOST_CHILDREN }, 'neither'],
    ['the same, not batched', { ...CHARGE, children: MOST_CHILDREN }, 'void'],
    ['with as many again', { ...CHARGE, children: 2 * MOST_CHILDREN }, 'neither'],
  ])('of %s', (_, facts, possible) => {
    expect(flagsOf(facts)).toEqual({
      isVoidable: possible === 'void',
      isRefundable: possible === 'refund',
    })
  })

  it('of every type, in every status, with every other fact, are those of the table', () => {
    let rows = 0
    for (const facts of everyFollowUpFacts()) {
      expect([facts, flagsOf(facts)]).toEqual([facts, promised(facts)])
      rows += 1
    }
    expect(rows).toBe((5 * 2 + 1) * 3 * 2 ** 6 * 3)
  })
})

describe('a refused follow-up', () => {
  const VOID: FollowUpInput = { operation: 'void' }
  const REFUND: FollowUpInput = { operation: 'refund' }
  const CAPTURING: FollowUpInput = { operation: 'capture' }
  const EITHER: FollowUpInput = { operation: 'void_or_refund' }

  it.each<[what: string, facts: FollowUpFacts, input: FollowUpInput, code: string]>([
    ['a void of a part', CHARGE, { ...VOID, total: 9_99n }, 'partial_void_not_supported'],
    ['a void of more', CHARGE, { ...VOID, total: 10_01n }, 'partial_void_not_supported'],
    ['a part of a pre_auth', PRE_AUTH, { ...VOID, total: 1n }, 'partial_void_not_supported'],
    ['either, of a part', CHARGE, { ...EITHER, total: 1n }, 'partial_void_not_supported'],
    ['a refund before the batch', CHARGE, REFUND, 'not_batched_yet'],
    ['a part of it', CAPTURE, { ...REFUND, total: 1n }, 'not_batched_yet'],
    ['a void after the batch', BATCHED, VOID, 'already_batched'],
    ['a void after a refund', { ...BATCHED, refunded: 1n }, VOID, 'already_batched'],
    ['a second void', { ...CHARGE, isVoided: true }, VOID, 'already_voided'],
    ['a refund of a void one', { ...CHARGE, isVoided: true }, REFUND, 'already_voided'],
    ['either of a void one', { ...CHARGE, isVoided: true }, EITHER, 'already_voided'],
    ['a capture of a void one', { ...PRE_AUTH, isVoided: true }, CAPTURING, 'already_voided'],
    ['a void beside a void', { ...CHARGE, isVoidUnderWay: true }, VOID, 'wrong_state'],
    ['a capture beside a void', { ...PRE_AUTH, isVoidUnderWay: true }, CAPTURING, 'wrong_state'],
    ['a void beside a capture', { ...PRE_AUTH, reserved: 1n }, VOID, 'wrong_state'],
    ['a void of a captured one', { ...PRE_AUTH, captured: 1n }, VOID, 'wrong_state'],
    ['either of a captured one', { ...PRE_AUTH, captured: 1n }, EITHER, 'wrong_state'],
    ['a refund of a captured one', { ...PRE_AUTH, captured: 1n }, REFUND, 'wrong_state'],
    ['a refund of a pre_auth', PRE_AUTH, REFUND, 'wrong_state'],
    ['a capture of a charge', CHARGE, CAPTURING, 'wrong_state'],
    ['a capture of a capture', CAPTURE, CAPTURING, 'wrong_state'],
    [
      'a refund before midnight',
      { ...BATCHED, isBeforeSandboxMidnight: true },
      REFUND,
      'not_refundable_yet',
    ],
    [
      'a refund without tokenization',
      { ...BATCHED, lacksTokenization: true },
      REFUND,
      'settlement_tokenization_required',
    ],
    ['one refund too many', { ...BATCHED, children: MOST_CHILDREN }, REFUND, 'wrong_state'],
    ['one capture too many', { ...PRE_AUTH, children: MOST_CHILDREN }, CAPTURING, 'wrong_state'],
    [
      'either, of a charge that was never refunded, by a caller who knows of a refund',
      CHARGE,
      { ...EITHER, previouslyRefunded: 4_00n },
      'refund_mismatch',
    ],
    ['a refund of nothing left', { ...BATCHED, refunded: 10_00n }, REFUND, OVER],
    ['a refund of all', { ...BATCHED, refunded: 1n }, { ...REFUND, total: 10_00n }, OVER],
    ['what is on its way', { ...BATCHED, reserved: 5_00n }, { ...REFUND, total: 5_01n }, OVER],
    ['either, of too much', { ...BATCHED, refunded: 1n }, { ...EITHER, total: 10_00n }, OVER],
    ['a refund of more than all', BATCHED, { ...REFUND, total: 10_01n }, 'invalid_request'],
    ['a capture of more than all', PRE_AUTH, { ...CAPTURING, total: 10_01n }, 'invalid_request'],
    [
      'a capture of more than is left',
      { ...PRE_AUTH, captured: 4_00n, reserved: 5_00n },
      { ...CAPTURING, total: 1_01n },
      'capture_exceeds_remaining',
    ],
    [
      'a capture of nothing left',
      { ...PRE_AUTH, captured: 10_00n },
      CAPTURING,
      'capture_exceeds_remaining',
    ],
  ])('%s', (_, facts, input, code) => {
    expect(decide(facts, input)).toMatchObject({ kind: 'refused', code })
  })

  it.each([
    ['in part, and still holds the rest', { captured: 4_00n }, true],
    ['in part, and holds nothing more', { captured: 4_00n, isHoldEnded: true }, false],
    ['whole', { captured: 10_00n }, false],
  ])(
    'a void of a hold that was captured %s speaks of a rest if there is one',
    (_, facts, isRest) => {
      const refusal = decide({ ...PRE_AUTH, ...facts }, VOID)
      const rest = isRest ? '; the rest of its hold lapses by itself' : ''
      const captures = 'captures, which can be voided, or refunded once they are batched'
      const reason = `the transaction has ${captures}${rest}`
      expect(refusal).toMatchObject({ kind: 'refused', reason })
    },
  )

  it.each([
    ['nothing was', 0n, 0n, 0n, undefined],
    ['it was', 3_00n, 0n, 3_00n, undefined],
    ['nothing was, and less is said than was', 3_00n, 0n, 0n, 'refund_mismatch'],
    ['less was', 3_00n, 0n, 3_01n, 'refund_mismatch'],
    ['none was, and some is said', 0n, 0n, 1n, 'refund_mismatch'],
    ['one under way is forgotten', 3_00n, 2_00n, 3_00n, 'refund_mismatch'],
    ['one under way is known of', 3_00n, 2_00n, 5_00n, undefined],
  ])('a refund whose caller believes that %s', (_, refunded, reserved, believed, code) => {
    const input = { operation: 'refund', total: 1_00n, previouslyRefunded: believed } as const
    const facts = { ...BATCHED, refunded, reserved }
    const outcome = code === undefined ? { kind: 'granted', amount: 1_00n } : { code }
    expect(decide(facts, input)).toMatchObject(outcome)
  })

  it.each(['void', 'refund', 'void_or_refund', 'capture'] as const)(
    'a %s of anything tied to a deleted link',
    (operation) => {
      for (const facts of everyFollowUpFacts()) {
        if (!facts.isLinkDeleted) continue
        expect(decide(facts, { operation })).toMatchObject({ code: 'payment_link_deleted' })
      }
    },
  )

  it.each(['void', 'refund', 'void_or_refund', 'capture'] as const)(
    'a %s of what has no outcome, has FAILED, is manual, or is a child that moved no money in',
    (operation) => {
      for (const facts of everyFollowUpFacts()) {
        const isDone =
          facts.status === 'SUCCESS' && ['charge', 'pre_auth', 'capture'].includes(facts.type)
        if (facts.isLinkDeleted || (isDone && !facts.isManual)) continue
        expect([facts, decide(facts, { operation })]).toMatchObject([
          facts,
          { code: 'wrong_state' },
        ])
      }
    },
  )
})

/** The table once more, with one line for each fact. */
function promised(t: FollowUpFacts): ReturnType<typeof flagsOf> {
  const isOpen = t.status === 'SUCCESS' && !t.isManual && !t.isLinkDeleted
  const isStanding = isOpen && !t.isVoided && !t.isVoidUnderWay
  const isMoneyIn = t.type === 'charge' || t.type === 'capture'
  const isLeft = t.captured - t.refunded - t.reserved > 0n
  const isHeldBack = t.isBeforeSandboxMidnight || t.lacksTokenization
  const isUntouched = t.type === 'pre_auth' ? t.captured + t.reserved === 0n : !t.isBatched
  return {
    isVoidable: isStanding && (isMoneyIn || t.type === 'pre_auth') && isUntouched,
    isRefundable: isStanding && isMoneyIn && t.isBatched && isLeft && !isHeldBack,
  }
}
