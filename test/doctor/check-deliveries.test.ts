// The doctor's findings about messages.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MINUTE } from '../../src/core/time-units.ts'
import { findingsOf } from '../../src/doctor/check.ts'
import { checkMessages, checkProviders } from '../../src/doctor/check-deliveries.ts'
import { checkAttention, checkOverdue } from '../../src/doctor/check-work.ts'
import type { World } from '../../src/world.ts'
import { type DeliveryOptions, insertDeliveries } from '../support/delivery-rows.ts'
import { daysAgo } from '../support/retention.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const NOTHING = [{ subject: 'needs attention', state: 'ok', says: 'nothing' }]

let service: TestService
let merchant: Merchant

beforeAll(async () => {
  service = await openTestService({ queues: [], backend: 'postgres' })
  merchant = await service.merchant()
})
beforeEach(async () => {
  await service.world.db.query('DELETE FROM delivery')
  await service.world.db.query('UPDATE provider_pace SET failures = 0, resting_until_ms = 0')
})
afterAll(() => service.close())

const insert = (count: number, options: DeliveryOptions) =>
  insertDeliveries(service, merchant.accountId, count, options)

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * MINUTE)

describe('the doctor', () => {
  it('says where messages go, and nothing else of a service in order', async () => {
    await insert(2, { status: 'sent' })
    expect(await findingsOf(checkMessages, service.world)).toEqual([
      {
        subject: 'messages',
        state: 'ok',
        says:
          'e-mail is kept in the outbox (lamplighter outbox), since SMTP_URL is not set; ' +
          'text messages are kept in the outbox (lamplighter outbox), since TWILIO_ACCOUNT_SID is not set',
      },
    ])
    expect(await findingsOf(checkProviders, service.world)).toEqual([])
    expect(await findingsOf(checkAttention, service.world)).toEqual(NOTHING)
  })

  it('counts failed deliveries by their reason, and says how to retry them', async () => {
    await insert(2, { status: 'parked', reason: 'out_of_tries' })
    await insert(1, { status: 'parked', reason: 'expired', channel: 'sms' })
    expect(await findingsOf(checkAttention, service.world)).toMatchObject([
      {
        state: 'fault',
        says: '2 failed deliveries (email out_of_tries)',
        remedy: expect.stringContaining('retry --channel email --reason out_of_tries'),
      },
      { state: 'fault', says: '1 failed delivery (sms expired)' },
    ])
  })

  it.each([
    ['email', 'refused'],
    ['sms', 'opted_out'],
    ['sms', 'undelivered'],
    ['webhook', 'out_of_tries'],
    ['webhook', 'no_target'],
  ] as const)('warns of a delivery that a retry cannot help: %s %s', async (channel, reason) => {
    await insert(1, { status: 'parked', channel, reason })
    expect(await findingsOf(checkAttention, service.world)).toMatchObject([
      {
        state: 'warning',
        says: `1 failed delivery (${channel} ${reason})`,
        remedy: expect.stringContaining('lamplighter deliveries lists them'),
      },
    ])
  })

  it('reports messages that have waited for more than a quarter of an hour', async () => {
    await insert(2, { status: 'pending', at: minutesAgo(14) })
    expect(await findingsOf(checkOverdue, service.world)).toEqual([
      { subject: 'overdue work', state: 'ok', says: '2 due, and young' },
    ])
    await insert(1, { status: 'pending', at: minutesAgo(17) })
    expect(await findingsOf(checkOverdue, service.world)).toMatchObject([
      {
        state: 'fault',
        says: '3 e-mails due, the oldest for 17 minutes',
        remedy: expect.stringContaining('lamplighter worker email. EMAIL_PER_SECOND'),
      },
    ])
  })

  it('ignores messages that are being sent at this moment', async () => {
    await insert(1, { status: 'pending', at: daysAgo(1) })
    const until = new Date(Date.now() + MINUTE)
    await service.world.db.query('UPDATE delivery SET leased_until = $1', [until])
    expect(await findingsOf(checkOverdue, service.world)).toMatchObject([{ state: 'ok' }])
  })

  it('reports a provider that is away, with its last error, and none that asked for a pause', async () => {
    const until = Date.now() + 30_000
    await rest('email', 4, until)
    await rest('sms', 0, until)
    const says = `email failed 4 in a row, and is asked again after ${new Date(until).toISOString()}`
    const finding = { subject: 'providers', state: 'fault', says }
    expect(await findingsOf(checkProviders, service.world)).toEqual([
      { ...finding, remedy: expect.stringContaining('SMTP_URL') },
    ])
    await insert(2, { status: 'pending', at: daysAgo(1) })
    const detail = 'the server could not be asked (UNABLE_TO_VERIFY_LEAF_SIGNATURE)'
    await service.world.db.query(
      `UPDATE delivery SET last_error = $1, updated_at = $2
       WHERE id = (SELECT id FROM delivery LIMIT 1)`,
      [detail, minutesAgo(1)],
    )
    expect(await findingsOf(checkProviders, service.world)).toMatchObject([
      { says: `${says}; the last error: ${detail}` },
    ])
  })

  it('reports a sender without a reply address if mail is really sent', async () => {
    const mailer = { ...service.world.mailer, kind: 'smtp' as const }
    const from = (mailFrom: string): World => ({
      ...service.world,
      mailer,
      config: { ...service.world.config, mailFrom },
    })
    for (const mailFrom of ['lamplighter@localhost', 'Shop <pay@localhost>']) {
      expect(await findingsOf(checkMessages, from(mailFrom))).toMatchObject([
        { state: 'fault', remedy: 'Set MAIL_FROM to an address of your own domain.' },
      ])
    }
    const well = await findingsOf(checkMessages, from('pay@shop.example'))
    expect(well).toMatchObject([
      { state: 'ok', says: expect.stringMatching(/^e-mail is sent from pay@shop/) },
    ])
  })
})

async function rest(channel: string, failures: number, untilMs: number): Promise<void> {
  await service.world.db.query(
    `UPDATE provider_pace SET failures = $2, resting_until_ms = $3
     WHERE channel = $1::delivery_channel`,
    [channel, failures, untilMs],
  )
}
