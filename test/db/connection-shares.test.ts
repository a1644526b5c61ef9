import { expect, it } from 'vitest'
import { connectionShares } from '../../src/db/database.ts'
import { readingAtOnce } from '../../src/http/limit-reading.ts'

it.each([
  [34, { hot: 10, other: 8, queues: 16 }, 3],
  [13, { hot: 4, other: 3, queues: 6 }, 1],
  [12, { hot: 4, other: 3, queues: 5 }, 1],
  [150, { hot: 44, other: 35, queues: 71 }, 17],
])(
  'of %i connections each kind has its part, and one account reads on few',
  (most, shares, few) => {
    expect(connectionShares(most)).toEqual(shares)
    expect(readingAtOnce(most)).toBe(few)
  },
)
