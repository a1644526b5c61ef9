import { describe, expect, it } from 'vitest'
import { attempted, reopened } from '../../src/core/invoice.ts'
import { after, DAY, HOUR } from '../../src/core/time-units.ts'

const createdAt = new Date('2026-03-02T13:00:00Z')
const bill = { total: 700n, sentAt: null, viewedAt: null, createdAt, tries: 0 }

/** `triedOn` differs from `days` if a payer's payment failed since the automatic one. */
function retryAfter(tries: number, days: number, triedOn = days): number | undefined {
  const [at, triedAt] = [after(createdAt, days * DAY), after(createdAt, triedOn * DAY)]
  const { retryAt } = attempted({ ...bill, tries }, at, [1, 3, 7], triedAt)
  return retryAt === null ? undefined : (retryAt.getTime() - createdAt.getTime()) / DAY
}

describe('after its payment was voided', () => {
  it.each([
    ['DRAFT', null, null],
    ['DRAFT', null, createdAt],
    ['SENT', createdAt, null],
    ['VIEWED', createdAt, createdAt],
  ])('an invoice is %s again: sent %o, opened %o', (status, sentAt, viewedAt) => {
    expect(reopened({ ...bill, sentAt, viewedAt }).status).toBe(status)
  })
})

describe('the next try after a failed automatic payment', () => {
  it('is on the next day of the plan, counted from the creation', () => {
    expect([retryAfter(1, 0), retryAfter(2, 1), retryAfter(3, 3)]).toEqual([1, 3, 7])
    expect(retryAfter(1, HOUR / DAY)).toBe(1)
  })

  it('keeps the days between two tries after days were missed', () => {
    expect(retryAfter(1, 4)).toBe(5)
    expect(retryAfter(2, 10)).toBe(12)
    expect(retryAfter(3, 12)).toBe(16)
  })

  it('keeps them after a late try, though the day is still to come', () => {
    expect(retryAfter(1, 0.75)).toBe(1.75)
    expect(retryAfter(2, 2.75)).toBe(4.75)
    expect(retryAfter(3, 6.75)).toBe(10.75)
  })

  it("is not moved by a payer's payment that fails before it", () => {
    expect(retryAfter(1, 0.75, 0)).toBe(1)
    expect(retryAfter(2, 2.75, 1)).toBe(3)
    expect(retryAfter(2, 2.75, 2.5)).toBe(4.5)
    expect(retryAfter(2, 3.5, 2.5)).toBe(4.5)
    expect(retryAfter(2, 4.5, 2.5)).toBe(6.5)
  })

  it('is none after the last day, and none without an automatic payment', () => {
    expect(retryAfter(4, 7)).toBeUndefined()
    expect(retryAfter(0, 0)).toBeUndefined()
  })
})
