// The batches of a day beside the gateway's own ledger, which the test has altered.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dateText } from '../../src/core/whole-days.ts'
import { Gateways } from '../../src/outside/gateway/gateways.ts'
import { type Reconciled, reconcile } from '../../src/settlement/reconcile.ts'
import { settleAccount } from '../../src/settlement/settle-account.ts'
import { type DayEnd, openDayEnd } from '../support/day-end.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'

let day: DayEnd
let date: string
let batchId: string
const ids: string[] = []

beforeAll(async () => {
  day = await openDayEnd({ queues: ['charge', 'refund', 'doubt'] })
  for (const total of [10, 20, 30]) ids.push(await sold(total))
  const voided = await sold(40)
  await day.ask(voided, 'void')
  ids.push(voided)
  const declined = await day.service.card(day.merchant, DECLINED_CARD)
  ids.push((await day.charge({ payment_method_id: declined })).body.id)
  const { id, businessDate } = await day.passCutoff()
  ;[batchId, date] = [id, dateText(businessDate)]
  const { accountId } = day.merchant
  await settleAccount(day.world, { accountId, now: day.clock.now() })
})
afterAll(() => day.close())

async function sold(total: number): Promise<string> {
  const { body } = await day.charge({ total })
  expect(body.status).toBe('SUCCESS')
  return body.id
}

async function compared(): Promise<Reconciled> {
  const [one, ...others] = await reconcile(day.world, date, day.merchant.accountId)
  expect(others).toEqual([])
  if (one === undefined) throw new Error('there is a batch')
  return one
}

/** The differences that are found while the ledger is altered, and not before or after. */
async function foundWhile(change: string, undo: string, values: readonly unknown[]) {
  const { query } = day.world.db
  expect((await compared()).differences).toEqual([])
  await query(change, values)
  const found = await compared()
  await query(undo, values)
  expect((await compared()).differences).toEqual([])
  return found
}

const amend = (what: string, back: string) =>
  [
    `UPDATE sandbox_gateway_payment SET ${what} WHERE key = $1`,
    `UPDATE sandbox_gateway_payment SET ${back} WHERE key = $1`,
  ] as const

const FORGET = `UPDATE sandbox_gateway_payment SET key = 'x' || $1 WHERE key = $1`
const REMEMBER = `UPDATE sandbox_gateway_payment SET key = $1 WHERE key = 'x' || $1`

describe('ledgers that agree', () => {
  it('have no differences, and the same figures', async () => {
    const { batch, ours, gateways, differences } = await compared()
    expect(batch).toMatchObject({ id: batchId, status: 'closed' })
    expect(ours).toEqual({ count: 3, sales: 60_00n, refunds: 0n })
    expect(gateways).toEqual(ours)
    expect(differences).toEqual([])
  })

  it('are compared if there is a batch', async () => {
    expect(await reconcile(day.world, '2001-01-01', undefined)).toEqual([])
    const { accountId } = await day.service.merchant()
    expect(await reconcile(day.world, date, accountId)).toEqual([])
  })
})

