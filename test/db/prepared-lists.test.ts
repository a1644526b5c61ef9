// The first page of a list is prepared by its text: a name for each text, and few names.

import { expect, it } from 'vitest'
import type { Query } from '../../src/db/database.ts'
import type { Listing } from '../../src/payments/lists/listing.ts'
import { listNames, pageAt } from '../../src/payments/lists/page-at.ts'
import { listing } from '../support/listings.ts'

const [ODD, USUAL] = [
  '11111111-0000-7000-8000-000000000000',
  '22222222-0000-7000-8000-000000000000',
]

const SOME = { type: 'charge', method: 'card', is_manual: false, count: 3 }
const SUCCESSES = { ...SOME, status: 'SUCCESS' }

/** The texts of the statements of a first page, in an account with transactions of these kinds. */
async function textsOf(
  of: Listing,
  take: number,
  kinds: readonly object[] = [SUCCESSES],
): Promise<readonly string[]> {
  const asked: string[] = []
  const query: Query = async (text) => {
    asked.push(text)
    return text.startsWith('SELECT id, ') ? [] : kinds
  }
  await pageAt({ query, snapshot: (read) => read(query) }, of, { skip: 0, take })
  return asked
}

it('has one text for the lists of all customers, however much each has', async () => {
  const of = listing({ owners: { customer_id: ODD } })
  const usual = await textsOf(of, 50)
  const few = await textsOf(of, 50, [{ ...SUCCESSES, count: 1 }])
  const failures = { ...SOME, status: 'FAILED' }
  expect(few).toEqual(usual)
  expect(await textsOf(of, 50, [SUCCESSES, failures])).toEqual(usual)
})

it('leaves names for other accounts when one asks for many texts', () => {
  const nameOf = listNames()
  const texts = Array.from({ length: 60 }, (_, at) => `SELECT ${at}`)
  const names = new Set(texts.map((text) => nameOf(text, ODD)))
  names.delete(undefined)
  expect(names.size).toBe(20)
  expect(nameOf('SELECT 1', ODD)).toBe(nameOf('SELECT 1', USUAL))
  expect(nameOf('SELECT 60', ODD)).toBeUndefined()
  expect(nameOf('SELECT 60', USUAL)).toBe('list 20')
})
