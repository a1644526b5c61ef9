// Rounds of gathered calls, some of which need a row that another transaction has locked.

import { describe, expect, it } from 'vitest'
import { gather, type HeldUp } from '../../src/core/gather.ts'

const HELD = new Error('another transaction holds the row')

const groupOf = (input: string) => input.slice(0, 1)

const heldUp: HeldUp = {
  isBy: (error) => error === HELD,
  pauseMs: 1,
  patienceMs: 10_000,
}

/** Fails like a statement that meets a row in `held`. */
function table(held: Set<string>, atOnce = 2) {
  const rounds: string[] = []
  const ask = gather<string, string>(
    async (inputs) => {
      rounds.push(inputs.join())
      await new Promise((resolve) => setTimeout(resolve, 1))
      if (inputs.some((one) => held.has(one))) throw HELD
      return inputs.map((one) => one.toUpperCase())
    },
    { most: 10, atOnce, isOnesFault: () => false, groupOf, heldUp },
  )
  return { ask, rounds }
}

describe.each([1, 2])('with %i rounds in progress at once, a locked row', (atOnce) => {
  it('delays only its own input, until it is free', async () => {
    const held = new Set(['a1'])
    const { ask } = table(held, atOnce)
    const first = ask('a1')
    const others = await Promise.all(['a2', 'b1', 'b2', 'c1'].map(ask))
    expect(others).toEqual(['A2', 'B1', 'B2', 'C1'])
    // Later calls are not gathered with it either.
    const seen = await Promise.all(['b3', 'c2'].map(ask))
    expect(seen).toEqual(['B3', 'C2'])
    held.clear()
    expect(await first).toBe('A1')
  })

  it('delays one round of other groups, and none after it', async () => {
    const held = new Set(['a1'])
    const { ask, rounds } = table(held, atOnce)
    const first = ask('a1')
    await Promise.all([ask('b1'), ask('c1')])
    const before = rounds.length
    const later = ['a2', 'b2', 'a3', 'c2']
    await Promise.all(later.map(ask))
    for (const round of rounds.slice(before)) {
      expect(new Set(round.split(',').map((one) => one.slice(0, 1) === 'a')).size).toBe(1)
    }
    held.clear()
    await first
  })
})

it('is gathered with all others again, once no row of its group is locked', async () => {
  const held = new Set(['a1'])
  const { ask, rounds } = table(held)
  const first = ask('a1')
  await ask('b1')
  held.clear()
  await first
  await Promise.all(['a2', 'b2'].map(ask))
  expect(rounds.at(-1)).toBe('a2,b2')
})

it('is given up after a limit', async () => {
  const ask = gather<string, string>(() => Promise.reject(HELD), {
    most: 10,
    atOnce: 2,
    isOnesFault: () => false,
    heldUp: { ...heldUp, patienceMs: 20 },
  })
  await expect(ask('a1')).rejects.toBe(HELD)
})
