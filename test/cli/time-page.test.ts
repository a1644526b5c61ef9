// What docs/time.md tells a newcomer to paste is pasted, as it stands there, and makes of a year
// what the page says.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answersIn, blocksOf, type Newcomer, openNewcomer } from '../support/paste.ts'

const START_MS = 120_000
const LONG = { timeout: 300_000 }

/** The last day of each month, at nine in New York, and the first. */
const DAYS = [
  ...['2027-01-31T14', '2027-02-28T14', '2027-03-31T13', '2027-04-30T13', '2027-05-31T13'],
  ...['2027-06-30T13', '2027-07-31T13', '2027-08-31T13', '2027-09-30T13', '2027-10-31T13'],
  ...['2027-11-30T14', '2027-12-31T14'],
].map((hour) => `${hour}:00:00.000Z`)

interface List {
  readonly data: readonly Readonly<Record<string, unknown>>[]
  readonly total: number
}

let newcomer: Newcomer

beforeAll(async () => {
  newcomer = await openNewcomer()
}, START_MS)

afterAll(() => newcomer.leave())

describe('the year in a minute', LONG, () => {
  it('can be pasted as it is, and is twelve invoices, each paid on its day, and twelve batches', async () => {
    const blocks = await blocksOf('docs/time.md', /^A year in a minute\n/)
    const { status, outputs, err } = await newcomer.paste(blocks.map(({ content }) => content))
    const said = outputs.at(-1) ?? ''
    expect({ status, err, said }).toEqual({ status: 0, err: '', said })
    const [invoices, batches] = answersIn(said).slice(-2) as [List, List]
    expect(invoices.data.map((one) => one.status)).toEqual(DAYS.map(() => 'PAID'))
    expect(invoices.data.map((one) => one.paid_at).reverse()).toEqual(DAYS)
    expect(batches.data).toMatchObject(
      DAYS.map((day) => ({
        business_date: day.slice(0, 10),
        status: 'closed',
        count: 1,
        net: 49,
      })).reverse(),
    )
  })
})
