// Transactions as the rules see them: their facts, without a row.

import fc from 'fast-check'
import { type FollowUpFacts, MOST_CHILDREN } from '../../src/core/follow-up.ts'

/** 10.00, made a moment ago. */
export const CHARGE: FollowUpFacts = {
  type: 'charge',
  status: 'SUCCESS',
  isManual: false,
  isVoided: false,
  isVoidUnderWay: false,
  isBatched: false,
  total: 10_00n,
  captured: 10_00n,
  refunded: 0n,
  reserved: 0n,
  isHoldEnded: false,
  isLinkDeleted: false,
  isBeforeSandboxMidnight: false,
  lacksTokenization: false,
  children: 0,
}

export const BATCHED: FollowUpFacts = { ...CHARGE, isBatched: true }

export const CAPTURE: FollowUpFacts = { ...CHARGE, type: 'capture' }

export const PRE_AUTH: FollowUpFacts = { ...CHARGE, type: 'pre_auth', captured: 0n }

const TYPES = ['charge', 'pre_auth', 'capture', 'void', 'refund', 'credit'] as const
const STATUSES = ['PENDING', 'SUCCESS', 'FAILED'] as const
const FACTS = [
  'isManual',
  'isVoided',
  'isVoidUnderWay',
  'isBatched',
  'isLinkDeleted',
  'isBeforeSandboxMidnight',
  'lacksTokenization',
] as const

const amount = fc.bigInt({ min: 0n, max: 500n })

/** Any facts that the database allows; the amounts are small, so that they coincide often. */
export const followUpFacts: fc.Arbitrary<FollowUpFacts> = fc
  .record({
    type: fc.constantFrom('charge', 'pre_auth', 'capture', 'void', 'refund', 'credit'),
    status: fc.constantFrom('SUCCESS', 'SUCCESS', 'SUCCESS', 'PENDING', 'FAILED'),
    isManual: mostlyNot(),
    isVoided: mostlyNot(),
    isVoidUnderWay: mostlyNot(),
    isBatched: fc.boolean(),
    refunded: amount,
    reserved: amount,
    left: amount,
    uncaptured: amount,
    isLinkDeleted: mostlyNot(),
    isBeforeSandboxMidnight: mostlyNot(),
    lacksTokenization: mostlyNot(),
    isHoldEnded: mostlyNot(),
    children: fc.constantFrom(0, 0, 1, MOST_CHILDREN - 1, MOST_CHILDREN),
  })
  .map(({ left, uncaptured, ...facts }) => ({ ...facts, ...sums(facts, left, uncaptured) }))
  .filter(({ total }) => total > 0n)

function mostlyNot(): fc.Arbitrary<boolean> {
  return fc.nat(7).map((n) => n === 0)
}

type Facts = Pick<FollowUpFacts, 'type' | 'status' | 'isVoided' | 'isVoidUnderWay' | 'isBatched'> &
  Pick<FollowUpFacts, 'refunded' | 'reserved'>

/** A failed transaction took nothing; an unbatched or voided one has no refunds. */
function sums(facts: Facts, left: bigint, uncaptured: bigint) {
  const { type, status, refunded, reserved } = facts
  const isVoid = facts.isVoided || facts.isVoidUnderWay
  const total = refunded + reserved + left + uncaptured
  if (status !== 'SUCCESS') return { total, captured: 0n, refunded: 0n, reserved: 0n }
  if (type === 'pre_auth') {
    return isVoid
      ? { total, captured: 0n, refunded: 0n, reserved: 0n }
      : { total, captured: refunded, refunded: 0n, reserved }
  }
  const captured = total - uncaptured
  return isVoid || !facts.isBatched
    ? { total, captured, refunded: 0n, reserved: 0n }
    : { total, captured, refunded, reserved }
}

/** Every combination of the facts, except that a transaction which joins no batch is in none. */
export function* everyFollowUpFacts(): Generator<FollowUpFacts> {
  for (const type of TYPES) {
    for (const status of STATUSES) {
      for (let bits = 0; bits < 2 ** FACTS.length; bits += 1) {
        const facts = Object.fromEntries(FACTS.map((name, i) => [name, ((bits >> i) & 1) === 1]))
        if (type === 'pre_auth' && facts.isBatched) continue
        for (const taken of [0n, 4_00n, 10_00n]) {
          yield { ...CHARGE, type, status, ...facts, ...takenOf(type, taken) }
        }
      }
    }
  }
}

function takenOf(type: FollowUpFacts['type'], taken: bigint) {
  return type === 'pre_auth' ? { captured: taken } : { captured: 10_00n, refunded: taken }
}
