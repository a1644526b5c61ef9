// How many messages a sandbox account sends within a day.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SendAnswer } from '../../src/core/delivery.ts'
import { after, DAY } from '../../src/core/time-units.ts'
import type { ClaimedDelivery } from '../../src/deliveries/claim-due-deliveries.ts'
import { optOut } from '../../src/deliveries/opt-outs.ts'
import { sendWithinLimit } from '../../src/deliveries/sandbox-limit.ts'
import { stopAddress } from '../../src/deliveries/stopped-addresses.ts'
import { askReceipt, type Channel, receiptsOf } from '../support/receipts.ts'
import { setTeam } from '../support/set-team.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const MOST = 3
const SENT = { timeout: 20_000, interval: 50 }
const TAKEN: SendAnswer = { kind: 'taken', providerId: null }
const LIMITED = /^a sandbox account sends at most 3 (e-mails|text messages) within a day$/

let service: TestService

beforeAll(async () => {
  service = await openTestService({
    queues: ['charge', 'email', 'sms'],
    settings: {
      SANDBOX_MESSAGES_PER_DAY: String(MOST),
      EMAIL_PER_SECOND: '100',
      SMS_PER_SECOND: '100',
    },
  })
})
afterAll(() => service.close())

async function merchantOf(mode: 'sandbox' | 'live'): Promise<Merchant> {
  const merchant = await service.merchant(mode)
  await setTeam(service.world, merchant.teamId, ['sms_enabled=true'])
  return merchant
}

/** Asks for a receipt to this many addresses; returns its deliveries once they have ended. */
async function receiptTo(
  merchant: Merchant,
  channel: Channel,
  count: number,
  domain = 'example.com',
) {
  const ask = (path: string, body: object) =>
    call(service.app, 'POST', path, merchant.headers, body)
  const customer_id = (await ask('/customer', { firstname: 'Ada' })).body.id
  const cash = { total: 12, type: 'charge', method: 'cash', customer_id }
  const { id } = (await ask('/transaction', cash)).body
  const numbers = Array.from({ length: count }, (_, i) => i)
  const copies =
    channel === 'email'
      ? { ccEmails: numbers.map((i) => `guest-${i}@${domain}`) }
      : { ccSms: numbers.map((i) => `+1202555010${i}`) }
  const asked = await askReceipt({ service, merchant }, id, channel, copies)
  expect(asked.status).toBe(200)
  return ended(merchant, id, count)
}

async function ended(merchant: Merchant, id: string, count: number) {
  let listed: readonly Readonly<Record<string, unknown>>[] = []
  await expect
    .poll(async () => {
      listed = (await receiptsOf({ service, merchant }, id)).body
      return listed.filter(({ status }) => status !== 'pending').length
    }, SENT)
    .toBe(count)
  return listed
}

/** How many attempts the metrics count, by answer. */
async function attemptsOf(channel: Channel): Promise<Readonly<Record<string, number>>> {
  const { values } = await service.world.metrics.deliveries.get()
  const counts = values.filter(
    ({ metricName, labels }) => metricName?.endsWith('_count') && labels.channel === channel,
  )
  return Object.fromEntries(counts.map(({ labels, value }) => [String(labels.answer), value]))
}

const reasonsOf = (listed: readonly Readonly<Record<string, unknown>>[]) =>
  listed.map(({ status, reason }) => reason ?? status).sort()

/** The reasons of the deliveries that need the attention of an operator. */
async function needingAttention({ accountId }: Merchant): Promise<readonly unknown[]> {
  const open = await service.world.db.query(
    `SELECT reason FROM delivery WHERE account_id = $1 AND status = 'parked' AND closed_at IS NULL`,
    [accountId],
  )
  return open.map(({ reason }) => reason)
}

it('a sandbox account sends so many by each channel, and the others are not sent', async () => {
  const merchant = await merchantOf('sandbox')
  const listed = await receiptTo(merchant, 'email', 5)
  expect(reasonsOf(listed)).toEqual(['sandbox_limit', 'sandbox_limit', 'sent', 'sent', 'sent'])
  const limited = listed.filter(({ reason }) => reason === 'sandbox_limit')
  for (const one of limited) expect(one.last_error).toMatch(LIMITED)
  // Only what was sent is an attempt.
  expect(await attemptsOf('email')).toEqual({ taken: 3 })
  expect(await needingAttention(merchant)).toEqual([])
  expect(reasonsOf(await receiptTo(merchant, 'sms', 4))).toEqual([
    'sandbox_limit',
    'sent',
    'sent',
    'sent',
  ])
  const other = await merchantOf('sandbox')
  expect(reasonsOf(await receiptTo(other, 'email', 2))).toEqual(['sent', 'sent'])
})

