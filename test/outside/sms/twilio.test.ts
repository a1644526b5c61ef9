import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SendAnswer } from '../../../src/core/delivery.ts'
import type { Texter } from '../../../src/outside/sms/port.ts'
import { twilioTexter } from '../../../src/outside/sms/twilio.ts'
import {
  ACCOUNT_SID,
  AUTH_TOKEN,
  openTwilioServer,
  refusing,
  sidOf,
  signatureOf,
  TAKES,
  type TwilioBehaviour,
  type TwilioServer,
} from '../../support/twilio-server.ts'

const FROM = { kind: 'number', from: '+12025550123' } as const
const TO = '+12025550177'
/** On a busy machine Twilio's client takes seconds to load. */
const PATIENCE_MS = 30_000
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const settings = { accountSid: ACCOUNT_SID, authToken: AUTH_TOKEN, sender: FROM }

const text = (deliveryId: string, more: object = {}) => ({
  accountId: 'an account',
  deliveryId,
  to: TO,
  text: 'Thank you!',
  statusUrl: undefined,
  ...more,
})

const patient = () => AbortSignal.timeout(PATIENCE_MS)

describe('a text through Twilio', () => {
  let server: TwilioServer
  let texter: Texter

  beforeAll(async () => {
    server = await openTwilioServer()
  })
  beforeEach(() => {
    server.behave(TAKES)
    // Each test begins without earlier failures.
    texter = twilioTexter({ ...settings, apiUrl: server.url })
    return () => texter.close()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  async function answerTo(behaviour: TwilioBehaviour, deliveryId = 'one'): Promise<SendAnswer> {
    server.behave(behaviour)
    return texter.send(text(deliveryId), patient())
  }

  it('is requested in the form that Twilio expects', async () => {
    const statusUrl = 'https://pay.example/provider/twilio/status?account=1&delivery=2'
    const body = 'Grüße 🍵\nline two & more + = %'
    const answer = await texter.send(text('one', { text: body, statusUrl }), patient())
    expect(answer).toEqual({ kind: 'taken', providerId: sidOf(TO) })
    expect(server.asked).toMatchObject([
      {
        method: 'POST',
        path: `/2010-04-01/Accounts/${ACCOUNT_SID}/Messages.json`,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          authorization: `Basic ${Buffer.from(`${ACCOUNT_SID}:${AUTH_TOKEN}`).toString('base64')}`,
        },
      },
    ])
    expect(server.asked[0]?.form).toEqual({
      To: TO,
      From: FROM.from,
      Body: body,
      StatusCallback: `${statusUrl}#rc=5&rp=ct,rt,5xx`,
    })
  })

  it('comes from the messaging service if there is one', async () => {
    const sender = { kind: 'service', messagingServiceSid: 'MG1' } as const
    const other = twilioTexter({ ...settings, sender, apiUrl: server.url })
    await other.send(text('one'), patient())
    await other.close()
    expect(server.asked[0]?.form).toEqual({
      To: TO,
      MessagingServiceSid: 'MG1',
      Body: 'Thank you!',
    })
  })

  it.each<[number, number, object]>([
    [400, 21610, { kind: 'refused', reason: 'opted_out' }],
    [400, 21211, { kind: 'refused', reason: 'refused', isNoSuchAddress: true }],
    [400, 21214, { kind: 'refused', reason: 'refused' }],
    [400, 21408, { kind: 'refused', reason: 'refused' }],
    [400, 21612, { kind: 'refused', reason: 'refused' }],
    [400, 21614, { kind: 'refused', reason: 'refused', isNoSuchAddress: true }],
    [400, 21617, { kind: 'refused', reason: 'refused' }],
    [400, 30005, { kind: 'refused', reason: 'refused' }],
    [400, 14107, { kind: 'failed', waitMs: 30_000 }],
    [429, 20429, { kind: 'throttled' }],
    [400, 21611, { kind: 'throttled' }],
    [429, 63038, { kind: 'throttled' }],
    [401, 20003, { kind: 'away' }],
    [403, 20003, { kind: 'away' }],
    [403, 20005, { kind: 'away' }],
    [403, 20403, { kind: 'away' }],
    [404, 20404, { kind: 'away' }],
    [400, 21606, { kind: 'away' }],
    [400, 21609, { kind: 'away' }],
    [500, 20500, { kind: 'away' }],
    [503, 20503, { kind: 'away' }],
  ])('refused with %d and code %d is classified', async (status, code, expected) => {
    const said = `The number ${TO} is no good,\n sorry`
    const answer = await answerTo(refusing(status, code, said))
    expect(answer).toMatchObject({
      ...expected,
      detail: `HTTP ${status}, code ${code}: The number …0177 is no good, sorry`,
    })
    expect(server.asked).toHaveLength(1)
  })

  it.each<[string, TwilioBehaviour, SendAnswer['kind']]>([
    ['a page', { status: 502, body: '<html>Bad gateway</html>' }, 'away'],
    ['nothing', { status: 504 }, 'away'],
    ['JSON that is no object', { status: 500, body: 'null' }, 'away'],
    ['a 404 that is not of Twilio', { status: 404, body: 'no such page' }, 'away'],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'away'],
    ['an empty success', { status: 201 }, 'silent'],
    ['a success that is a page', { status: 200, body: '<html>' }, 'silent'],
    ['a success without a sid', { status: 201, body: {} }, 'silent'],
    ['megabytes', { status: 201, body: { sid: 'SM1', more: 'a'.repeat(2_000_000) } }, 'silent'],
    ['no answer', 'cut', 'silent'],
    ['half an answer', 'cut in the middle', 'silent'],
  ])('answered with %s is not lost', async (_what, behaviour, kind) => {
    const answer = await answerTo(behaviour)
    expect([answer.kind, answer.detail]).toEqual([kind, expect.stringMatching(/\S/)])
    expect(server.asked).toHaveLength(1)
  })

  it.each<[string, string | undefined, number | undefined]>([
    ['seconds', '7', 7_000],
    ['a date', 'Tue, 03 Mar 2026 12:00:30 GMT', 30_000],
    ['a date that is over', 'Tue, 03 Mar 2026 11:00:00 GMT', 0],
    ['a year', '31536000', 3_600_000],
    ['nonsense', 'soon', undefined],
    ['nothing', undefined, undefined],
  ])('with Retry-After as %s waits', async (_what, said, waitMs) => {
    const date = 'Tue, 03 Mar 2026 12:00:00 GMT'
    const headers = { date, ...(said === undefined ? {} : { 'retry-after': said }) }
    const throttled = await answerTo(refusing(429, 20429, 'slow', headers))
    expect(throttled).toMatchObject({ kind: 'throttled', waitMs })
    const busy = await answerTo({ status: 503, headers })
    expect(busy).toMatchObject(
      waitMs === undefined ? { kind: 'away' } : { kind: 'throttled', waitMs },
    )
  })

  it('without an answer in time is silent', async () => {
    const patience = new AbortController()
    server.behave(() => {
      patience.abort()
      return 'hang'
    })
    const answer = await texter.send(text('one'), patience.signal)
    expect(answer).toEqual({ kind: 'silent', detail: 'no answer in time' })
    expect(server.asked).toHaveLength(1)
  })

  it('aborted before it went is away', async () => {
    const answer = await texter.send(text('one'), AbortSignal.abort())
    expect(answer).toMatchObject({ kind: 'away' })
    expect(server.asked).toHaveLength(0)
  })

  describe('that cannot reach a server is away', () => {
    async function answerAt(apiUrl: string, signal = patient()): Promise<SendAnswer> {
      const lost = twilioTexter({ ...settings, apiUrl })
      const answer = await lost.send(text('one'), signal)
      await lost.close()
      return answer
    }

    it.each([
      ['with no server there', async () => 'http://127.0.0.1:1'],
      ['by a name that is none', async () => 'http://nobody.invalid'],
      ['of a server without TLS', async () => server.url.replace('http:', 'https:')],
    ])('%s', async (_what, addressOf) => {
      const answer = await answerAt(await addressOf())
      expect(answer).toMatchObject({ kind: 'away', detail: expect.stringMatching(/^no answer/) })
    })

    it('if the greeting never ends', async () => {
      const mute = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
      await once(mute, 'listening')
      const { port } = mute.address() as AddressInfo
      const answer = await answerAt(`https://127.0.0.1:${port}`, AbortSignal.timeout(200))
      mute.close()
      expect(answer).toEqual({ kind: 'away', detail: 'no answer in time; nothing was sent' })
    })
  })

  describe('for which Twilio fails', () => {
    const FAILS: TwilioBehaviour = { status: 500 }

    it('loses nothing while Twilio fails for all of them', async () => {
      const ids = ['one', 'two', 'three', 'one', 'two', 'three', 'one']
      const kinds: string[] = []
      for (const id of ids) kinds.push((await answerTo(FAILS, id)).kind)
      expect(kinds).toEqual(ids.map(() => 'away'))
    })

    it('counts as failed itself once others got through', async () => {
      expect(await answerTo(FAILS, 'one')).toMatchObject({ kind: 'away' })
      expect(await answerTo(FAILS, 'two')).toMatchObject({ kind: 'away' })
      server.behave(TAKES)
      await texter.send(text('another'), patient())
      expect(await answerTo(FAILS, 'one')).toMatchObject({ kind: 'failed' })
      expect(await answerTo(FAILS, 'new')).toMatchObject({ kind: 'away' })
      expect(await answerTo(FAILS, 'one')).toMatchObject({ kind: 'away' })
    })

    it('counts texts refused for good among those that got through', async () => {
      expect(await answerTo(FAILS, 'one')).toMatchObject({ kind: 'away' })
      await answerTo(refusing(400, 21211), 'another')
      expect(await answerTo(FAILS, 'one')).toMatchObject({ kind: 'failed' })
    })
  })

  it('gets its own answer among many at once', async () => {
    const numbers = Array.from({ length: 12 }, (_, i) => `+120255501${String(i).padStart(2, '0')}`)
    const answers = await Promise.all(numbers.map((to) => texter.send(text(to, { to }), patient())))
    expect(answers).toEqual(numbers.map((to) => ({ kind: 'taken', providerId: sidOf(to) })))
  })
})

