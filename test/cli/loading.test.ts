// The modules that a command loads decide how soon it answers, on every machine: so the test checks
// these, and no time.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../support/command.ts'
import { loadedBy } from '../support/loaded.ts'
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts'

const LONG = { timeout: 60_000 }

const SLOW = [
  '@bull-board/api',
  '@prisma/adapter-pg',
  'bullmq',
  'fastify',
  'ioredis',
  'nodemailer',
  'preact',
  'prom-client',
  'stripe',
  'twilio',
  'undici',
]

const NOBODYS = '01941f29-7c00-7000-8000-000000000001'

let database: FreshDatabase

beforeAll(async () => {
  database = await freshDatabase()
  const made = await runCommand(['teams', 'create', 'Moonlight Books'], env())
  expect(made).toMatchObject({ status: 0, err: '' })
}, LONG.timeout)
afterAll(() => database.drop())

const env = () => ({ DATABASE_URL: database.url })

describe('a command loads only what it needs', LONG, () => {
  it.each([['--help'], ['--version'], ['keys', '--help']])(
    '%s %s: the command line alone',
    async (...words) => {
      const { packages, status } = await loadedBy(words, env())
      expect([...packages]).toEqual(['commander'])
      expect(status).toBe(0)
    },
  )

  it.each([
    ['teams', 'list'],
    ['keys', 'list'],
    ['deliveries', 'list'],
    ['outbox', 'list'],
    ['sessions', 'list'],
    ['operators', 'list'],
    ['settle', '--wide'],
    ['teams', 'create', 'Night Owls'],
    ['keys', 'create', '--team=Moonlight Books'],
    ['sign-in-link', '--json'],
    ['sessions', 'end', '--all'],
    ['operators', 'add', 'Ada', '--role=view'],
    ['reconcile', '--date=2026-11-20'],
  ])('%s %s: PostgreSQL, and neither Prisma nor queues', async (...words) => {
    const { packages, status, err } = await loadedBy(words, env())
    expect([status, err]).toEqual([0, ''])
    expect([...packages]).toEqual(expect.arrayContaining(['commander', 'pg']))
    expect(SLOW.filter((name) => packages.has(name))).toEqual([])
  })

  it.each([
    ['keys', 'revoke', NOBODYS],
    ['migrate', '--json'],
  ])('%s %s %s: no page, gateway or provider', async (...words) => {
    const { packages } = await loadedBy(words, env())
    expect(packages).toContain('pg')
    const unwanted = SLOW.filter((name) => !/prisma|bullmq|ioredis/.test(name))
    expect(unwanted.filter((name) => packages.has(name))).toEqual([])
  })

  it('an unexpected module would be noticed: the doctor loads queues and Prisma', async () => {
    const { packages } = await loadedBy(['doctor'], env())
    for (const name of ['bullmq', '@prisma/adapter-pg']) expect(packages).toContain(name)
  })
})
