// The answers to a caller while there is more work than can be done in time, and the callers that
// are not affected.

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { hashOf } from '../../src/accounts/key.ts'
import {
  type AdmissionSlot,
  MOST_QUEUED,
  MOST_UNDECIDED,
  MOST_WORKING,
} from '../../src/core/admission.ts'
import { newLink } from '../support/pages.ts'
import { listen } from '../support/raw-connection.ts'
import { soon } from '../support/soon.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let flood: Merchant
let other: Merchant
let cards: Record<string, string>
let places: AdmissionSlot[] = []

beforeAll(async () => {
  service = await openTestService()
  flood = await service.merchant()
  other = await service.merchant()
  cards = { [flood.key]: await service.card(flood), [other.key]: await service.card(other) }
})
afterAll(() => service.close())
afterEach(() => {
  for (const place of places) place.leave()
  places = []
  expect(service.world.admission.counts).toEqual({ working: 0, queued: 0, payments: 0 })
})

/** Fills one key's share with as many requests as it may have in progress. */
async function flooded(kind: 'payment' | 'other'): Promise<void> {
  const name = hashOf(flood.key).toString('base64')
  const most = kind === 'payment' ? MOST_UNDECIDED : MOST_WORKING + MOST_QUEUED
  for (let n = 0; n < most; n += 1) {
    const entering = service.world.admission.enter(name, kind)
    const take = async () => {
      const admitted = await entering
      if (admitted.kind === 'refused') return
      // The payments are with the workers, or the work goes on.
      if (kind === 'payment') admitted.place.endWork()
      places.push(admitted.place)
    }
    if (kind === 'payment') await take()
    else void take()
  }
  await new Promise((resolve) => setImmediate(resolve))
}

/** Ends all of it, with the requests that wait for their turn. */
async function ended(): Promise<void> {
  const { admission } = service.world
  for (let left = places; left.length > 0 || admission.counts.working > 0; left = places) {
    places = []
    for (const place of left) place.leave()
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function charge(merchant: Merchant, headers: Readonly<Record<string, string>> = {}) {
  return service.charge(merchant, { total: 12.5, payment_method_id: cards[merchant.key] }, headers)
}

describe('while one key has more payments than can be decided in time', () => {
  it('its charges are refused with 503 and Retry-After, and none is stored', async () => {
    await flooded('payment')
    const headers = { 'idempotency-key': randomUUID() }
    const refused = await charge(flood, headers)
    expect(refused.status).toBe(503)
    expect(refused.body).toMatchObject({ error: 'overloaded', request_id: expect.any(String) })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(30)
    // The refusal does not count for the key's rate limit either.
    expect(refused.headers.ratelimit).toBeUndefined()
    const kept = 'SELECT key FROM idempotency WHERE account_id = $1'
    expect(await service.world.db.query(kept, [flood.accountId])).toEqual([])

    await ended()
    const again = await charge(flood, headers)
    expect(again.status).toBe(200)
    expect(again.headers['idempotent-replayed']).toBeUndefined()
  })

  it('all its other requests are answered, and the charges of another key too', async () => {
    await flooded('payment')
    expect((await call(service.app, 'GET', '/transaction', flood.headers)).status).toBe(200)
    const answers = await Promise.all(Array.from({ length: 20 }, () => charge(other)))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    await ended()
  })
})

describe('while one key keeps the process busy', () => {
  it('all its requests are refused; another key, probes, metrics, pages and the console are answered', async () => {
    await flooded('other')
    const refused = await call(service.app, 'GET', '/self', flood.headers)
    expect([refused.status, refused.body.error]).toEqual([503, 'overloaded'])
    expect((await call(service.app, 'GET', '/self', other.headers)).status).toBe(200)
    const link = await newLink(service, other)
    for (const path of ['/healthz', '/readyz', '/metrics', '/docs', '/admin/sign-in', link]) {
      expect(`${path} ${(await call(service.app, 'GET', path, {})).status}`).toBe(`${path} 200`)
    }
    const { text } = await call(service.app, 'GET', '/metrics', {})
    expect(text).toMatch(/^lamplighter_overload_refusals_total\{reason="work"\} [1-9]/m)
    await ended()
  })

  it('made-up keys do not keep another from being answered', async () => {
    const strangers = Array.from({ length: MOST_WORKING + MOST_QUEUED + 10 }, (_, n) =>
      service.world.admission.enter(`made up ${n}`, 'other'),
    )
    for (const entering of strangers) {
      void entering.then((one) => one.kind === 'admitted' && places.push(one.place))
    }
    expect((await call(service.app, 'GET', '/self', other.headers)).status).toBe(200)
    const made = { authorization: `Bearer sk_sandbox_${'x'.repeat(32)}` }
    expect((await call(service.app, 'GET', '/self', made)).status).toBe(503)
    await ended()
    expect((await call(service.app, 'GET', '/self', made)).status).toBe(401)
  })
})

it('a client that goes away in the middle of its body releases its place', async () => {
  const port = await listen(service.app)
  const holder = new pg.Client(service.databaseUrl)
  await holder.connect()
  // It is not known yet whose key it is when the client goes.
  await holder.query('BEGIN; LOCK TABLE key_hash IN ACCESS EXCLUSIVE MODE')
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const head = [
    'POST /charge HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${other.key}`,
    'Content-Type: application/json',
    'Content-Length: 1000',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n{"total": 1`)
  const { admission } = service.world
  const expectPlaces = (places: number) =>
    soon(() => expect(admission.counts).toMatchObject({ working: places, payments: places }))
  await expectPlaces(1)
  socket.destroy()
  await expectPlaces(0)
  await holder.query('COMMIT')
  await holder.end()
})
