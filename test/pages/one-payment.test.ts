// A payment that a payer sends twice is made once: after a double click, in a duplicated tab, after
// a lost answer, or at another process.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, buildApp } from '../../src/http/app.ts'
import { openWorld, type World } from '../../src/world.ts'
import {
  askPage,
  MANY_PAYERS,
  newBill,
  newLink,
  newNonce,
  PAYER,
  payAt,
  sendJson,
  tokenFor,
  transactionsOf,
} from '../support/pages.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'
import {
  type Answer,
  call,
  type Merchant,
  openTestService,
  type TestService,
} from '../support/test-service.ts'

let service: TestService
let merchant: Merchant
/** Another process of the same service. */
let second: { readonly world: World; readonly app: App }

beforeAll(async () => {
  // The first payment may come to the other process, which works on no queue.
  const queues = ['charge'] as const
  service = await openTestService({ backend: 'postgres', timings: MANY_PAYERS, queues })
  const { config, log } = service.world
  const timings = { ...service.world.timings }
  const world = openWorld({ config, databaseUrl: service.databaseUrl, log, timings })
  await world.queues.engine.probe()
  second = { world, app: await buildApp(world) }
})
afterAll(async () => {
  await second.app.close()
  await second.world.close()
  await service.close()
})

const customers = async () =>
  (await call(service.app, 'GET', '/customer', merchant.headers)).body.total

/** All lead to the same page. One that waited too long says that the payment is under way. */
async function oneOutcome(answers: readonly Answer[]): Promise<unknown> {
  const [page, ...otherPages] = new Set(answers.map(({ body }) => body.next))
  expect(otherPages).toEqual([])
  const outcome = async () => (await askPage(service, page)).body.state
  await expect.poll(outcome).not.toBe('processing')
  const state = await outcome()
  const told = answers.map(({ body }) => body.state).filter((one) => one !== 'processing')
  expect(told).toEqual(told.map(() => state))
  return state
}

describe('a nonce', () => {
  it('stands for one payment, one customer and one card, however often and wherever it is sent', async () => {
    merchant = await service.merchant()
    const path = await newLink(service, merchant)
    const sent = { nonce: newNonce(), token: await tokenFor(service, path), amount: '10', ...PAYER }
    const elsewhere = { ...service, app: second.app }
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => sendJson(i % 2 ? elsewhere : service, path, sent)),
    )
    expect(await oneOutcome(answers)).toBe('approved')
    expect(await transactionsOf(service, merchant)).toHaveLength(1)
    expect(await customers()).toBe(1)
  })

  it('stands for one payment, whatever card comes with it later', async () => {
    merchant = await service.merchant()
    const path = await newLink(service, merchant)
    const nonce = newNonce()
    const tries = await Promise.all([
      payAt(service, path, { nonce }),
      payAt(service, path, { nonce }, DECLINED_CARD),
      payAt(service, path, { nonce }, '5555555555554444'),
    ])
    const again = await payAt(service, path, { nonce, name: 'Somebody Else' }, DECLINED_CARD)
    expect(['approved', 'declined']).toContain(await oneOutcome([...tries, again]))
    expect(await transactionsOf(service, merchant)).toHaveLength(1)
  })

  it('is answered though the link was deleted since: the payment stands', async () => {
    merchant = await service.merchant()
    const path = await newLink(service, merchant)
    const sent = { nonce: newNonce(), token: await tokenFor(service, path), amount: '10', ...PAYER }
    const first = await sendJson(service, path, sent)
    const url = `/query/payment-links/${path.slice(5)}`
    await call(service.app, 'DELETE', url, merchant.headers)
    expect((await sendJson(service, path, sent)).text).toBe(first.text)
    expect(await transactionsOf(service, merchant)).toHaveLength(1)
  })

  it('of one page is refused on another', async () => {
    merchant = await service.merchant()
    const [one, other] = [await newLink(service, merchant), await newLink(service, merchant)]
    const nonce = newNonce()
    await payAt(service, one, { nonce })
    const answer = await payAt(service, other, { nonce })
    expect([answer.status, answer.body.next]).toEqual([409, undefined])
    expect((await askPage(service, `${other}/${nonce}`)).body.state).toBe('unknown')
    expect(await transactionsOf(service, merchant)).toHaveLength(1)
  })
})

describe('a bill', () => {
  it('is paid once if two payers pay at the same time', async () => {
    merchant = await service.merchant()
    const { path, id } = await newBill(service, merchant)
    const elsewhere = { ...service, app: second.app }
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) => payAt(i % 2 ? elsewhere : service, path)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
    expect(await transactionsOf(service, merchant)).toHaveLength(1)
    const { body } = await call(service.app, 'GET', `/invoice/${id}`, merchant.headers)
    expect([body.status, body.total_paid]).toEqual(['PAID', 10])
  })

  it('is paid once with one nonce', async () => {
    merchant = await service.merchant()
    const { path } = await newBill(service, merchant)
    const sent = { nonce: newNonce(), token: await tokenFor(service, path), amount: '10', ...PAYER }
    const answers = await Promise.all([1, 2, 3, 4].map(() => sendJson(service, path, sent)))
    expect(answers.map(({ body }) => body.state)).toEqual(Array(4).fill('approved'))
    expect(await transactionsOf(service, merchant)).toHaveLength(1)
  })
})
