// Calls from the provider of text messages, and calls that are refused.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordAttempt } from '../../src/deliveries/record-attempt.ts'
import { writeDeliveries } from '../../src/deliveries/write-deliveries.ts'
import { deliveryStateOf } from '../support/deliveries.ts'
import { expectRefusal, JSON_TYPE, send } from '../support/requests.ts'
import { TWILIO } from '../support/settings.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'
import { AUTH_TOKEN, callback, type Form, signatureOf } from '../support/twilio-server.ts'

const PUBLIC_URL = 'https://pay.example/base'
const MESSAGE_URL = `${PUBLIC_URL}/provider/twilio/message`
const TO = '+12025550177'

const TWILIO_SETTINGS = { ...TWILIO, TWILIO_AUTH_TOKEN: AUTH_TOKEN, PUBLIC_URL }

let service: TestService
let merchant: Merchant

beforeAll(async () => {
  service = await openTestService({ queues: [], settings: TWILIO_SETTINGS })
  merchant = await service.merchant()
  await service.app.ready()
})
afterAll(() => service.close())

/** A proxy removes the prefix of the path. */
function post(url: string, form: Form, signature?: string) {
  const sent = callback(url, form, signature)
  return send(service.app, { ...sent, url: sent.url.replace('/base', '') })
}

const statusUrl = (id: string, account = merchant.accountId) =>
  `${PUBLIC_URL}/provider/twilio/status?account=${account}&delivery=${id}`

const report = (id: string, MessageStatus: string, more: Form = {}) =>
  post(statusUrl(id), { MessageSid: 'SM1', MessageStatus, To: TO, ...more })

/** Writes a text that is due; answers its id. */
async function newText(): Promise<string> {
  const { world } = service
  const request = randomUUID()
  await writeDeliveries(world, world.db.query, {
    accountId: merchant.accountId,
    channel: 'sms',
    subject: 'transaction',
    subjectId: randomUUID(),
    recipients: [TO],
    request,
    requestId: 'test',
  })
  const [row] = await world.db.query('SELECT id FROM delivery WHERE request = $1', [request])
  return row?.id
}

/** Records one attempt with this answer. */
async function attempted(id: string, answer: 'taken' | 'silent' | 'refused'): Promise<void> {
  const { world } = service
  const at = world.clock.now()
  await world.db.query('UPDATE delivery SET attempt = 1 WHERE id = $1', [id])
  const status = ({ taken: 'sent', silent: 'pending', refused: 'parked' } as const)[answer]
  await world.db.ask(recordAttempt, {
    accountId: merchant.accountId,
    id,
    attempt: 1,
    status,
    tries: 1,
    dueAt: status === 'pending' ? at : null,
    reason: status === 'parked' ? 'refused' : null,
    at,
    providerId: answer === 'taken' ? 'SM1' : null,
    lastError: answer === 'taken' ? null : answer,
    entry: JSON.stringify({ at, ms: 5, answer }),
  })
}

/** A worker has claimed the text, and has recorded no answer. */
const taken = (id: string) =>
  service.world.db.query('UPDATE delivery SET attempt = attempt + 1 WHERE id = $1', [id])

async function stateOf(id: string) {
  const { status, reason, last_error, tries, history, due_at } = await deliveryStateOf(
    service.world.db.query,
    id,
  )
  const answers = history.map(({ answer }) => answer).join()
  return { status, reason, last_error, tries, answers, isDue: due_at !== null }
}

