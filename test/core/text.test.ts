import { expect, it } from 'vitest'
import { storableParts } from '../../src/core/text.ts'

it('the texts of a value from outside become storable, and all else stays as it is', () => {
  const at = new Date('2026-03-07T12:00:00Z')
  const rest = { at, cents: 1250n, isVoided: false, none: null, absent: undefined }
  const sent = {
    text: 'a\0b',
    parts: ['c\0', { text: '\ud800' }],
    within: { text: 'd\n' },
    ...rest,
  }
  const storable = {
    text: 'a b',
    parts: ['c ', { text: '\ufffd' }],
    within: { text: 'd ' },
    ...rest,
  }
  expect(storableParts(sent)).toEqual(storable)
  expect(storableParts(undefined)).toBeUndefined()
})