it('what bounces in the sandbox counts, and what is stopped since needs no attention', async () => {
  const merchant = await merchantOf('sandbox')
  const bounced = await receiptTo(merchant, 'email', 5, 'bounce.test')
  const attended = ['refused', 'refused', 'refused']
  expect(reasonsOf(bounced)).toEqual([...attended, 'sandbox_limit', 'sandbox_limit'])
  expect(await needingAttention(merchant)).toEqual(attended)
  const again = await receiptTo(merchant, 'email', 5, 'bounce.test')
  const limited = ['sandbox_limit', 'sandbox_limit']
  expect(reasonsOf(again)).toEqual([...limited, 'suppressed', 'suppressed', 'suppressed'])
  await optOut(service.world, '+12025550100')
  expect(reasonsOf(await receiptTo(merchant, 'sms', 1))).toEqual(['opted_out'])
  expect(await needingAttention(merchant)).toEqual(attended)
})

it('on the next day it sends as many again', async () => {
  const merchant = await merchantOf('sandbox')
  await receiptTo(merchant, 'email', MOST)
  expect(reasonsOf(await receiptTo(merchant, 'email', 1))).toEqual(['sandbox_limit'])
  await service.world.db.query(
    'UPDATE sandbox_message_count SET ends_at = $2 WHERE account_id = $1',
    [merchant.accountId, after(service.world.clock.now(), -1)],
  )
  expect(reasonsOf(await receiptTo(merchant, 'email', 4))).toEqual([
    'sandbox_limit',
    'sent',
    'sent',
    'sent',
  ])
  // A clock that was days ahead, and was set back since, began a day that would not end.
  await service.world.db.query(
    'UPDATE sandbox_message_count SET ends_at = $2 WHERE account_id = $1',
    [merchant.accountId, after(service.world.clock.now(), 9 * DAY)],
  )
  expect(reasonsOf(await receiptTo(merchant, 'email', 1))).toEqual(['sent'])
})

describe('attempts of an account', () => {
  async function attemptOf({ accountId }: Merchant, answer: SendAnswer, now = new Date()) {
    const { world } = service
    const delivery = { accountId, channel: 'email' } as unknown as ClaimedDelivery
    const clock = { ...world.clock, now: () => now }
    return sendWithinLimit({ ...world, clock }, delivery, async () => answer)
  }

  const LIMIT_REACHED = expect.objectContaining({ kind: 'refused', reason: 'sandbox_limit' })

  it('are counted in whatever order those of one moment come', async () => {
    const merchant = await merchantOf('sandbox')
    const began = new Date()
    for (const ms of [20, 10, 0, 30]) {
      const answer = await attemptOf(merchant, TAKEN, after(began, ms))
      expect([ms, answer]).toEqual([ms, ms === 30 ? LIMIT_REACHED : TAKEN])
    }
  })

  it.each<[counts: string, answer: SendAnswer]>([
    ['is counted', { kind: 'failed', detail: 'no' }],
    ['is counted', { kind: 'silent', detail: 'nothing' }],
    ['is not counted', { kind: 'away', detail: 'refused the connection' }],
    ['is not counted', { kind: 'throttled', detail: '421 later' }],
  ])('one that %s: %o', async (counts, answer) => {
    const merchant = await merchantOf('sandbox')
    for (let i = 0; i < MOST; i += 1) expect(await attemptOf(merchant, answer)).toEqual(answer)
    const next = await attemptOf(merchant, TAKEN)
    expect(next).toEqual(counts === 'is counted' ? LIMIT_REACHED : TAKEN)
  })
})

it('a live account has no such limit', async () => {
  const merchant = await merchantOf('live')
  const listed = await receiptTo(merchant, 'email', MOST + 2)
  expect(new Set(reasonsOf(listed))).toEqual(new Set(['sent']))
  await stopAddress(service.world, {
    accountId: merchant.accountId,
    channel: 'email',
    address: 'guest-0@example.com',
    reason: 'no_such_address',
  })
  await receiptTo(merchant, 'email', 1)
  expect(await needingAttention(merchant)).toEqual(['suppressed'])
})
