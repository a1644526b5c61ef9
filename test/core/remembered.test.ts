// Expensive answers that may be a little old.

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { remembered } from '../../src/core/remembered.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Each answer takes `ms` and is the number of answers so far. */
function counter(ms: number) {
  let count = 0
  return async () => {
    count += 1
    const answer = count
    await new Promise((resolve) => setTimeout(resolve, ms))
    return answer
  }
}

it('is computed once for all calls during and soon after it', async () => {
  const ask = remembered(1_000, counter(50))
  const first = Promise.all([ask(), ask()])
  await vi.advanceTimersByTimeAsync(50)
  expect(await first).toEqual([1, 1])
  await vi.advanceTimersByTimeAsync(999)
  expect(await ask()).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  const second = ask()
  await vi.advanceTimersByTimeAsync(50)
  expect(await second).toBe(2)
})

it('is never computed twice at once, and kept longer if it takes long', async () => {
  const ask = remembered(1_000, counter(5_000))
  const first = ask()
  await vi.advanceTimersByTimeAsync(4_000)
  const second = ask()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await Promise.all([first, second])).toEqual([1, 1])
  await vi.advanceTimersByTimeAsync(49_999)
  expect(await ask()).toBe(1)
})

it('is computed again after a failure', async () => {
  let isAway = true
  const ask = remembered(1_000, async () => {
    if (isAway) throw new Error('away')
    return 'there'
  })
  await expect(ask()).rejects.toThrow('away')
  isAway = false
  expect(await ask()).toBe('there')
})