describe("a batch's payment of which the gateway", () => {
  it.each([
    [
      'another amount',
      'amount = 999',
      'amount = 1000',
      'it is of 10, to the gateway of 9.99',
      59_99,
    ],
    [
      'a refusal',
      "outcome = 'declined'",
      "outcome = 'approved'",
      'the gateway has it as declined',
      50_00,
    ],
    [
      'no word',
      "outcome = 'lost'",
      "outcome = 'approved'",
      'the gateway has it as undecided',
      50_00,
    ],
    [
      'another operation',
      "operation = 'pre_auth'",
      "operation = 'charge'",
      'it is a charge, to the gateway a pre_auth',
      50_00,
    ],
  ])('has %s', async (_what, change, undo, what, sales) => {
    const found = await foundWhile(...amend(change, undo), [ids[0]])
    expect(found.differences).toEqual([{ id: ids[0], what }])
    expect(found.gateways.sales).toBe(BigInt(sales))
    expect(found.ours.sales).toBe(60_00n)
  })

  it('made another one under the same key', async () => {
    const [sandbox] = day.world.gateways.all
    if (sandbox === undefined) throw new Error('there is a gateway')
    const gateways = new Gateways([
      {
        ...sandbox,
        async *entriesBetween(window) {
          for await (const page of sandbox.entriesBetween(window)) {
            const own = page.filter(({ key }) => key === ids[0])
            yield [...page, ...own.map((entry) => ({ ...entry, gatewayId: 'sbx_2' }))]
          }
        },
      },
    ])
    const world = { ...day.world, gateways }
    const [found] = await reconcile(world, date, day.merchant.accountId)
    const what = 'the gateway made a charge of 10 as sbx_2, unknown to us'
    expect(found?.differences).toMatchObject([{ id: ids[0], what }])
    expect(found?.gateways.sales).toBe(70_00n)
  })

  it('has another name', async () => {
    const sql = amend("gateway_id = 'other' || gateway_id", 'gateway_id = substr(gateway_id, 6)')
    const { differences } = await foundWhile(...sql, [ids[0]])
    expect(differences).toEqual([
      { id: ids[0], what: expect.stringContaining('the gateway othersbx_') },
    ])
  })

  it('has nothing, and has a foreign payment instead', async () => {
    const { differences, gateways } = await foundWhile(FORGET, REMEMBER, [ids[1]])
    expect(differences).toMatchObject([
      { id: ids[1], what: 'the gateway has no such charge' },
      { id: `x${ids[1]}`, what: 'the gateway made a charge of 20 that is none of ours' },
    ])
    expect(gateways).toEqual({ count: 3, sales: 60_00n, refunds: 0n })
  })

  it('has a void', async () => {
    const VOID = `
      INSERT INTO sandbox_gateway_payment (account_id, key, gateway_id, operation, parent_key, amount,
        outcome, silent_until, created_at, booked_at)
      SELECT account_id, 'doctored', 'sbx', 'void', key, amount, 'approved', silent_until, created_at,
        booked_at
      FROM sandbox_gateway_payment WHERE key = $1`
    const UNDO = "DELETE FROM sandbox_gateway_payment WHERE key = 'doctored' AND parent_key = $1"
    const { differences } = await foundWhile(VOID, UNDO, [ids[2]])
    expect(differences).toEqual([{ id: ids[2], what: 'the gateway has voided it' }])
  })
})

describe('a payment outside the batch of which the gateway', () => {
  it('has not made the void that we have', async () => {
    const [no, yes] = ["outcome = 'declined'", "outcome = 'approved'"]
    const sql = [no, yes].map(
      (what) => `UPDATE sandbox_gateway_payment SET ${what} WHERE parent_key = $1`,
    ) as [string, string]
    const { differences, gateways } = await foundWhile(...sql, [ids[3]])
    expect(differences).toMatchObject([
      { id: ids[3], what: 'the gateway has not voided a charge of 40' },
    ])
    expect(gateways).toEqual({ count: 4, sales: 100_00n, refunds: 0n })
  })

  it('has made a payment that failed with us', async () => {
    const sql = amend("outcome = 'approved'", "outcome = 'declined'")
    const { differences } = await foundWhile(...sql, [ids[4]])
    expect(differences).toMatchObject([
      { id: ids[4], what: 'the gateway made a charge of 10 that has failed with us' },
    ])
  })
})

describe('an open batch', () => {
  it('is compared with its present amounts', async () => {
    const id = await sold(7)
    const open = (await day.batches()).at(-1)
    const [found] = await reconcile(
      day.world,
      dateText(open?.businessDate ?? new Date(0)),
      day.merchant.accountId,
    )
    expect(found).toMatchObject({
      ours: { count: 1, sales: 7_00n, refunds: 0n },
      gateways: { count: 1, sales: 7_00n, refunds: 0n },
      differences: [],
    })
    expect((await day.get(id)).body.batch_id).toBeNull()
  })
})
