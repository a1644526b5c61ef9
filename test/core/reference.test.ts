// The short form of an id: it holds the time, and finds the id again when it is typed.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readReference, referenceOf } from '../../src/core/reference.ts'
import { newId } from '../../src/outside/identity.ts'

describe('the reference of an id', () => {
  it('is twelve digits that are not easily misread', () => {
    expect(referenceOf('01941f29-7c00-7000-8000-5f1b0f9be2a9')).toBe('6A1YABW0000Q')
    expect(referenceOf(newId())).toMatch(/^[0-9A-HJKMNP-TV-Z]{12}$/)
  })

  it('leads to the millisecond of the id', () => {
    const any = fc.uuid({ version: 7 }).filter((id) => id < '0800')
    fc.assert(
      fc.property(any, (id) => {
        const { reference, firstId = '', nextId = '' } = readReference(referenceOf(id)) ?? {}
        expect(reference).toBe(referenceOf(id))
        expect(firstId <= id && id < nextId).toBe(true)
      }),
    )
  })

  it('is different for nearly all ids of the same milliseconds', () => {
    const ids = Array.from({ length: 20_000 }, newId)
    // Each millisecond has hundreds of ids, and 131,072 can be told apart.
    expect(new Set(ids.map(referenceOf)).size).toBeGreaterThan(0.97 * ids.length)
  })

  it('can be typed in small letters, in groups, and with similar-looking digits', () => {
    const printed = readReference('06A1YABW0000')
    expect(printed?.reference).toBe('06A1YABW0000')
    for (const typed of ['06a1yabw0000', '06A1 YABW 0000', '06A1-YABW-0000', 'o6alyabwoooo']) {
      expect(readReference(typed)).toEqual(printed)
    }
  })

  it.each(['', '06A1YABW000', '06A1YABW00000', '06A1YABW000U', 'ada', 'lovelace, ada'])(
    'is not %j',
    (text) => expect(readReference(text)).toBe(undefined),
  )
})
