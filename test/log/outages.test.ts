// A fault that many requests meet at once is logged once and then counted, while it lasts and no
// longer.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Outages, openOutages } from '../../src/log/outages.ts'
import { openLog } from '../../src/log.ts'
import type { OnEngineError } from '../../src/queue/engine.ts'
import { errorFuse } from '../../src/queue/error-fuse.ts'

const WINDOW_MS = 10_000

let lines: { readonly msg: string; readonly count?: number; readonly err?: object }[]
let outages: Outages
let onError: OnEngineError

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  lines = []
  const log = openLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) })
  outages = openOutages(log)
  onError = errorFuse(log, outages, () => {})
})
afterEach(() => void vi.useRealTimers())

function report(times: number): void {
  for (let i = 0; i < times; i += 1) onError(new Error(`the ${i}th`))
}

describe('an outage', () => {
  it('is logged at once with its error, and with its count when its window ends', () => {
    report(5)
    expect(lines).toMatchObject([{ msg: 'connection error', err: { message: 'the 0th' } }])
    vi.advanceTimersByTime(WINDOW_MS)
    expect(lines[1]).toMatchObject({ msg: 'connection error (4 more in 10 s)', count: 4 })
    expect(lines).toHaveLength(2)
  })

  it('that goes on is logged by its count alone, and anew once it was over', () => {
    report(2)
    vi.advanceTimersByTime(WINDOW_MS)
    report(3)
    vi.advanceTimersByTime(3 * WINDOW_MS)
    report(1)
    const words = lines.map(({ msg, err }) => [msg, err !== undefined])
    expect(words).toEqual([
      ['connection error', true],
      ['connection error (1 more in 10 s)', false],
      ['connection error (3 more in 10 s)', false],
      ['connection error', true],
    ])
  })

  it('is logged beside others, each with its own text', () => {
    for (const words of ['one', 'other', 'one']) outages.report(words, { err: new Error('away') })
    vi.advanceTimersByTime(WINDOW_MS)
    expect(lines.map(({ msg }) => msg)).toEqual(['one', 'other', 'one (1 more in 10 s)'])
  })
})
