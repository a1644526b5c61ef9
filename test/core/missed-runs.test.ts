import { describe, expect, it } from 'vitest'
import { decideMissedRuns, type MissedRuns } from '../../src/core/missed-runs.ts'
import { HOUR, MINUTE } from '../../src/core/time-units.ts'

const NOW = Date.UTC(2026, 0, 17, 12)
const ago = (ms: number) => new Date(NOW - ms)

type Runs = readonly boolean[]

function runs(policy: MissedRuns, occurrences: readonly Date[], goesOn = false): Runs {
  const decisions = decideMissedRuns(policy, { occurrences, goesOn }, new Date(NOW))
  expect(decisions.map(({ occursAt }) => occursAt)).toEqual(occurrences)
  return decisions.map(({ isRun }) => isRun)
}

const CASES: readonly (readonly [string, readonly number[], Runs, Runs, Runs])[] = [
  // The columns: age of the runs, then the results for all, one and skip.
  ['on time', [0], [true], [true], [true]],
  ['a minute late', [MINUTE], [true], [true], [true]],
  ['an hour late', [HOUR], [true], [true], [true]],
  ['more than an hour late', [HOUR + 1], [true], [true], [false]],
  ['twice, the last on time', [15 * MINUTE, 0], [true, true], [false, true], [false, true]],
  [
    'three times, all too late',
    [50 * HOUR, 26 * HOUR, 2 * HOUR],
    [true, true, true],
    [false, false, true],
    [false, false, false],
  ],
]

describe('a run that fell due', () => {
  it.each(CASES)('%s is run, made up for or skipped as the schedule says', (_, times, ...want) => {
    const occurrences = times.map(ago)
    const found = (['all', 'one', 'skip'] as const).map((policy) => runs(policy, occurrences))
    expect(found).toEqual(want)
  })

  it('is not the last if later ones are due as well', () => {
    const times = [ago(2 * MINUTE), ago(MINUTE)]
    expect(runs('all', times, true)).toEqual([true, true])
    expect(runs('one', times, true)).toEqual([false, false])
    expect(runs('skip', times, true)).toEqual([false, false])
  })

  it('does not exist if none has', () => {
    expect(runs('all', [])).toEqual([])
  })
})
