// Errors that end by themselves are answered 503 alike by the API, the console and payers' pages.

import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { isUnavailable, reportUnavailable } from '../../src/db/unavailable.ts'

function withState(code: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError('', 0, 'error'), { code })
}

it.each([
  ['the database is away', '57P01', true],
  ['another transaction holds a row too long', '55P03', true],
  ['a constraint is broken', '23514', false],
])('%s: %s', (_, code, expected) => {
  const report = vi.fn()
  expect(isUnavailable(withState(code))).toBe(expected)
  expect(reportUnavailable({ report }, withState(code), 'a-request')).toBe(expected)
  expect(report).toHaveBeenCalledTimes(expected ? 1 : 0)
})
