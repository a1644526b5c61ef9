// Secrets and card numbers are removed from a line of the log, however they got there; the rest is
// unchanged.

import { describe, expect, it } from 'vitest'
import { plainPaint } from '../../src/core/paint.ts'
import { openLog } from '../../src/log.ts'

const CARD = '4111111111111111'

/**
 * The resulting line, parsed: whatever was removed, it is JSON. `line` has both forms, the one for
 * programs and the one for people.
 */
function logged(about: object, message = 'said') {
  const lines: string[] = []
  const output = { write: (line: string) => lines.push(line) }
  openLog('trace', output).info(about, message)
  openLog('trace', output, plainPaint).info(about, message)
  expect(lines).toHaveLength(2)
  const [json = '', pretty = ''] = lines
  expect(pretty).toMatch(/^\d\d:\d\d:\d\d\.\d{3}Z INFO {2}/)
  return { line: json + pretty, read: JSON.parse(json) }
}

const NAMES = [
  'api_key',
  'apiKey',
  'authorization',
  'Authorization',
  'bank_account',
  'bankAccount',
  'card_cvv',
  'cardCvv',
  'card_number',
  'cardNumber',
  'connectionString',
  'cookie',
  'cvc',
  'form_token',
  'gateway_token',
  'gatewayToken',
  'once',
  '_form',
  'password',
  'passphrase',
  'payment_method_token',
  'secret',
  'checkoutSecretKey',
  'client_secret',
  'set-cookie',
  'stripeSecretKey',
  'token',
]

describe('a secret by its name', () => {
  it.each(NAMES)('in %s is removed, at any depth and in any place', (name) => {
    const secret = 'hush-"\\ééé-hush'
    const { line, read } = logged({
      [name]: secret,
      before: 1,
      at: { depth: [{ more: { [name]: secret, after: 'kept' } }] },
    })
    expect(line).not.toContain('hush')
    expect(read).toMatchObject({
      [name]: '[redacted]',
      before: 1,
      at: { depth: [{ more: { [name]: '[redacted]', after: 'kept' } }] },
    })
  })

  it.each([
    ['a number', 73_519_264],
    ['one with a fraction', 735.19264],
    ['a list', ['735', '19264']],
    ['an object', { of: { parts: '735}19264' } }],
    ['an empty text', ''],
  ])('is removed if it is %s', (_what, secret) => {
    const { line, read } = logged({ first: 'kept', password: secret, last: 'kept' })
    expect(line).not.toMatch(/735|19264/)
    expect(read).toMatchObject({ first: 'kept', password: '[redacted]', last: 'kept' })
  })

  it.each([null, true, false])('stays if it is %s: whether there is one is no secret', (is) => {
    expect(logged({ secret: is }).read.secret).toBe(is)
  })
})

const IN_TEXT: readonly (readonly [text: string, secret: string, becomes: string])[] = [
  ['{"card_number":"4111 hush"}', '4111', '{"card_number":"[redacted] hush"}'],
  ['{\\"password\\":\\"hush\\"}', 'hush', '{\\"password\\":\\"[redacted]\\"}'],
  ['password=hush&x=1', 'hush', 'password=[redacted]&x=1'],
  ["{ token: 'hush', x: 1 }", 'hush', "{ token: '[redacted]', x: 1 }"],
  ['Authorization: Bearer hush-hush', 'hush', 'Authorization: [redacted]'],
  ['sent Bearer hush-hush-hush', 'hush', 'sent Bearer [redacted]'],
  ['Basic aHVzaDpodXNo', 'aHVz', 'Basic [redacted]'],
  ['Cookie: a=hush; b=hush', 'hush', 'Cookie: [redacted]'],
  ['set-cookie: a=hush; Path=/', 'hush', 'set-cookie: [redacted]'],
  ['/admin/sign-in?once=hush', 'hush', '/admin/sign-in?once=[redacted]'],
  ['_form=hush&deed=x', 'hush', '_form=[redacted]&deed=x'],
  ['the key sk_live_hush-_h', 'hush', 'the key sk_live_[redacted]'],
  ['sk_sandbox_hush', 'hush', 'sk_sandbox_[redacted]'],
  ['rk_live_hush', 'hush', 'rk_live_[redacted]'],
  ['signed by whsec_hu/sh+=', 'hu/sh', 'signed by whsec_[redacted]'],
  ['at postgres://u:hush@db/x', 'hush', 'at postgres://[redacted]@db/x'],
  ['redis://:hu/s@h@cache:6379', 'hu/s@h', 'redis://[redacted]@cache:6379'],
  ['smtps://hush@mail.example', 'hush', 'smtps://[redacted]@mail.example'],
]

const CARDS: readonly string[] = [
  '4222222222222', // 13 digits
  '30569309025904', // 14
  '378282246310005', // 15
  CARD,
  '6304000000000000026', // 19
  '4111 1111 1111 1111',
  '4111-1111-1111-1111',
  '3782 822463 10005',
]

describe('a text that quotes a secret', () => {
  it.each(IN_TEXT)('is kept without the secret: %s', (text, secret, becomes) => {
    const { line, read } = logged({ detail: { text }, err: new Error(text) }, text)
    expect(line).not.toContain(secret)
    expect(read).toMatchObject({
      msg: becomes,
      detail: { text: becomes },
      err: { message: becomes, stack: expect.stringContaining('redact.test.ts') },
    })
  })

  it.each(CARDS)('is kept without the card: %s', (card) => {
    for (const text of [card, `card ${card} refused`, `{"pan":"${card}"}`, `no.${card}.`]) {
      const { line, read } = logged({ text, err: new Error('x', { cause: new Error(text) }) }, text)
      expect(line).not.toContain(card)
      expect(read.msg).toBe(text.replace(card, '[redacted]'))
      expect(read.err.cause.message).toBe(read.msg)
    }
  })
})

describe('a card as a number', () => {
  it('is removed under any name', () => {
    const card = Number(CARD)
    expect(logged({ a: card, list: [1, card] }).read).toMatchObject({
      a: '[redacted]',
      list: [1, '[redacted]'],
    })
  })
})

describe('a number that only looks like a card', () => {
  const ID = '01994111-1111-7111-8111-111111111111'
  it.each([
    ['an id', { id: ID, request_id: ID }],
    ['digits that are no card', { text: '4111111111111112', number: 4111111111111112 }],
    ['an instant in milliseconds', { at: 1_763_769_600_007, text: 'overdue-1763769600007' }],
    ['a fraction', { ms: 0.411_111_111_111_111_1 }],
    ['a longer number', { text: `${CARD}${CARD}` }],
    ['an address without a user', { address: 'http://127.0.0.1:3000', by: 'a@b.example' }],
    ['a switch', { settlement_tokenization_enabled: true }],
    ['words', { text: 'Unexpected token } in JSON; password authentication failed' }],
  ])('stays: %s', (_what, about) => {
    expect(logged(about).read).toMatchObject(about)
  })

  it('is a limited exception, as a control: one of the instants passes for a card', () => {
    const instants = Array.from({ length: 10 }, (_, i) => `${4_763_769_600_000 + i}`)
    expect(instants.filter((text) => logged({ text }).read.text !== text)).toHaveLength(1)
  })
})
