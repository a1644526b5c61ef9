// A hot statement is planned anew under a new name, since a plan that was made on empty tables must
// not stay.

import { expect, it } from 'vitest'
import { gatheredStatement } from '../../src/db/gathered.ts'
import { hotStatements } from '../../src/db/hot-statements.ts'

const ONE = gatheredStatement({
  name: 'one',
  columns: { id: 'uuid' },
  text: (input) => `WITH ${input} SELECT ord FROM input`,
  read: () => true,
})

it('A hot statement gets a new name whenever its rounds have grown fourfold', async () => {
  const names: (string | undefined)[] = []
  const { ask, queryHot } = hotStatements(async ({ name }) => {
    names.push(name)
    return []
  })
  // Both kinds of hot statements have names of their own.
  for (let round = 1; round <= 64; round += 1) await ask(ONE, { id: 'an id' })
  for (let round = 1; round <= 64; round += 1) await queryHot('other', 'SELECT')
  const begins = [...new Set(names)].map((name) => [name, names.indexOf(name) + 1])
  expect(Object.fromEntries(begins)).toEqual({
    ...{ 'one 0': 1, 'one 1': 4, 'one 2': 16, 'one 3': 64 },
    ...{ 'other 0': 65, 'other 1': 68, 'other 2': 80, 'other 3': 128 },
  })
})