describe('a status', () => {
  it('of a text that has arrived is recorded once', async () => {
    const id = await newText()
    await attempted(id, 'taken')
    const { status, text } = await report(id, 'delivered')
    expect([status, text]).toEqual([204, ''])
    const delivered = { status: 'delivered', reason: null, tries: 1, answers: 'taken,delivered' }
    expect(await stateOf(id)).toMatchObject(delivered)
    const [row] = await service.world.db.query(
      'SELECT delivered_at >= sent_at AS is_after, provider_id FROM delivery WHERE id = $1',
      [id],
    )
    expect(row).toEqual({ is_after: true, provider_id: 'SM1' })
    for (const late of ['delivered', 'sent', 'queued', 'undelivered', 'failed']) {
      expect((await report(id, late, { ErrorCode: '30005' })).status).toBe(204)
    }
    expect(await stateOf(id)).toMatchObject(delivered)
  })

  it.each([
    ['undelivered', '30005', 'undelivered'],
    ['undelivered', '30006', 'undelivered'],
    ['failed', '30003', 'undelivered'],
    ['failed', '30004', 'undelivered'],
    ['undelivered', '21610', 'opted_out'],
  ])('%s with code %s parks the text as %s', async (MessageStatus, ErrorCode, reason) => {
    const id = await newText()
    await attempted(id, 'taken')
    for (const _ of [1, 2]) await report(id, MessageStatus, { ErrorCode })
    expect(await stateOf(id)).toEqual({
      status: 'parked',
      reason,
      last_error: `Twilio says ${MessageStatus}, code ${ErrorCode}`,
      tries: 1,
      answers: 'taken,undelivered',
      isDue: false,
    })
    const out = await service.world.db.query('DELETE FROM sms_opt_out RETURNING phone')
    expect(out).toEqual(reason === 'opted_out' ? [{ phone: TO }] : [])
  })

  it.each(['accepted', 'queued', 'sending', 'sent', 'something new', ''])(
    'of "%s" is no news of a text that was taken, nor of one that is on its way',
    async (said) => {
      const [sent, leaving] = [await newText(), await newText()]
      await attempted(sent, 'taken')
      await taken(leaving)
      for (const id of [sent, leaving]) expect((await report(id, said)).status).toBe(204)
      expect(await stateOf(sent)).toMatchObject({ status: 'sent', answers: 'taken' })
      expect(await stateOf(leaving)).toMatchObject({ status: 'pending', answers: '' })
    },
  )

  it.each([
    ['delivered', 'delivered', null],
    ['undelivered', 'parked', 'undelivered'],
  ])(
    'of %s that comes before the sender has written anything down stands',
    async (said, status, reason) => {
      const id = await newText()
      await taken(id)
      await report(id, said, { ErrorCode: '30005' })
      const reported = { status, reason, tries: 1, isDue: false, answers: said }
      expect(await stateOf(id)).toMatchObject(reported)
      await attemptedLate(id)
      expect(await stateOf(id)).toMatchObject(reported)
    },
  )

  async function attemptedLate(id: string): Promise<void> {
    const { attempt } = await deliveryStateOf(service.world.db.query, id)
    expect(attempt).toBe(1)
    await attempted(id, 'taken')
  }

  it('of a text without an answer shows that the provider took it', async () => {
    const id = await newText()
    await attempted(id, 'silent')
    await report(id, 'sent')
    expect(await stateOf(id)).toMatchObject({
      status: 'sent',
      isDue: false,
      answers: 'silent,taken',
    })
    await report(id, 'delivered')
    expect(await stateOf(id)).toMatchObject({ status: 'delivered' })
  })

  it('of arrival overrides every earlier state', async () => {
    const id = await newText()
    await attempted(id, 'refused')
    await report(id, 'delivered')
    expect(await stateOf(id)).toMatchObject({ status: 'delivered', reason: null })
  })

  it('of an earlier text does not stop one that a person had retried', async () => {
    const id = await newText()
    await attempted(id, 'taken')
    await report(id, 'undelivered', { ErrorCode: '30003' })
    await service.world.db.query(
      `UPDATE delivery SET status = 'pending', due_at = owed_at, reason = NULL, sent_at = NULL
       WHERE id = $1`,
      [id],
    )
    await report(id, 'undelivered', { ErrorCode: '30003' })
    expect(await stateOf(id)).toMatchObject({ status: 'pending', isDue: true })
    await post(statusUrl(id), { MessageSid: 'SM2', MessageStatus: 'failed', ErrorCode: '30003' })
    expect(await stateOf(id)).toMatchObject({ status: 'parked', reason: 'undelivered' })
  })

  it('of an unknown or foreign text is accepted and changes nothing', async () => {
    const id = await newText()
    await attempted(id, 'taken')
    const stranger = await service.merchant()
    const form = { MessageSid: 'SM1', MessageStatus: 'delivered' }
    const urls = [
      statusUrl(randomUUID()),
      statusUrl(id, stranger.accountId),
      statusUrl('x'),
      statusUrl(`${id}&delivery=${id}`),
      `${PUBLIC_URL}/provider/twilio/status`,
    ]
    for (const url of urls) expect([url, (await post(url, form)).status]).toEqual([url, 204])
    expect(await stateOf(id)).toMatchObject({ status: 'sent' })
  })
})

