// Signatures, checked with the official library of the specification.

import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { newSigningSecret } from '../../src/webhooks/seal-secret.ts'
import { type Secrets, signatures } from '../../src/webhooks/sign.ts'

const NOW = new Date()
const SOON = new Date(NOW.getTime() + 1_000)

const body = '{"id":"1","note":"ünï\u2028\u{1f600}", "total":12.50}'
const id = '0195f3a0-0000-7000-8000-000000000001'
const timestamp = Math.floor(NOW.getTime() / 1_000)

const [secret, previousSecret, other] = [newSigningSecret(), newSigningSecret(), newSigningSecret()]
const alone: Secrets = { secret, previousSecret: null, previousSecretUntil: null }
const rolling: Secrets = { secret, previousSecret, previousSecretUntil: SOON }

function headersOf(secrets: Secrets, now = NOW) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures({ id, timestamp, body }, secrets, now),
  }
}

function isVerified(by: string, secrets: Secrets, changes: object = {}, text = body): boolean {
  try {
    new Webhook(by).verify(text, { ...headersOf(secrets), ...changes }, { jsonParse: false })
    return true
  } catch {
    return false
  }
}

describe('a signature', () => {
  it('is that of the official library', () => {
    const theirs = new Webhook(secret).sign(id, new Date(timestamp * 1_000), body)
    expect(headersOf(alone)['webhook-signature']).toBe(theirs)
  })

  it('is that of the example in the specification', () => {
    const message = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: 1614265330,
      body: '{"test": 2432232314}',
    }
    const secrets = { ...alone, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }
    expect(signatures(message, secrets, NOW)).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    )
  })

  it.each<[string, string, Secrets, boolean]>([
    ['its secret', secret, alone, true],
    ['another secret', other, alone, false],
    ['the new secret, while one is rolled', secret, rolling, true],
    ['the previous secret, while one is rolled', previousSecret, rolling, true],
    ['another secret, while one is rolled', other, rolling, false],
    [
      'the previous secret, once its time is over',
      previousSecret,
      { ...rolling, previousSecretUntil: NOW },
      false,
    ],
    [
      'the new secret, once the time of the previous one is over',
      secret,
      { ...rolling, previousSecretUntil: NOW },
      true,
    ],
  ])('is verified by %s or not', (_whose, by, secrets, verified) => {
    expect(isVerified(by, secrets)).toBe(verified)
  })

  it.each<[string, object, string]>([
    ['body', {}, body.replace('12.50', '99.50')],
    ['body, printed again', {}, JSON.stringify(JSON.parse(body))],
    ['id', { 'webhook-id': id.replace(/1$/, '2') }, body],
    ['time', { 'webhook-timestamp': String(timestamp + 1) }, body],
    ['signature', { 'webhook-signature': `v1,${'A'.repeat(43)}=` }, body],
  ])('is not that of another %s', (_what, changes, text) => {
    expect(isVerified(secret, alone, changes, text)).toBe(false)
    expect(isVerified(secret, alone), 'as a control').toBe(true)
  })
})
