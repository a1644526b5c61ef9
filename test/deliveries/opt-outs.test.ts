// Texts go to a server that speaks as Twilio does: an opted-out recipient is not texted, and a
// report that comes before the answer is not overwritten.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { deliverDue } from '../../src/deliveries/deliver-due.ts'
import { smsChannel } from '../../src/messages/sms-channel.ts'
import { deliveryStateOf, deliveryStatesOf } from '../support/deliveries.ts'
import { openPaymentsApi } from '../support/payments-api.ts'
import { send } from '../support/requests.ts'
import { setTeam } from '../support/set-team.ts'
import { TWILIO } from '../support/settings.ts'
import { soon } from '../support/soon.ts'
import type { Merchant, TestService } from '../support/test-service.ts'
import {
  AUTH_TOKEN,
  callback,
  type Form,
  openTwilioServer,
  refusing,
  sidOf,
  TAKES,
  type TwilioServer,
} from '../support/twilio-server.ts'

const PUBLIC_URL = 'https://pay.example'

/** On a busy machine Twilio's client takes seconds to load. */
const PATIENCE_MS = 30_000
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const [TO, ANOTHER] = ['+12025550177', '+12025550178']

let server: TwilioServer
let service: TestService
let merchant: Merchant
/** The transaction that every text is about. */
let paid: string

beforeAll(async () => {
  server = await openTwilioServer()
  const api = await openPaymentsApi({
    queues: ['charge'],
    twilioUrl: server.url,
    timings: { messageTimeoutMs: PATIENCE_MS },
    settings: { ...TWILIO, TWILIO_AUTH_TOKEN: AUTH_TOKEN, PUBLIC_URL, SMS_PER_SECOND: '100' },
  })
  service = api.service
  merchant = api.merchant
  await enableSms(true)
  const charged = await api.charge()
  expect(charged.body.status).toBe('SUCCESS')
  paid = charged.body.id
})
beforeEach(() => server.behave(TAKES))
afterAll(async () => {
  await service.close()
  await server[Symbol.asyncDispose]()
})

const enableSms = (isEnabled: boolean) =>
  setTeam(service.world, merchant.teamId, [`sms_enabled=${isEnabled}`])

const statusUrl = (account: string, id: string) =>
  `${PUBLIC_URL}/provider/twilio/status?account=${account}&delivery=${id}`

async function insertDue(to: string): Promise<string> {
  const { world } = service
  const id = randomUUID()
  const at = world.clock.now()
  await world.db.query(
    `INSERT INTO delivery (account_id, id, channel, lane, subject, subject_id, recipient, request,
       due_at, owed_at, request_id, created_at, updated_at)
     VALUES ($1, $2, 'sms', $1, 'transaction', $5, $3, $6, $4, $4, 'test', $4, $4)`,
    [merchant.accountId, id, to, at, paid, id],
  )
  return id
}

/** Sends as a worker does, round after round until its turn comes. */
async function delivered(to: string) {
  const id = await insertDue(to)
  const carried = async () => {
    await deliverDue(service.world, smsChannel(service.world))
    const state = await deliveryStateOf(service.world.db.query, id)
    expect(state.history).not.toEqual([])
    return state
  }
  return soon(carried)
}

const report = (url: string, form: Form) => send(service.app, callback(url, form))

const reply = (From: string, Body: string) =>
  report(`${PUBLIC_URL}/provider/twilio/message`, { MessageSid: 'SM9', From, Body })

it('a recipient who answers STOP gets no text until the answer START', async () => {
  expect(await delivered(TO)).toMatchObject({ status: 'sent', provider_id: sidOf(TO) })
  await reply(TO, 'Stop')
  server.behave(TAKES)
  const parked = { status: 'parked', reason: 'opted_out', tries: 1 }
  expect(await delivered(TO)).toMatchObject(parked)
  expect(server.asked).toEqual([])
  expect(await delivered(ANOTHER)).toMatchObject({ status: 'sent' })
  await reply(TO, 'START')
  expect(await delivered(TO)).toMatchObject({ status: 'sent' })
  expect(server.asked.map(({ form }) => form.To)).toEqual([ANOTHER, TO])
})

it('a text that waits is not sent once its team has lost the feature', async () => {
  await enableSms(false)
  expect(await delivered(TO)).toMatchObject({ status: 'parked', reason: 'no_target' })
  expect(server.asked).toEqual([])
  await enableSms(true)
  expect(await delivered(TO)).toMatchObject({ status: 'sent' })
})

it('texts that are not sent wait for no answer about their number', async () => {
  const unknown = '+12025550179'
  await reply(unknown, 'STOP')
  const ended = async (count: number) => {
    const ids = await Promise.all(Array.from({ length: count }, () => insertDue(unknown)))
    await deliverDue(service.world, smsChannel(service.world))
    const states = await deliveryStatesOf(service.world.db.query, ids)
    return states.map(({ status, reason }) => `${status} ${reason}`)
  }
  expect(await ended(2)).toEqual(Array(2).fill('parked opted_out'))
  expect(await ended(5)).toEqual(Array(5).fill('parked opted_out'))
})

it('a recipient whom the provider reports as opted out is not tried again', async () => {
  server.behave(refusing(400, 21610, 'Attempt to send to unsubscribed recipient'))
  for (const _ of [1, 2]) {
    expect(await delivered(TO)).toMatchObject({ status: 'parked', reason: 'opted_out' })
  }
  expect(server.asked).toHaveLength(1)
  await reply(TO, 'START')
  server.behave(TAKES)
  expect(await delivered(TO)).toMatchObject({ status: 'sent' })
})

it.each([
  ['delivered', {}, { status: 'delivered', reason: null }],
  ['undelivered', { ErrorCode: '30005' }, { status: 'parked', reason: 'undelivered' }],
])(
  'the report %s, received before Twilio has answered, is not overwritten',
  async (said, more, expected) => {
    server.behave(async (asked) => {
      const url = new URL(asked.form.StatusCallback ?? '')
      url.hash = ''
      const form = { MessageSid: sidOf(TO), MessageStatus: said, ...more }
      expect((await report(url.href, form)).status).toBe(204)
      return TAKES(asked)
    })
    expect(await delivered(TO)).toMatchObject({ ...expected, provider_id: sidOf(TO), due_at: null })
    expect(server.asked).toHaveLength(1)
  },
)

it('a text that Twilio took without an answer is not sent again once it reports on it', async () => {
  server.behave('cut')
  const { id, ...silent } = await delivered(TO)
  expect(silent).toMatchObject({ status: 'pending', tries: 1 })
  const form = { MessageSid: sidOf(TO), MessageStatus: 'sent' }
  await report(statusUrl(merchant.accountId, id), form)
  const { status, due_at, history } = await deliveryStateOf(service.world.db.query, id)
  expect([status, due_at]).toEqual(['sent', null])
  expect(history.map(({ answer }) => answer)).toEqual(['silent', 'taken'])
})