describe('a call that is not from the provider', () => {
  const form = { MessageSid: 'SM1', MessageStatus: 'delivered', To: TO }

  it('is refused', async () => {
    const id = await newText()
    await attempted(id, 'taken')
    const url = statusUrl(id)
    const forged: Record<string, string> = {
      'no signature': '',
      'another token': signatureOf(url, form, 'another'),
      'another address': signatureOf(url.replace('/base', ''), form),
      'another delivery': signatureOf(statusUrl(randomUUID()), form),
      'another form': signatureOf(url, { ...form, MessageStatus: 'sent' }),
    }
    for (const [what, signature] of Object.entries(forged)) {
      const answer = await post(url, form, signature)
      expect([what, answer.status]).toEqual([what, 403])
      expectRefusal(answer, 403, 'invalid_signature')
    }
    const { headers, ...unsigned } = callback(MESSAGE_URL, { From: TO, Body: 'STOP' })
    const bare = { 'content-type': headers['content-type'] }
    const path = '/provider/twilio/message'
    expectRefusal(
      await send(service.app, { ...unsigned, url: path, headers: bare }),
      403,
      'invalid_signature',
    )
    expect(await stateOf(id)).toMatchObject({ status: 'sent' })
    expect(await service.world.db.query('SELECT * FROM sms_opt_out')).toEqual([])
  })

  it.each(['status', 'message'])('is refused at /%s with another type or size', async (name) => {
    const url = `/provider/twilio/${name}`
    const json = await send(service.app, { method: 'POST', url, headers: JSON_TYPE, payload: '{}' })
    expectRefusal(json, 415, 'unsupported_media_type')
    const { headers } = callback(`${PUBLIC_URL}${url}`, {})
    const large = { method: 'POST', url, headers, payload: `Body=${'x'.repeat(64 * 1024)}` }
    const refused = await send(service.app, large)
    expectRefusal(refused, 413, 'body_too_large')
    expect(refused.body.message).toBe('the body is larger than 64 KiB')
    expectRefusal(await send(service.app, { url }), 405, 'method_not_allowed')
  })

  it('is refused elsewhere, since no other route reads forms', async () => {
    const { headers } = callback(MESSAGE_URL, {})
    const payload = 'firstname=Ada'
    const all = { ...merchant.headers, 'content-type': headers['content-type'] }
    const answer = await send(service.app, {
      method: 'POST',
      url: '/customer',
      headers: all,
      payload,
    })
    expectRefusal(answer, 415, 'unsupported_media_type')
    const json = await call(service.app, 'POST', '/customer', merchant.headers, {
      firstname: 'Ada',
    })
    expect(json.status).toBe(200)
  })

  it('is not found if no provider is configured', async () => {
    await using bare = await openTestService({ queues: [] })
    for (const name of ['status', 'message']) {
      const sent = callback(`http://127.0.0.1/provider/twilio/${name}`, form)
      expectRefusal(await send(bare.app, sent), 404, 'not_found')
    }
  })
})

describe('a reply', () => {
  const reply = (From: string, Body: string, more: Form = {}) =>
    post(MESSAGE_URL, { MessageSid: 'SM9', From, To: '+12025550123', Body, ...more })

  const optedOut = async () =>
    (await service.world.db.query('SELECT phone FROM sms_opt_out ORDER BY phone')).map(
      ({ phone }) => phone,
    )

  it('is answered with no text to send back', async () => {
    const answer = await reply(TO, 'What is this?')
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/xml'])
    expect(answer.text).toBe('<?xml version="1.0" encoding="UTF-8"?><Response></Response>')
    expect(await optedOut()).toEqual([])
  })

  it.each<[string, string, Form]>([
    ['STOP', 'START', {}],
    [' stop\n', 'unstop ', {}],
    ['StopAll', 'Yes', {}],
    ['UNSUBSCRIBE', 'START', {}],
    ['cancel', 'START', {}],
    ['END', 'START', {}],
    ['quit', 'START', {}],
    ['Basta', 'Hola', { OptOutType: 'STOP' }],
  ])('"%s" opts out, and "%s" opts in again', async (stop, start, more) => {
    for (const _ of [1, 2]) await reply(TO, stop, more)
    expect(await optedOut()).toEqual([TO])
    const isTyped = more.OptOutType !== undefined
    for (const _ of [1, 2]) await reply(TO, start, isTyped ? { OptOutType: 'START' } : {})
    expect(await optedOut()).toEqual([])
  })

  it.each<[string, string, Form]>([
    ['more than the word', 'please stop', {}],
    ['a question', 'HELP', { OptOutType: 'HELP' }],
    ['a word that the provider took for another', 'STOP', { OptOutType: 'HELP' }],
    ['nothing', '', {}],
  ])('from %s changes nothing', async (_what, body, more) => {
    await reply(TO, body, more)
    expect(await optedOut()).toEqual([])
  })

  it('from an invalid number changes nothing', async () => {
    for (const from of ['whatsapp:+12025550177', '12345', '', "'); --"]) await reply(from, 'STOP')
    expect(await optedOut()).toEqual([])
  })
})
