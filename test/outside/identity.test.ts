// Ids contain the time and the order of their making.

import { expect, it } from 'vitest'
import { newId } from '../../src/outside/identity.ts'

const AT = Date.parse('2026-03-01T12:00:00.123Z')

const made = (count: number, msecs: number) => Array.from({ length: count }, () => newId(msecs))

it('ids of one process are in the order of their making', () => {
  const ids = [...made(2_000, AT), ...made(2_000, AT + 1)]
  expect(ids).toEqual([...ids].sort())
  expect(new Set(ids).size).toBe(ids.length)
})

it('ids stay in order when the clock is put right by some milliseconds', () => {
  const ids = [
    ...made(5, AT + 300),
    ...made(5, AT + 299),
    ...made(5, AT + 20),
    ...made(5, AT + 301),
  ]
  expect(ids).toEqual([...ids].sort())
  expect(new Set(ids).size).toBe(ids.length)
})

it('an id holds its time, also after a clock that was an hour ahead', () => {
  newId(AT + 3_600_000)
  expect(newId(AT)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(Number.parseInt(newId(AT).replace('-', '').slice(0, 12), 16)).toBe(AT)
})

it('ids of one moment cannot be guessed from each other', () => {
  const tails = made(2_000, AT).map((id) => id.slice(-10))
  expect(new Set(tails).size).toBe(tails.length)
})
