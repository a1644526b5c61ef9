import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { holdsCardNumber, holdsGroupedCardNumber } from '../../src/core/card-number.ts'

/** Ids that callers were once refused for. */
const LOOK_LIKE_CARDS = [
  'ebacdc5b-5518-4248-9149-19f7ad4d7928',
  'EDC86D85-4923-4913-8321-1EA42C14D161',
  'b41b3676-7593-4914-93d6-1a2e5de70992',
]

it.each(LOOK_LIKE_CARDS)('the UUID %s is no card number, in any field', (id) => {
  for (const text of [id, `order ${id}`, `${id}-1`, `a${id}`]) {
    expect([holdsCardNumber(text), holdsGroupedCardNumber(text)]).toEqual([false, false])
  }
})

it('no UUID is a card number', () => {
  const ids = Array.from({ length: 20_000 }, () => randomUUID())
  expect(ids.filter((id) => holdsCardNumber(id) || holdsGroupedCardNumber(id))).toEqual([])
})

it('a card number beside a UUID is found', () => {
  for (const text of [
    `${LOOK_LIKE_CARDS[0]} 4111-1111-1111-1111`,
    '4111-1111-1111-1111-f7ad4d7928',
  ]) {
    expect([holdsCardNumber(text), holdsGroupedCardNumber(text)]).toEqual([true, true])
  }
})

it('the digits around a UUID are not joined', () => {
  expect(holdsCardNumber(`4111 1111 ${LOOK_LIKE_CARDS[0]} 1111 1111`)).toBe(false)
})
