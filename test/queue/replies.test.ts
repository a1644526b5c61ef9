// Waiting callers are woken by messages, and read the row themselves if a message may be lost.

import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Expectations } from '../../src/queue/replies.ts'

describe('a caller that waits for a row', () => {
  let expectations: Expectations
  let wake: ReturnType<typeof vi.fn<() => void>>
  let forget: () => void

  beforeEach(() => {
    expectations = new Expectations()
    wake = vi.fn()
    forget = expectations.add('a', wake)
  })

  it('is woken by a message about its row, and by no other', () => {
    expectations.arrived('b')
    expect(wake).not.toHaveBeenCalled()
    expectations.arrived('a')
    expect(wake).toHaveBeenCalledTimes(1)
  })

  it('is woken if any message may have been lost', () => {
    expectations.arrivedPerhaps()
    expect(wake).toHaveBeenCalledTimes(1)
  })

  it('reads the row itself from the second general reminder on, and not at the first', () => {
    expectations.wakeLongWaiting()
    expect(wake).not.toHaveBeenCalled()
    const later = vi.fn<() => void>()
    expectations.add('a', later)
    expectations.wakeLongWaiting()
    expect([wake, later].map(({ mock }) => mock.calls.length)).toEqual([1, 0])
    expectations.wakeLongWaiting()
    expect([wake, later].map(({ mock }) => mock.calls.length)).toEqual([2, 1])
  })

  it('is woken by nothing once it has gone', () => {
    expectations.wakeLongWaiting()
    forget()
    expectations.wakeLongWaiting()
    expectations.arrived('a')
    expectations.arrivedPerhaps()
    expect(wake).not.toHaveBeenCalled()
  })
})
