import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { holdsCardNumber, holdsGroupedCardNumber } from '../../src/core/card-number.ts'
import { COSTLY_TEXTS } from '../support/costly-texts.ts'

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

it.each([
  '４１１１ １１１１ １１１１ １１１１',
  '٤١١١ ١١١١ ١١١١ ١١١١',
  '④①①① ①①①① ①①①① ①①①①',
  '⁴¹¹¹ ₁₁₁₁ ¹¹¹¹ ₁₁₁₁',
  '4111\u20031111\u30001111\u00a01111',
  '4111－1111－1111－1111',
  '4\u200b111 1111 1\u00ad111 1111',
  '4\u030811\u20e31 1111 1111 1111',
  '4⑪1⑪⑪⑪⑪⑪⑪',
])('digits of any script are digits: %s', (text) => {
  expect(holdsCardNumber(text)).toBe(true)
})

it.each(COSTLY_TEXTS)('a body of %s is looked through quickly', (_, text) => {
  const costly = text(64 * 1024)
  const rounds = [1, 2, 3].map(() => {
    const began = process.cpuUsage()
    expect(holdsCardNumber(costly)).toBe(false)
    const { user, system } = process.cpuUsage(began)
    return (user + system) / 1_000
  })
  expect(Math.min(...rounds)).toBeLessThan(100)
})
