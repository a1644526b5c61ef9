import { describe, expect, it } from 'vitest'
import { attempted, reopened } from '../../src/core/invoice.ts'
import { after, DAY, HOUR } from '../../src/core/time-units.ts'

const createdAt = new Date('2026-03-02T13:00:00Z')
const bill = { total: 700n, sentAt: null, viewedAt: null, createdAt, tries: 0 }

function retryAfter(tries: number, days: number): number | undefined {
  const { retryAt } = attempted({ ...bill, tries }, after(createdAt, days * DAY), [1, 3, 7])
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

  it('is none after the last day, and none without an automatic payment', () => {
    expect(retryAfter(4, 7)).toBeUndefined()
    expect(retryAfter(0, 0)).toBeUndefined()
  })
})
