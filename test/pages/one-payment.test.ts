// What a payer sends twice is one payment: a double click, a tab that was doubled, an answer that
// was lost, another process that gets the repeat.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, buildApp } from '../../src/http/app.ts'
import { openWorld, type World } from '../../src/world.ts'
import { call, type Merchant, openTestHouse, type TestHouse } from '../support/house.ts'
import {
  ask,
  DECLINED_CARD,
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

let house: TestHouse
let merchant: Merchant
/** Another process of the same house. */
let second: { readonly world: World; readonly app: App }

beforeAll(async () => {
  house = await openTestHouse({ backend: 'postgres', timings: MANY_PAYERS })
  const { config, log } = house.world
  const timings = { ...house.world.timings }
  const world = openWorld({ config, databaseUrl: house.databaseUrl, log, timings })
  await world.queues.probe()
  second = { world, app: await buildApp(world) }
})
afterAll(async () => {
  await second.app.close()
  await second.world.close()
  await house.close()
})

const customers = async () =>
  (await call(house.app, 'GET', '/customer', merchant.headers)).body.total

describe('one nonce', () => {
  it('is one payment, one customer and one card, however often and wherever it is sent', async () => {
    merchant = await house.merchant()
    const path = await newLink(house, merchant)
    const sent = { nonce: newNonce(), token: await tokenFor(house, path), amount: '10', ...PAYER }
    const elsewhere = { ...house, app: second.app }
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => sendJson(i % 2 ? elsewhere : house, path, sent)),
    )
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set([answers[0]?.text]))
    expect(answers[0]?.body.state).toBe('approved')
    expect(await transactionsOf(house, merchant)).toHaveLength(1)
    expect(await customers()).toBe(1)
  })

  it('is one payment with whatever card it comes again', async () => {
    merchant = await house.merchant()
    const path = await newLink(house, merchant)
    const nonce = newNonce()
    const tries = await Promise.all([
      payAt(house, path, { nonce }),
      payAt(house, path, { nonce }, DECLINED_CARD),
      payAt(house, path, { nonce }, '5555555555554444'),
    ])
    const again = await payAt(house, path, { nonce, name: 'Somebody Else' }, DECLINED_CARD)
    expect(new Set([...tries, again].map(({ text }) => text)).size).toBe(1)
    expect(await transactionsOf(house, merchant)).toHaveLength(1)
  })

  it('is answered though the link was deleted since: what was paid is paid', async () => {
    merchant = await house.merchant()
    const path = await newLink(house, merchant)
    const sent = { nonce: newNonce(), token: await tokenFor(house, path), amount: '10', ...PAYER }
    const first = await sendJson(house, path, sent)
    const url = `/query/payment-links/${path.slice(5)}`
    await call(house.app, 'DELETE', url, merchant.headers)
    expect((await sendJson(house, path, sent)).text).toBe(first.text)
    expect(await transactionsOf(house, merchant)).toHaveLength(1)
  })

  it('of one page is no other page’s', async () => {
    merchant = await house.merchant()
    const [one, other] = [await newLink(house, merchant), await newLink(house, merchant)]
    const nonce = newNonce()
    await payAt(house, one, { nonce })
    const answer = await payAt(house, other, { nonce })
    expect([answer.status, answer.body.next]).toEqual([409, undefined])
    expect((await ask(house, `${other}/${nonce}`)).body.state).toBe('unknown')
    expect(await transactionsOf(house, merchant)).toHaveLength(1)
  })
})

describe('a bill', () => {
  it('is paid once by two who pay at the same time', async () => {
    merchant = await house.merchant()
    const { path, id } = await newBill(house, merchant)
    const elsewhere = { ...house, app: second.app }
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) => payAt(i % 2 ? elsewhere : house, path)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
    expect(await transactionsOf(house, merchant)).toHaveLength(1)
    const { body } = await call(house.app, 'GET', `/invoice/${id}`, merchant.headers)
    expect([body.status, body.total_paid]).toEqual(['PAID', 10])
  })

  it('is paid once under one nonce', async () => {
    merchant = await house.merchant()
    const { path } = await newBill(house, merchant)
    const sent = { nonce: newNonce(), token: await tokenFor(house, path), amount: '10', ...PAYER }
    const answers = await Promise.all([1, 2, 3, 4].map(() => sendJson(house, path, sent)))
    expect(answers.map(({ body }) => body.state)).toEqual(Array(4).fill('approved'))
    expect(await transactionsOf(house, merchant)).toHaveLength(1)
  })
})
