// The first page of a list is prepared by its text: a name for each text, and few names.

import { expect, it } from 'vitest'
import type { Query } from '../../src/db/database.ts'
import type { Listing } from '../../src/payments/lists/listing.ts'
import { pageAt } from '../../src/payments/lists/page-at.ts'
import { listing } from '../support/listings.ts'

const [ODD, USUAL] = [
  '11111111-0000-7000-8000-000000000000',
  '22222222-0000-7000-8000-000000000000',
]

const SOME = { type: 'charge', method: 'card', is_manual: false, count: 3 }
const SUCCESSES = { ...SOME, status: 'SUCCESS' }

interface Asked {
  readonly text: string
  readonly name: string | undefined
}

/** The statements of a first page, in an account with transactions of these kinds. */
async function firstPage(
  of: Listing,
  take: number,
  kinds: readonly object[] = [SUCCESSES],
): Promise<readonly Asked[]> {
  const asked: Asked[] = []
  const query: Query = async (text, _values, name) => {
    asked.push({ text, name })
    return text.startsWith('SELECT id, ') ? [] : kinds
  }
  await pageAt({ query, snapshot: (read) => read(query) }, of, { skip: 0, take })
  return asked
}

const textsOf = (asked: readonly Asked[]) => asked.map(({ text }) => text)

it('has one text for the lists of all customers, however much each has', async () => {
  const of = listing({ owners: { customer_id: ODD } })
  const usual = textsOf(await firstPage(of, 50))
  const few = textsOf(await firstPage(of, 50, [{ ...SUCCESSES, count: 1 }]))
  const failures = { ...SOME, status: 'FAILED' }
  expect(few).toEqual(usual)
  expect(textsOf(await firstPage(of, 50, [SUCCESSES, failures]))).toEqual(usual)
})

it('leaves names for other accounts when one asks for every length of a page', async () => {
  const names = new Set<string | undefined>()
  for (let take = 1; take <= 60; take += 1) {
    for (const { name } of await firstPage(listing({}, { accountId: ODD }), take)) names.add(name)
  }
  names.delete(undefined)
  expect(names.size).toBe(20)
  const [first, second] = await firstPage(listing({}, { accountId: USUAL, order: 'asc' }), 50)
  expect(first?.name).toBeDefined()
  expect(second?.name).toMatch(/^list \d+$/)
  expect(second?.name).not.toBe(first?.name)
  expect(names).not.toContain(second?.name)
})
