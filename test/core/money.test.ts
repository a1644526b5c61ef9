import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseMoney, toDecimal } from '../../src/core/money.ts'
import { AMOUNTS, NO_AMOUNTS } from '../support/amounts.ts'

const amount = fc.bigInt({ min: 1n, max: 9_999_999_999n })

describe('money', () => {
  it.each(AMOUNTS)('reads %s', (json, cents) => {
    expect(parseMoney(JSON.parse(json))).toEqual({ cents })
  })

  it.each(NO_AMOUNTS.map((json) => [json.slice(0, 40), json]))('refuses %s', (_, json) => {
    expect(parseMoney(JSON.parse(json))).toEqual({ fault: expect.stringMatching(/^must /) })
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, undefined, 5n, Symbol('x'), () => 5])(
    'refuses %s, which no JSON can say',
    (value) => {
      expect(parseMoney(value)).toHaveProperty('fault')
    },
  )

  it('is unchanged after a way through JSON, as a number and as text', () => {
    fc.assert(
      fc.property(amount, (cents) => {
        const number = JSON.parse(JSON.stringify(toDecimal(cents)))
        expect(parseMoney(number)).toEqual({ cents })
        expect(parseMoney(String(number))).toEqual({ cents })
        expect(parseMoney(number.toFixed(2))).toEqual({ cents })
      }),
      { numRuns: 2_000 },
    )
  })

  it('is never rounded: a third decimal is a fault', () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 1, max: 9 }), (cents, mill) => {
        const text = `${toDecimal(cents).toFixed(2)}${mill}`
        expect(parseMoney(text)).toHaveProperty('fault')
        expect(parseMoney(Number(text))).toHaveProperty('fault')
      }),
    )
  })
})
