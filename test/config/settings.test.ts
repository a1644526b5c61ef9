import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SETTINGS } from '../../src/config/settings.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { HOUR, MINUTE, SECOND } from '../../src/core/time-units.ts'
import {
  CHECKOUT,
  COMPANIONS,
  configFaultsOf,
  type Environment,
  STRIPE,
  TWILIO,
} from '../support/settings.ts'

const HEX_KEY = 'c6e2fd1a90b7345f82d1e0a94b6c37588f03dcb1a25e794601fb9ce7d83a2465'
const BASE64_KEY = Buffer.from(HEX_KEY, 'hex').toString('base64')

/** Environments, and the field that each sets. */
const RIGHT: readonly [Environment, Partial<Config>][] = [
  [{ PORT: '0' }, { port: 0, publicUrl: undefined }],
  [{ PORT: '65535' }, { port: 65_535 }],
  [{ HOST: 'pay.internal' }, { host: 'pay.internal', publicUrl: 'http://pay.internal:3000' }],
  [{ HOST: '0.0.0.0' }, { host: '0.0.0.0', publicUrl: 'http://localhost:3000' }],
  [
    { HOST: '::', PORT: '80' },
    { host: '::', publicUrl: 'http://localhost:80' },
  ],
  [{ HOST: '::1' }, { host: '::1', publicUrl: 'http://[::1]:3000' }],
  [{ PUBLIC_URL: 'https://pay.example' }, { publicUrl: 'https://pay.example' }],
  [
    { PUBLIC_URL: 'HTTPS://Pay.example/shop/', PORT: '0' },
    { publicUrl: 'https://pay.example/shop' },
  ],
  [{ DATABASE_URL: 'postgres://u:p%40ss@db/l' }, { databaseUrl: 'postgres://u:p%40ss@db/l' }],
  [{ DATABASE_URL: 'postgresql://db:5433/l' }, { databaseUrl: 'postgresql://db:5433/l' }],
  [{ DATABASE_URL: 'postgres://db/l?sslmode=no-verify' }, {}],
  [
    { DATABASE_URL: 'postgres://db/l', READ_DATABASE_URL: 'postgres://standby/l' },
    { readDatabaseUrl: 'postgres://standby/l' },
  ],
  [{ DATABASE_URL: 'postgres:///l?host=/run' }, { databaseUrl: 'postgres:///l?host=/run' }],
  [{ DATA_DIR: 'kept' }, { dataDir: resolve('kept') }],
  [{ DATA_DIR: '/var/lib/lamplighter' }, { dataDir: '/var/lib/lamplighter' }],
  [{ SEED_API_KEY: 'sk_sandbox_0123456789abcDEF' }, { seedApiKey: 'sk_sandbox_0123456789abcDEF' }],
  [{ RATE_LIMIT_PER_MINUTE: '1' }, { rateLimitPerMinute: 1 }],
  [{ DATABASE_CONNECTIONS: '12' }, { databaseConnections: 12 }],
  [{ TRUST_PROXY: 'TRUE' }, { trustProxy: true }],
  [{ TRUST_PROXY: 'false' }, { trustProxy: false }],
  [
    { TRUST_PROXY: 'loopback, 10.0.0.0/8,fd00::/8' },
    { trustProxy: 'loopback,10.0.0.0/8,fd00::/8' },
  ],
  [{ CORS_ORIGINS: '*' }, { corsOrigins: '*' }],
  [
    { CORS_ORIGINS: 'https://A.example:443, http://localhost:5173' },
    { corsOrigins: ['https://a.example', 'http://localhost:5173'] },
  ],
  [{ CHARGE_WAIT_MS: '500' }, { chargeWaitMs: 500 }],
  [{ CHARGE_WAIT_MS: '500ms' }, { chargeWaitMs: 500 }],
  [{ CHARGE_WAIT_MS: '0' }, { chargeWaitMs: 0 }],
  [{ CHARGE_WAIT_MS: '5m' }, { chargeWaitMs: 5 * MINUTE }],
  [{ PENDING_DEADLINE_MS: '7h' }, { pendingDeadlineMs: 7 * HOUR }],
  [{ DRAIN_MS: '5s' }, { drainMs: 5 * SECOND }],
  [{ GRACE_MS: '45 s' }, { graceMs: 45 * SECOND }],
  [
    { SMTP_URL: 'smtps://u:p@mail.example', MAIL_FROM: 'Pay <pay@mail.example>' },
    { smtpUrl: 'smtps://u:p@mail.example', mailFrom: 'Pay <pay@mail.example>' },
  ],
  [{ MAIL_FROM: 'pay@mail.example' }, { mailFrom: 'pay@mail.example', smtpUrl: undefined }],
  [
    {
      SMTP_URL: 'smtp://mail.example',
      SMTP_CA_FILE: '/etc/ca.pem',
      MAIL_FROM: 'pay@mail.example',
    },
    { smtpCaFile: '/etc/ca.pem' },
  ],
  [{ EMAIL_PER_SECOND: '14' }, { emailPerSecond: 14 }],
  [{ SANDBOX_MESSAGES_PER_DAY: '0' }, { sandboxMessagesPerDay: 0 }],
  [
    TWILIO,
    {
      twilio: {
        accountSid: TWILIO.TWILIO_ACCOUNT_SID,
        authToken: 'a-token',
        sender: { kind: 'number', from: '+12025550123' },
      },
    },
  ],
  [
    { ...TWILIO, TWILIO_MESSAGING_SERVICE_SID: 'MG1' },
    {
      twilio: {
        accountSid: TWILIO.TWILIO_ACCOUNT_SID,
        authToken: 'a-token',
        sender: { kind: 'service', messagingServiceSid: 'MG1' },
      },
    },
  ],
  [{ SMS_PER_SECOND: '100' }, { smsPerSecond: 100 }],
  [{ DELIVERY_RETENTION_DAYS: '1' }, { deliveryRetentionDays: 1 }],
  [{ WEBHOOK_ALLOW_PRIVATE: '1' }, { webhookAllowPrivate: true }],
  [{ WEBHOOK_ALLOW_PRIVATE: 'true' }, { webhookAllowPrivate: true }],
  [{ WEBHOOK_ALLOW_PRIVATE: '0' }, { webhookAllowPrivate: false }],
  [
    STRIPE,
    {
      stripe: {
        secretKey: 'sk_live_0123456789',
        publishableKey: 'pk_live_0123456789',
        webhookSecrets: [],
        apiUrl: undefined,
        requestsPerSecond: 25,
        isTest: false,
      },
    },
  ],
  [
    {
      STRIPE_SECRET_KEY: 'rk_test_0123456789',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_0123456789',
      STRIPE_WEBHOOK_SECRET: 'whsec_0123456789, whsec_abcdefghij',
      STRIPE_API_URL: 'http://127.0.0.1:12111/',
      STRIPE_REQUESTS_PER_SECOND: '100',
    },
    {
      stripe: {
        secretKey: 'rk_test_0123456789',
        publishableKey: 'pk_test_0123456789',
        webhookSecrets: ['whsec_0123456789', 'whsec_abcdefghij'],
        apiUrl: 'http://127.0.0.1:12111',
        requestsPerSecond: 100,
        isTest: true,
      },
    },
  ],
  [
    CHECKOUT,
    {
      checkout: {
        secretKey: 'sk_0123456789',
        publicKey: 'pk_0123456789',
        processingChannel: 'pc_0123456789',
        webhookSecrets: [],
        apiUrl: 'https://api.checkout.com',
        isTest: false,
      },
    },
  ],
  [
    {
      CHECKOUT_SECRET_KEY: 'sk_sbox_abcdefghijklmnopqrstuvwxyz$',
      CHECKOUT_PUBLIC_KEY: 'pk_sbox_abcdefghijklmnopqrstuvwxyz=',
      CHECKOUT_PROCESSING_CHANNEL: 'pc_abcdefghijklmnopqrstuvwxyz',
      CHECKOUT_WEBHOOK_SECRET: 'a-signature-key-1, a-signature-key-2',
      CHECKOUT_API_URL: 'https://moonlight.api.sandbox.checkout.com/',
    },
    {
      checkout: {
        secretKey: 'sk_sbox_abcdefghijklmnopqrstuvwxyz$',
        publicKey: 'pk_sbox_abcdefghijklmnopqrstuvwxyz=',
        processingChannel: 'pc_abcdefghijklmnopqrstuvwxyz',
        webhookSecrets: ['a-signature-key-1', 'a-signature-key-2'],
        apiUrl: 'https://moonlight.api.sandbox.checkout.com',
        isTest: true,
      },
    },
  ],
  [{ ADMIN_PASSWORD: 'oil and wicks' }, { adminPassword: 'oil and wicks' }],
  [{ SECRETS_KEY: HEX_KEY }, { secretsKeys: [BASE64_KEY] }],
  [{ SECRETS_KEY: `${BASE64_KEY}, ${HEX_KEY}` }, { secretsKeys: [BASE64_KEY, BASE64_KEY] }],
  [
    { OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%2Cb%3D, x-team = 7' },
    { otlpHeaders: { 'x-key': 'a,b=', 'x-team': '7' } },
  ],
  [{ LOG_LEVEL: 'Debug' }, { logLevel: 'debug' }],
  [{ LOG_FORMAT: 'JSON' }, { logFormat: 'json' }],
]

const WRONG: Readonly<Record<string, readonly string[]>> = {
  PORT: ['65536', '-1', '3000.5', '1e3', '0x50', 'http', '3000 3001'],
  HOST: ['[::1]', 'localhost:3000', 'http://localhost', 'two words', '-a', 'a'.repeat(300)],
  PUBLIC_URL: [
    'pay.example',
    'ftp://pay.example',
    'https://u@pay.example',
    'https://a/?',
    'https://a/#b',
    'https://a,https://b',
    'https://https://a',
    'https://a//b',
  ],
  DATABASE_URL: [
    'localhost/db',
    'mysql://localhost/db',
    'postgres://u:p#w@db/l',
    'postgres://u:100%@db/l',
    'postgres://db/l?sslmod=require',
    'postgres://db/l?SSLMODE=require',
  ],
  READ_DATABASE_URL: ['localhost/db', 'postgres://db/l?sslmod=require'],
  REDIS_URL: ['localhost:6379', 'http://localhost', 'redis://'],
  DATA_DIR: ['~/lamplighter'],
  SEED_API_KEY: ['sk_live_0123456789abcdef', 'sk_sandbox_short', 'sk_sandbox_0123456789 abcdef'],
  DATABASE_CONNECTIONS: ['11', '151', 'all'],
  RATE_LIMIT_PER_MINUTE: ['0', '-5', 'many', '1.5', '1000001'],
  TRUST_PROXY: [
    '1',
    '0',
    'yes',
    '10.0.0.0/0',
    '10.0.0.0/33',
    '::1/129',
    '10.0.0.1,',
    'fe80::1%eth0',
    '::/8/8',
  ],
  CORS_ORIGINS: [
    '*,https://a.example',
    'a.example',
    'https://a.example/',
    'https://a.example/b',
    'https://*.a.example',
    'null',
  ],
  CHARGE_WAIT_MS: ['301s', '-1', '1.5s', '10 seconds', '1d', 's'],
  PENDING_DEADLINE_MS: ['99ms', '169h', 'never'],
  DRAIN_MS: ['6m', 'soon'],
  GRACE_MS: ['11m', 'PT30S'],
  SMTP_URL: [
    'mail.example',
    'http://mail.example',
    'smtp://',
    'smtp:mail.example',
    'smtp://mail.example?requireTls=true',
    'smtp://mail.example?tls=true',
  ],
  MAIL_FROM: ['pay', 'Pay pay@mail.example', 'Pay <pay>', 'Pay\r\nBcc: x <a@b.example>'],
  EMAIL_PER_SECOND: ['0', '10001', 'fast'],
  TWILIO_ACCOUNT_SID: ['SK0123', 'AC'],
  TWILIO_AUTH_TOKEN: ['two words'],
  TWILIO_FROM: ['2025550123x0', '+0123456', '12'],
  TWILIO_MESSAGING_SERVICE_SID: ['AC0123'],
  SMS_PER_SECOND: ['0', '1001'],
  SANDBOX_MESSAGES_PER_DAY: ['-1', '1000001', 'none'],
  DELIVERY_RETENTION_DAYS: ['0', '3651', 'forever'],
  WEBHOOK_ALLOW_PRIVATE: ['yes', '2', 'on'],
  STRIPE_SECRET_KEY: ['pk_live_0123456789', 'sk_', 'sk_live_0123 456789'],
  STRIPE_PUBLISHABLE_KEY: ['sk_live_0123456789', 'pk_', 'pk_live_0123 456789'],
  STRIPE_WEBHOOK_SECRET: ['secret', 'whsec_', 'whsec_0123456789,', 'sk_live_0123456789'],
  STRIPE_API_URL: ['api.stripe.com', 'ftp://localhost', 'http://u:p@localhost'],
  STRIPE_REQUESTS_PER_SECOND: ['0', 'all', '10001'],
  CHECKOUT_SECRET_KEY: ['pk_0123456789', 'sk_', 'sk_0123 456789', 'sk_0123456789**'],
  CHECKOUT_PUBLIC_KEY: ['sk_0123456789', 'pk_', 'pk_sbox_0123456789'],
  CHECKOUT_PROCESSING_CHANNEL: ['ent_0123456789', 'pc_', 'pc_0123 456789'],
  CHECKOUT_WEBHOOK_SECRET: [
    'short',
    'a-signature-key-1,',
    'sk_0123456789abcdef',
    'two words in one',
  ],
  CHECKOUT_API_URL: ['api.checkout.com', 'ftp://localhost', 'http://u:p@localhost'],
  ADMIN_PASSWORD: ['1234567', '  oil & wick   ', 'password', 'lamplighter1'],
  SECRETS_KEY: [
    'a-passphrase-that-somebody-typed-in',
    'ab'.repeat(32),
    HEX_KEY.slice(2),
    `${BASE64_KEY},`,
    `${BASE64_KEY},short`,
    `${BASE64_KEY} ${BASE64_KEY}`,
  ],
  ADMIN_PORT: ['65536', '-1', 'console'],
  WORKER_PORT: ['65536', '-1', 'metrics'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['collector:4318', 'grpc://collector:4317', 'http://u:p@collector'],
  OTEL_EXPORTER_OTLP_HEADERS: ['key', 'a key=1', '=1', 'x-key=%zz', 'x-key=1,,'],
  OTEL_SERVICE_NAME: ['two words', 'a/b', 'x'.repeat(101)],
  LOG_LEVEL: ['loud', '30'],
  LOG_FORMAT: ['colour', 'true'],
}

describe('a setting', () => {
  it.each(RIGHT)('is read: %j', (env, expected) => {
    expect(readConfig(env)).toMatchObject(expected)
  })

  const cases = Object.entries(WRONG).flatMap(([name, texts]) =>
    texts.map((text) => [name, text] as const),
  )

  it.each(cases)('is named when it is wrong: %s=%j', (name, text) => {
    const faults = configFaultsOf({ ...COMPANIONS, [name]: text })
    expect(faults).toEqual([{ setting: name, message: expect.stringMatching(/^got .+, want .+/s) }])
  })

  it('accepts the forms of a mail server that settings.md shows', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/settings.md'), 'utf8')
    const forms = [...page.matchAll(/`SMTP_URL=(smtps?:\S+)`/g)].map(([, url = '']) => url)
    expect(forms).toHaveLength(4)
    const wrong = forms.filter(
      (url) => url !== readConfig({ SMTP_URL: url, MAIL_FROM: 'a@b.example' }).smtpUrl,
    )
    expect(wrong).toEqual([])
  })

  it('has wrong values in this table, unless every text is right', () => {
    const names = Object.values(SETTINGS).map(({ name }) => name)
    const untested = names.filter((name) => !(name in WRONG))
    expect(untested).toEqual(['SMTP_CA_FILE'])
  })

  it.each(Object.keys(WRONG))('is refused in quotation marks: %s', (name) => {
    const [right = '3001'] = RIGHT.flatMap(([env]) => env[name] ?? [])
    const quoted = [`"${right}"`, ` '${right}' `].map((text) =>
      configFaultsOf({ ...COMPANIONS, [name]: text }),
    )
    const message = 'got a value in quotation marks, want it without them'
    expect(quoted).toEqual(quoted.map(() => [{ setting: name, message }]))
  })
})

describe('the table of settings', () => {
  it('names each setting once, with its meaning and its default', () => {
    const settings = Object.values(SETTINGS)
    expect(new Set(settings.map(({ name }) => name)).size).toBe(settings.length)
    for (const { name, meaning, fallback } of settings) {
      expect(name).toMatch(/^[A-Z][A-Z_]+$/)
      expect(meaning).not.toBe('')
      expect(fallback).not.toBe('')
    }
  })
})
