// The number of jobs that one account's rows may have in progress beside those of others.

import { describe, expect, it } from 'vitest'
import { Shares } from '../../workers/shares.ts'

function takeAll(shares: Shares, accountId: string): number {
  let taken = 0
  while (shares.take(accountId)) taken += 1
  return taken
}

describe('an account', () => {
  it('has half of the jobs that others leave, however many there are', () => {
    const shares = new Shares(64)
    const taken = ['a', 'b', 'c', 'd', 'e', 'f'].map((account) => takeAll(shares, account))
    expect(taken).toEqual([32, 16, 8, 4, 2, 1])
  })

  it('has one job, even if others have them all', () => {
    const shares = new Shares(1)
    expect(['a', 'b'].map((account) => takeAll(shares, account))).toEqual([1, 1])
  })

  it('gets back a job that it has released', () => {
    const shares = new Shares(8)
    expect(takeAll(shares, 'a')).toBe(4)
    for (let n = 0; n < 4; n += 1) shares.leave('a')
    expect(takeAll(shares, 'b')).toBe(4)
  })
})

describe('a row that was put off', () => {
  it('comes back once, and can be put off again then', () => {
    const shares = new Shares(8)
    const [now, then, later] = [new Date(0), new Date(1_000), new Date(2_000)]
    expect(shares.putOff('row', now, then)).toBe(true)
    expect(shares.putOff('row', new Date(500), then)).toBe(false)
    expect(shares.putOff('row', then, later)).toBe(true)
  })
})
