import { expect, it } from 'vitest'
import { connectionShares } from '../../src/db/database.ts'

it.each([
  [34, { hot: 10, other: 8, queues: 16 }],
  [13, { hot: 4, other: 3, queues: 6 }],
  [12, { hot: 4, other: 3, queues: 5 }],
  [200, { hot: 59, other: 47, queues: 94 }],
])('of %i connections each kind has its part', (most, shares) => {
  expect(connectionShares(most)).toEqual(shares)
})
