import { resolve } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { SETTINGS } from '../src/config/settings.ts'
import { type Config, readConfig, SettingsError } from '../src/config.ts'
import { HOUR, SECOND } from '../src/core/time-units.ts'
import { anyText } from './support/any-text.ts'
import { configErrorOf, configFaultsOf, TWILIO } from './support/settings.ts'

const NAMES = Object.values(SETTINGS).map(({ name }) => name)

const DEFAULTS: Config = {
  port: 3000,
  host: '127.0.0.1',
  publicUrl: 'http://127.0.0.1:3000',
  databaseUrl: undefined,
  readDatabaseUrl: undefined,
  databaseConnections: 34,
  redis: undefined,
  dataDir: resolve('.data'),
  seedApiKey: undefined,
  rateLimitPerMinute: 100,
  trustProxy: false,
  corsOrigins: '*',
  chargeWaitMs: 10 * SECOND,
  pendingDeadlineMs: 3 * HOUR,
  drainMs: 0,
  graceMs: 30 * SECOND,
  smtpUrl: undefined,
  smtpCaFile: undefined,
  mailFrom: 'lamplighter@localhost',
  emailPerSecond: 10,
  twilio: undefined,
  smsPerSecond: 1,
  sandboxMessagesPerDay: 1_000,
  deliveryRetentionDays: 90,
  webhookAllowPrivate: false,
  stripe: undefined,
  checkout: undefined,
  adminPassword: undefined,
  secretsKeys: undefined,
  adminPort: undefined,
  workerPort: undefined,
  otlpUrl: undefined,
  otlpHeaders: undefined,
  serviceName: 'lamplighter',
  logLevel: 'info',
  logFormat: 'auto',
  misspelt: [],
}

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('a right setting', () => {
  it('is absent from an empty environment, and every default holds', () => {
    expect(readConfig({})).toEqual(DEFAULTS)
  })

  it('is read without surrounding blanks', () => {
    expect(readConfig({ PORT: ' 81\n', LOG_LEVEL: '\ttrace ' })).toMatchObject({
      port: 81,
      logLevel: 'trace',
    })
  })

  it.each(['', ' ', '\n\t'])('is absent when its value is %j', (blank) => {
    const env = Object.fromEntries(NAMES.map((name) => [name, blank]))
    expect(readConfig(env)).toEqual(DEFAULTS)
  })

  it('is read from the environment of the process by default', () => {
    for (const name of NAMES) vi.stubEnv(name, '')
    vi.stubEnv('PORT', '4321')
    expect(readConfig().port).toBe(4321)
  })

  it('of another program is ignored', () => {
    expect(readConfig({ PORTS: 'x', PATH: '/bin' })).toEqual(DEFAULTS)
    const misspelt = [{ variable: 'DATABSE_URL', setting: 'DATABASE_URL' }]
    expect(readConfig({ DATABSE_URL: 'x' })).toEqual({ ...DEFAULTS, misspelt })
  })

  it('cannot be changed afterwards, at any depth', () => {
    const config = readConfig({
      ...TWILIO,
      CORS_ORIGINS: 'https://a.example',
      REDIS_URL: 'redis+sentinel://one:1/main',
    })
    const { corsOrigins, redis, twilio } = config
    const sentinels = redis?.kind === 'sentinel' ? redis.sentinels : undefined
    for (const part of [config, corsOrigins, redis, sentinels, sentinels?.[0], twilio?.sender]) {
      expect(part).toBeTypeOf('object')
      expect(part).toSatisfy(Object.isFrozen)
    }
    expect(() => Object.assign(config, { port: 1 })).toThrow(TypeError)
  })
})

describe('a wrong setting', () => {
  it('is reported with the given and the expected value', () => {
    expect(configFaultsOf({ PORT: '70000' })).toEqual([
      { setting: 'PORT', message: 'got "70000", want a whole number from 0 to 65535' },
    ])
  })

  it('is reported together with all others, in the error and in its text', () => {
    const paths = ['DATA_DIR', 'SMTP_CA_FILE']
    const names = NAMES.filter((name) => !paths.includes(name))
    const env = Object.fromEntries(names.map((name) => [name, '! !']))
    const error = configErrorOf(env)
    expect(error.faults.map(({ setting }) => setting)).toEqual(names)
    for (const { setting, message } of error.faults) {
      expect(error.message).toContain(`${setting}: ${message}`)
    }
  })

  it.each([
    [{ READ_DATABASE_URL: 'postgres://db/l' }, ['DATABASE_URL']],
    [{ SMTP_URL: 'smtp://mail.example' }, ['MAIL_FROM']],
    [{ TWILIO_ACCOUNT_SID: 'AC0' }, ['TWILIO_AUTH_TOKEN', 'TWILIO_FROM']],
    [{ TWILIO_AUTH_TOKEN: 'a-token' }, ['TWILIO_ACCOUNT_SID', 'TWILIO_FROM']],
    [{ TWILIO_FROM: '+12025550123' }, ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN']],
    [{ TWILIO_MESSAGING_SERVICE_SID: 'MG0' }, ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN']],
    [{ ...TWILIO, TWILIO_FROM: ' ' }, ['TWILIO_FROM']],
  ])('can also be one that is missing beside another: %j', (env, names) => {
    expect(configFaultsOf(env).map(({ setting }) => setting)).toEqual(names)
  })

  it('is named once when a missing one depends on it', () => {
    const names = configFaultsOf({ TWILIO_ACCOUNT_SID: 'wrong' }).map(({ setting }) => setting)
    expect(names).toEqual(['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'])
  })

  it('causes a SettingsError and no other error, whatever the environment holds', () => {
    const text = fc.oneof(anyText, fc.webUrl(), hostile())
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...NAMES), text), (env) => {
        try {
          expect(Object.isFrozen(readConfig(env))).toBe(true)
        } catch (error) {
          expect(error).toBeInstanceOf(SettingsError)
        }
      }),
      { numRuns: 1_000 },
    )
  })
})

/** Nearly correct texts, made of the pieces that the parsers look for. */
function hostile(): fc.Arbitrary<string> {
  const schemes = ['redis', '+sentinel', 'postgres', 'smtp', 'https', '://']
  const marks = [...'/:@,%*#?[]\\\0', '%zz', '%ff', '\ud800']
  const words = ['::1', 'host', '65536', '10s']
  return fc
    .array(fc.constantFrom(...schemes, ...marks, ...words), { maxLength: 12 })
    .map((parts) => parts.join(''))
}
