// Text messages that cost no more than one.

import { expect } from 'vitest'
import { extentOf, SEGMENT_UNITS } from '../../src/messages/gsm7.ts'

export function expectOneSegment(text: string): void {
  const { encoding, units } = extentOf(text)
  expect(encoding).toBe('GSM-7')
  expect(units).toBeLessThanOrEqual(SEGMENT_UNITS['GSM-7'])
}
