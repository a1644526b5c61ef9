// What the doctor says of messages and webhooks.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { examineDeliveries } from '../../src/doctor/examine-deliveries.ts'
import type { World } from '../../src/world.ts'
import { type DeliveryOptions, insertDeliveries } from '../support/delivery-rows.ts'
import { daysAgo } from '../support/retention.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const MINUTE = 60_000

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

const insert = (count: number, wishes: DeliveryOptions) =>
  insertDeliveries(service, merchant.accountId, count, wishes)

async function findingOf(subject: string, world: World = service.world) {
  const findings = await examineDeliveries(world)
  return findings.find((finding) => finding.subject === subject)
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * MINUTE)

describe('the doctor', () => {
  it('has nothing to say of a service where all is well, but where messages go', async () => {
    await insert(2, { status: 'sent' })
    expect(await examineDeliveries(service.world)).toEqual([
      { subject: 'parked deliveries', state: 'good', says: 'none' },
      { subject: 'overdue deliveries', state: 'good', says: 'none' },
      {
        subject: 'e-mail',
        state: 'good',
        says: 'kept in the outbox and not sent (lamplighter outbox): SMTP_URL is not set',
      },
      {
        subject: 'text messages',
        state: 'good',
        says: 'kept in the outbox and not sent (lamplighter outbox): TWILIO_ACCOUNT_SID is not set',
      },
    ])
  })

  it('counts what is parked, and says how it is tried again', async () => {
    await insert(2, { status: 'parked', reason: 'out_of_tries' })
    await insert(1, { status: 'parked', reason: 'refused', channel: 'sms' })
    expect(await findingOf('parked deliveries')).toEqual({
      subject: 'parked deliveries',
      state: 'bad',
      says: '3: 2 email out_of_tries, 1 sms refused',
      remedy: expect.stringContaining('lamplighter deliveries retry'),
    })
  })

  it.each([
    ['email', 'refused'],
    ['sms', 'opted_out'],
    ['sms', 'undelivered'],
    ['webhook', 'out_of_tries'],
    ['webhook', 'no_target'],
  ] as const)('finds nothing wrong with itself where it is %s %s', async (channel, reason) => {
    await insert(1, { status: 'parked', channel, reason })
    expect(await findingOf('parked deliveries')).toMatchObject({
      state: 'good',
      says: `1: 1 ${channel} ${reason}`,
    })
  })

  it('tells what nobody has sent for more than a quarter of an hour', async () => {
    await insert(2, { status: 'pending', at: minutesAgo(14) })
    expect(await findingOf('overdue deliveries')).toMatchObject({ state: 'good' })
    const oldest = minutesAgo(17)
    await insert(1, { status: 'pending', at: minutesAgo(16) })
    await insert(1, { status: 'pending', at: oldest })
    expect(await findingOf('overdue deliveries')).toMatchObject({
      state: 'bad',
      says: `2 email, the oldest due since ${oldest.toISOString()}`,
      remedy: expect.stringContaining('lamplighter worker'),
    })
  })

  it('leaves out what is on its way in this moment', async () => {
    await insert(1, { status: 'pending', at: daysAgo(1) })
    const until = new Date(Date.now() + MINUTE)
    await service.world.db.query('UPDATE delivery SET leased_until = $1', [until])
    expect(await findingOf('overdue deliveries')).toMatchObject({ state: 'good' })
  })

  it('tells of a provider that is away, and of one that asked for a pause', async () => {
    const until = Date.now() + 30_000
    await rest('email', 4, until)
    await rest('sms', 0, until)
    const at = new Date(until).toISOString()
    expect(await findingOf('provider of email')).toMatchObject({
      state: 'bad',
      says: `could not be reached, 4 in a row; it is asked again at ${at}`,
      remedy: expect.stringContaining('SMTP_URL'),
    })
    await insert(2, { status: 'pending', at: daysAgo(1) })
    const detail = 'the server could not be asked (UNABLE_TO_VERIFY_LEAF_SIGNATURE)'
    await service.world.db.query(
      `UPDATE delivery SET last_error = $1, updated_at = $2
       WHERE id = (SELECT id FROM delivery LIMIT 1)`,
      [detail, minutesAgo(1)],
    )
    expect(await findingOf('provider of email')).toMatchObject({
      says: `could not be reached, 4 in a row; it is asked again at ${at}; the last error: ${detail}`,
    })
    expect(await findingOf('provider of sms')).toEqual({
      subject: 'provider of sms',
      state: 'good',
      says: `asked for a pause: it rests until ${at}`,
    })
  })

  it('minds a sender that nobody can answer, where mail is really sent', async () => {
    const mailer = { ...service.world.mailer, kind: 'smtp' as const }
    const from = (mailFrom: string): World => ({
      ...service.world,
      mailer,
      config: { ...service.world.config, mailFrom },
    })
    for (const mailFrom of ['lamplighter@localhost', 'Shop <pay@localhost>']) {
      expect(await findingOf('e-mail', from(mailFrom))).toMatchObject({
        state: 'bad',
        remedy: 'Set MAIL_FROM to an address of your own domain.',
      })
    }
    expect(await findingOf('e-mail', from('pay@shop.example'))).toMatchObject({ state: 'good' })
  })
})

async function rest(channel: string, failures: number, untilMs: number): Promise<void> {
  await service.world.db.query(
    `UPDATE provider_pace SET failures = $2, resting_until_ms = $3
     WHERE channel = $1::delivery_channel`,
    [channel, failures, untilMs],
  )
}