describe('a call from Twilio', () => {
  const texter = twilioTexter(settings)
  const CALLBACK_URL = 'https://pay.example/provider/twilio/status?account=1&delivery=2'
  const FORM = { MessageSid: 'SM1', MessageStatus: 'delivered', Body: 'Grüße & mehr + 1' }
  const SIGNED = signatureOf(CALLBACK_URL, FORM)

  it.each<[string, boolean, string, Record<string, string>, string]>([
    ['as it was signed', true, CALLBACK_URL, FORM, SIGNED],
    ['with another query', false, `${CALLBACK_URL}3`, FORM, SIGNED],
    ['with no query', false, 'https://pay.example/provider/twilio/status', FORM, SIGNED],
    ['for another host', false, CALLBACK_URL.replace('pay.', 'evil.'), FORM, SIGNED],
    ['with another form', false, CALLBACK_URL, { ...FORM, MessageStatus: 'failed' }, SIGNED],
    ['with one field more', false, CALLBACK_URL, { ...FORM, To: '+1' }, SIGNED],
    ['by another token', false, CALLBACK_URL, FORM, signatureOf(CALLBACK_URL, FORM, 'another')],
    ['without a signature', false, CALLBACK_URL, FORM, ''],
    ['with one that is none', false, CALLBACK_URL, FORM, 'é'.repeat(40)],
    ['for what is no address', false, 'nowhere', FORM, SIGNED],
  ])('%s is recognised: %s', (_what, isKnown, url, form, signature) => {
    expect(texter.isFromProvider(url, form, signature)).toBe(isKnown)
  })
})
