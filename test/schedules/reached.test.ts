// A run's invoice counts as sent only if its customer gets a message of it: a bill, or a receipt.

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { optOut } from '../../src/deliveries/opt-outs.ts'
import { stopAddress } from '../../src/deliveries/stopped-addresses.ts'
import { runDueSchedules } from '../../src/schedules/run-due-schedules.ts'
import { openSchedules, schedulesOfAnother, type TestSchedules } from '../support/schedules.ts'
import { setTeam } from '../support/set-team.ts'

const EMAIL = 'Ada@Example.com'
const COPY = 'copy@example.com'
const PHONE = '+12125550123'

let first: TestSchedules
let schedules: TestSchedules
let customer: string

beforeAll(async () => {
  first = await openSchedules()
})
afterAll(() => first.close())
beforeEach(async () => {
  first.clock.at = new Date('2026-01-17T12:00:00.000Z')
  schedules = await schedulesOfAnother(first)
  const { body } = await schedules.ask('POST', '/customer', { firstname: 'Ada', email: EMAIL })
  customer = body.id
})

const BILL = { payment_method_id: null }

const query = (text: string, ...values: unknown[]) => schedules.service.world.db.query(text, values)

function stop(reason: 'no_such_address' | 'opted_out', address = EMAIL): Promise<void> {
  const { accountId } = schedules.merchant
  return stopAddress(schedules.service.world, { accountId, channel: 'email', address, reason })
}

/** The status of the next run's invoice, and how many messages of it are written. */
async function runOf(fields: object): Promise<readonly [status: string, messages: number]> {
  const { id } = await schedules.made({ customer_id: customer, ...fields })
  schedules.clock.at = new Date('2026-01-17T14:00:00.000Z')
  await runDueSchedules(schedules.service.world)
  const [row] = await query(
    `SELECT v.status, v.sent_at, (
       SELECT count(*)::integer FROM delivery d
       WHERE d.account_id = v.account_id AND d.subject_id = v.id
     ) AS messages
     FROM invoice v WHERE v.schedule_id = $1`,
    id,
  )
  expect(row?.sent_at !== null).toBe(row?.status === 'SENT')
  expect((await schedules.get(id)).last_invoice_status).toBe(row?.status)
  return [row?.status, row?.messages]
}

it('an address without a stop gets the bill', async () => {
  expect(await runOf(BILL)).toEqual(['SENT', 1])
})

it.each(['no_such_address', 'opted_out'] as const)(
  'a bill to an address that is stopped (%s) stays a draft, and its delivery says why',
  async (reason) => {
    await stop(reason)
    expect(await runOf(BILL)).toEqual(['DRAFT', 1])
  },
)

it('a bill with a copy that arrives is sent', async () => {
  await schedules.ask('PUT', `/customer/${customer}`, { cc_emails: [COPY] })
  await stop('no_such_address')
  expect(await runOf(BILL)).toEqual(['SENT', 2])
})

it('a number that answered STOP gets no bill', async () => {
  const { service, merchant } = schedules
  await setTeam(service.world, merchant.teamId, ['sms_enabled=true'])
  await schedules.ask('PUT', `/customer/${customer}`, { email: null, phone: PHONE })
  const texted = { ...BILL, email_notification: false, sms_notification: true }
  expect(await runOf(texted)).toEqual(['SENT', 1])
  await optOut(service.world, PHONE)
  schedules.clock.at = new Date('2026-01-17T12:00:00.000Z')
  expect(await runOf(texted)).toEqual(['DRAFT', 1])
})

it.each([
  ['opted_out', 'SENT'],
  ['no_such_address', 'DRAFT'],
] as const)(
  'of an automatic payment, the receipt to an address that is %s counts: %s',
  async (reason, status) => {
    const { body } = await schedules.ask('POST', '/payment-method', {
      method: 'card',
      person_name: 'Ada',
      card_number: '4111111111111111',
      card_exp: '1230',
      customer_id: customer,
    })
    await stop(reason)
    expect(await runOf({ payment_method_id: body.id })).toEqual([status, 0])
  },
)

it.each([
  ['opted_out', 'SENT'],
  ['no_such_address', 'DRAFT'],
] as const)('a bill that a caller sends to an address that is %s is %s', async (reason, status) => {
  await stop(reason)
  const bill = await schedules.ask('POST', '/invoice', { total: 7, customer_id: customer })
  const sent = await schedules.ask('POST', `/invoice/${bill.body.id}/send/email`)
  expect([sent.status, sent.body.status]).toEqual([200, status])
  const written = await query('SELECT FROM delivery WHERE subject_id = $1', bill.body.id)
  expect(written).toHaveLength(1)
})
