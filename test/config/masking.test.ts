import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { COMPANIONS, configErrorOf, configFaultsOf } from '../support/settings.ts'

describe('a secret', () => {
  const SECRET = 'Hunter2Hunter2'

  it.each([
    ['SEED_API_KEY', `sk_sandbox_${SECRET}!`],
    ['TWILIO_ACCOUNT_SID', SECRET],
    ['TWILIO_AUTH_TOKEN', `${SECRET} ${SECRET}`],
    ['TWILIO_MESSAGING_SERVICE_SID', SECRET],
    ['STRIPE_SECRET_KEY', `pk_live_${SECRET}`],
    ['CHECKOUT_SECRET_KEY', `pk_${SECRET}`],
    ['CHECKOUT_WEBHOOK_SECRET', `${SECRET} ${SECRET}`],
    ['DATABASE_URL', `mysql://user:${SECRET}@db.example/l`],
    ['DATABASE_URL', `mysql://db.example/l?password=${SECRET}`],
    ['DATABASE_URL', SECRET],
    ['REDIS_URL', `redis://:${SECRET}`],
    ['REDIS_URL', `redis+sentinel://user:${SECRET}@one:1`],
    ['SMTP_URL', `http://user:${SECRET}@mail.example`],
    ['PUBLIC_URL', `https://user:${SECRET}@pay.example`],
    ['CORS_ORIGINS', `https://user:${SECRET}@pay.example`],
    ['PORT', `sk_live_${SECRET}`],
    ['HOST', `postgres://user:${SECRET}@db.example/l`],
  ])('is in no message about %s: %s', (name, text) => {
    const error = configErrorOf({ ...COMPANIONS, [name]: text })
    expect(error.faults.map(({ setting }) => setting)).toEqual([name])
    expect(`${error.message}${error.stack}${JSON.stringify(error.faults)}`).not.toContain(SECRET)
  })

  it('that is too short is not shown either', () => {
    expect(configErrorOf({ ADMIN_PASSWORD: 'hunter2' }).message).not.toContain('hunter2')
  })

  it('in an address is hidden, and the rest of the address is shown', () => {
    const [fault] = configFaultsOf({ DATABASE_URL: `mysql://user:${SECRET}@db.example:3306/l` })
    expect(fault?.message).toContain('got "mysql://***@db.example/***"')
  })

  it.each([
    ['the password', (secret: string) => `user:${secret}`],
    ['the user', (secret: string) => secret],
  ])(
    'stays hidden as %s in an address that cannot be parsed because it is not escaped',
    (_, credentials) => {
      const marks = fc.array(
        fc.constantFrom('/', '?', '#', '@', ':', '%', ',', '\\', '[', ' ', '7'),
      )
      const names = fc.constantFrom('DATABASE_URL', 'REDIS_URL', 'SMTP_URL', 'PUBLIC_URL')
      const schemes = fc.constantFrom(
        'mysql',
        'postgres',
        'redis',
        'redis+sentinel',
        'smtp',
        'https',
      )
      fc.assert(
        fc.property(names, schemes, marks, marks, (name, scheme, before, after) => {
          const secret = `${before.join('')}QXZ${after.join('')}`
          const env = { ...COMPANIONS, [name]: `${scheme}://${credentials(secret)}@host/path` }
          expect(JSON.stringify(configFaultsOf(env)).toUpperCase()).not.toContain('QXZ')
        }),
        { numRuns: 2_000 },
      )
    },
  )
})
