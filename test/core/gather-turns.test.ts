// Gathered calls of several groups, one of which has far more than a round takes.

import { describe, expect, it } from 'vitest'
import { gather } from '../../src/core/gather.ts'
import { lineByGroup } from '../../src/core/line-by-group.ts'

const MOST = 10

/** Calls are texts such as `a1`, whose group is `a`. */
function target() {
  const rounds: (readonly string[])[] = []
  const ask = gather<string, string>(
    async (inputs) => {
      rounds.push(inputs)
      await new Promise(setImmediate)
      return inputs.map((one) => one.toUpperCase())
    },
    { most: MOST, atOnce: 1, isOnesFault: () => false, groupOf: (input) => input.slice(0, 1) },
  )
  return { rounds, ask }
}

function callsOf(group: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, n) => `${group}${n}`)
}

describe('a group with thousands of calls', () => {
  it('delays the only call of another group by no more than the rounds under way', async () => {
    const { rounds, ask } = target()
    const crowd = callsOf('a', 1_000).map(ask)
    await crowd[0]
    const before = rounds.length
    expect(await ask('b0')).toBe('B0')
    expect(rounds.length).toBeLessThanOrEqual(before + 2)
    await Promise.all(crowd)
  })

  it('gets all of a round that no other group needs, in the order of the calls', async () => {
    const { rounds, ask } = target()
    const calls = callsOf('a', 95)
    await Promise.all(calls.map(ask))
    expect(rounds.flat()).toEqual(calls)
    expect(rounds.length).toBe(10)
  })
})

it('groups have equal parts of a round, and each call its own answer', async () => {
  const { rounds, ask } = target()
  const calls = ['a', 'b', 'c'].flatMap((group) => callsOf(group, 100))
  const answers = await Promise.all(calls.map(ask))
  expect(answers).toEqual(calls.map((call) => call.toUpperCase()))
  for (const round of rounds.slice(0, 20)) {
    const counts = ['a', 'b', 'c'].map((group) => round.filter((call) => call[0] === group).length)
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(Math.floor(MOST / 3))
  }
  for (const group of ['a', 'b', 'c']) {
    expect(rounds.flat().filter((call) => call[0] === group)).toEqual(callsOf(group, 100))
  }
})

it('more groups than a round takes have turns from round to round', async () => {
  const { rounds, ask } = target()
  const groups = Array.from({ length: 25 }, (_, n) => String.fromCharCode('a'.charCodeAt(0) + n))
  await Promise.all(groups.flatMap((group) => callsOf(group, 4)).map(ask))
  // No group has a second call before each has had its first.
  const first = rounds.flat().slice(0, groups.length)
  expect(new Set(first.map((call) => call[0])).size).toBe(groups.length)
})

it('a group with very many calls does not keep the process busy', () => {
  const line = lineByGroup<string>((call) => call.slice(0, 1))
  for (let n = 0; n < 200_000; n += 1) line.add(`a${n}`)
  const startedMs = performance.now()
  while (line.size > 0) line.take(200)
  // It takes some 20 ms, and took 17 s when each call was removed from the line by itself.
  expect(performance.now() - startedMs).toBeLessThan(2_000)
})
