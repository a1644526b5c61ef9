// Addresses that do not exist: after the first refusal of a mail server the account sends them no
// more.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addressKey } from '../../src/core/mail-address.ts'
import type { ClaimedDelivery } from '../../src/deliveries/claim-due-deliveries.ts'
import { deliverDue } from '../../src/deliveries/deliver-due.ts'
import { refusalOfStopped, stopAddress } from '../../src/deliveries/stopped-addresses.ts'
import { emailChannel } from '../../src/messages/email-channel.ts'
import { liftStop } from '../../src/operators/lift-stop.ts'
import { deliveryStateOf } from '../support/deliveries.ts'
import { newPaymentsApi, openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.ts'
import { soon } from '../support/soon.ts'
import { call, type Merchant, type TestService } from '../support/test-service.ts'

const NO_SUCH_USER = { code: 550, text: '5.1.1 no such user' }

const OPERATOR = { name: 'Ada', address: '127.0.0.1' }

let sink: SmtpSink
let service: TestService
let api: PaymentsApi
let other: PaymentsApi

beforeAll(async () => {
  sink = await openSmtpSink()
  api = await openPaymentsApi({
    queues: ['charge'],
    timings: { messageTimeoutMs: 30_000 },
    settings: { SMTP_URL: sink.url, MAIL_FROM: 'pay@shop.example', EMAIL_PER_SECOND: '100' },
  })
  service = api.service
  other = await newPaymentsApi(service)
})
beforeEach(() => {
  sink.faults.recipient = undefined
})
afterAll(async () => {
  await service.close()
  await sink.close()
})

/** Sends a receipt of a charge to one address, as a worker does. */
async function receiptTo(address: string, whose = api) {
  const id = await whose.paid()
  const body = { ccEmails: [address] }
  const path = `/transaction/${id}/receipt/email`
  const asked = await call(service.app, 'POST', path, whose.merchant.headers, body)
  expect([asked.status, asked.body.message]).toEqual([200, expect.any(String)])
  const sent = async () => {
    await deliverDue(service.world, emailChannel(service.world))
    const [row] = await service.world.db.query(
      `SELECT id FROM delivery WHERE subject_id = $1 AND recipient = $2 AND due_at IS NULL`,
      [id, address],
    )
    expect(row).toBeDefined()
    return deliveryStateOf(service.world.db.query, row?.id)
  }
  const state = await until(sent)
  const listed = await call(
    service.app,
    'GET',
    `/transaction/${id}/receipt`,
    whose.merchant.headers,
  )
  const shown = listed.body.find((one: { recipient: string }) => one.recipient === address)
  return { ...state, shown }
}

function until<T>(look: () => Promise<T>): Promise<T> {
  return soon(look)
}

const key = ({ accountId }: Merchant, address: string) =>
  ({ accountId, channel: 'email', address, reason: 'no_such_address' }) as const

describe('an address that the mail server does not know', () => {
  it('gets no more mail from that account, in no spelling, until an operator lifts the stop', async () => {
    sink.faults.recipient = NO_SUCH_USER
    const address = `Gone.${randomUUID()}@Example.com`
    expect(await receiptTo(address)).toMatchObject({ status: 'parked', reason: 'refused' })
    sink.faults.recipient = undefined
    const asked = sink.askedFor.length
    const again = await receiptTo(address.toLowerCase())
    expect(again).toMatchObject({ status: 'parked', reason: 'suppressed', due_at: null })
    expect(again.last_error).toMatch(
      /^suppressed since \d{4}-\d\d-\d\d: this address does not exist \(.*550 5\.1\.1 no such user\)$/,
    )
    expect(again.shown).toMatchObject({ status: 'parked', reason: 'suppressed' })
    expect(again.shown.last_error).toBe(again.last_error)
    expect(sink.askedFor).toHaveLength(asked)
    // It does not silence another team's recipients.
    expect(await receiptTo(address, other)).toMatchObject({ status: 'sent' })
    await liftStop(service.world, OPERATOR, key(api.merchant, address), '')
    expect(await receiptTo(address)).toMatchObject({ status: 'sent', reason: null })
    await expect(liftStop(service.world, OPERATOR, key(api.merchant, address), '')).rejects.toThrow(
      'is not stopped in that account',
    )
  })

  it.each([
    ['a policy', 550, '5.7.1 blocked'],
    ['a refusal without a reason', 550, 'mailbox unavailable'],
    ['a mailbox that is disabled', 550, '5.2.1 disabled'],
    ['a name that it cannot read', 553, '5.1.3 bad name'],
  ])('%s does not stop the address: the next message is sent', async (_what, code, text) => {
    const address = `${randomUUID()}@example.com`
    sink.faults.recipient = { code, text }
    expect(await receiptTo(address)).toMatchObject({ status: 'parked', reason: 'refused' })
    sink.faults.recipient = undefined
    expect(await receiptTo(address)).toMatchObject({ status: 'sent' })
  })

  it('is remembered with the server’s words, without a card number in them', async () => {
    const address = `${randomUUID()}@example.com`
    const words = `5.1.1 4111111111111111 ${'no '.repeat(300)}`
    sink.faults.recipient = { code: 550, text: words }
    await receiptTo(address)
    const [row] = await service.world.db.query(
      'SELECT detail FROM stopped_address WHERE address = $1',
      [address],
    )
    expect(row?.detail).not.toContain('4111111111111111')
    expect(row?.detail.length).toBeLessThan(500)
  })
})

describe('in the sandbox', () => {
  it('an address at bounce.test bounces without a mail server', async () => {
    const asked = sink.askedFor.length
    const address = `${randomUUID()}@Bounce.test`
    const first = await receiptTo(address)
    expect(first).toMatchObject({ status: 'parked', reason: 'refused' })
    expect(first.last_error).toContain('550 5.1.1')
    expect(await receiptTo(address)).toMatchObject({ status: 'parked', reason: 'suppressed' })
    expect(sink.askedFor).toHaveLength(asked)
  })
})

describe('one spelling of an address', () => {
  it.each([
    ['Ada@Example.COM', 'ada@example.com'],
    [' ada@example.com ', 'ada@example.com'],
    ['ada@MÜNCHEN.example', 'ada@xn--mnchen-3ya.example'],
    ['ada@xn--mnchen-3ya.example', 'ada@xn--mnchen-3ya.example'],
    ['Jose\u0301@example.com', 'jos\u00e9@example.com'],
    ['+12025550123', '+12025550123'],
  ])('%s is %s', (spelt, one) => {
    expect(addressKey(spelt)).toBe(one)
  })
})

it('that an address does not exist counts before that its owner opted out', async () => {
  const { accountId } = api.merchant
  const of = { accountId, channel: 'email', address: 'gone-and-out@example.com' } as const
  const bill = { ...of, recipient: of.address, isScheduled: true } as Partial<ClaimedDelivery>
  const reason = async () => {
    const answer = await refusalOfStopped(service.world, bill as ClaimedDelivery)
    return answer?.kind === 'refused' ? answer.reason : undefined
  }
  await stopAddress(service.world, { ...of, reason: 'opted_out' })
  expect(await reason()).toBe('opted_out')
  await stopAddress(service.world, { ...of, reason: 'no_such_address' })
  expect(await reason()).toBe('suppressed')
})
