// When the sandbox's midnight has passed, to the millisecond, and which accounts wait for it.

import { describe, expect, it } from 'vitest'
import type { AccountContext } from '../../src/payments/transaction/account-context.ts'
import { followUpFactsOf } from '../../src/payments/transaction/follow-up-facts.ts'
import type { BatchedTransaction } from '../../src/payments/transaction/transaction-row.ts'

const SANDBOX: AccountContext = {
  accountId: '01941f29-7c00-7000-8000-000000000001',
  mode: 'sandbox',
  clockAt: null,
  settlementTokenizationEnabled: false,
  now: new Date('2027-01-16T05:00:00.000Z'),
}

const LIVE: AccountContext = { ...SANDBOX, mode: 'live' }

const NOT_BATCHED = { batchedAt: null, channel: null, voidId: null, isVoided: false }

const BATCHED = { ...NOT_BATCHED, batchedAt: new Date('2027-01-16T01:00:00.000Z') }

const of = (facts: Partial<BatchedTransaction>, account: AccountContext) =>
  followUpFactsOf(facts as BatchedTransaction, false, account)

describe('a transaction of the sandbox', () => {
  it.each([
    ['right after the batch', '2027-01-16T01:00:00.000Z', true],
    ['a millisecond before midnight', '2027-01-16T04:59:59.999Z', true],
    ['at midnight', '2027-01-16T05:00:00.000Z', false],
    ['a day later', '2027-01-17T01:00:00.000Z', false],
  ])('is held back until midnight Eastern: %s', (_, now, isBefore) => {
    const account = { ...SANDBOX, now: new Date(now) }
    expect(of(BATCHED, account).isBeforeSandboxMidnight).toBe(isBefore)
  })

  it('that is in no batch waits for no midnight', () => {
    expect(of(NOT_BATCHED, SANDBOX)).toMatchObject({
      isBatched: false,
      isBeforeSandboxMidnight: false,
    })
  })
})

describe('a live transaction', () => {
  it('is held back by no midnight', () => {
    const account = { ...LIVE, now: new Date('2027-01-16T01:00:00.001Z') }
    expect(of(BATCHED, account)).toMatchObject({ isBatched: true, isBeforeSandboxMidnight: false })
  })
})

describe('Settlement Tokenization', () => {
  it.each([
    ['card_present', false, true],
    ['card_present', true, false],
    ['web', false, false],
    [null, false, false],
  ])('is lacking for the channel %j, enabled %j: %j', (channel, isEnabled, isLacking) => {
    const account = { ...LIVE, settlementTokenizationEnabled: isEnabled }
    expect(of({ ...BATCHED, channel }, account).lacksTokenization).toBe(isLacking)
  })
})
