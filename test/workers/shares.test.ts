// The number of jobs that one account's rows may have in progress beside those of others.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RowItem } from '../../src/queue/catalogue.ts'
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

describe('rows that are put off', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  it('come back together, each once, and can be put off again then', () => {
    const shares = new Shares(8)
    const back: string[] = []
    const putOff = (...ids: string[]) => {
      for (const id of ids) shares.putOff(rowItem(id), (item) => back.push(item.id))
    }
    putOff('a', 'b')
    vi.advanceTimersByTime(600)
    putOff('a', 'c')
    expect(back).toEqual([])
    vi.advanceTimersByTime(600)
    expect(back).toEqual(['a', 'b', 'c'])
    putOff('a')
    vi.advanceTimersByTime(1_200)
    expect(back).toEqual(['a', 'b', 'c', 'a'])
  })
})

function rowItem(id: string): RowItem {
  return { accountId: 'account', id, requestId: 'request' }
}
