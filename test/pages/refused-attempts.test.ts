// A refused payment leaves nothing behind: no customer, no payment method, no token, no key.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { keepAdvancing } from '../support/advancing-clock.ts'
import {
  MANY_PAYERS,
  newBill,
  newLink,
  newNonce,
  PAYER,
  payAt,
  sendJson,
  tokenFor,
  tokenise,
} from '../support/pages.ts'
import { setTeam } from '../support/set-team.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let merchant: Merchant

beforeAll(async () => {
  service = await openTestService({ backend: 'postgres', timings: MANY_PAYERS })
})
afterAll(() => service.close())
beforeEach(async () => {
  merchant = await service.merchant()
})

const KEPT = ['customer', 'payment_method', 'transaction', 'idempotency', 'event', 'delivery']

/** The rows of the merchant, by table. */
async function rows(tables: readonly string[] = KEPT): Promise<Readonly<Record<string, number>>> {
  const counts = tables.map(async (table) => {
    const text = `SELECT count(*)::integer AS n FROM ${table} WHERE account_id = $1`
    const [found] = await service.world.db.query(text, [merchant.accountId])
    return [table, found?.n] as const
  })
  return Object.fromEntries(await Promise.all(counts))
}

const link = () => newLink(service, merchant)

const bill = async () => (await newBill(service, merchant)).path

async function removeCustomerOf(path: string): Promise<void> {
  const [found] = await service.world.db.query('SELECT customer_id FROM invoice WHERE token = $1', [
    path.slice('/bill/'.length),
  ])
  await call(service.app, 'DELETE', `/customer/${found?.customer_id}`, merchant.headers)
}

const change = (path: string, body: object) =>
  call(service.app, 'PUT', `/query/payment-links/${path.slice(5)}`, merchant.headers, body)

const remove = (path: string) =>
  call(service.app, 'DELETE', `/query/payment-links/${path.slice(5)}`, merchant.headers)

const closeTeam = (to: string) => () => setTeam(service.world, merchant.teamId, [to])

const advance = () => keepAdvancing(service, merchant)

const nothing = async () => undefined

interface Refused {
  readonly where: () => Promise<string>
  /** Happens after the payer has a token, and before the payer pays. */
  readonly meanwhile: (path: string, nonce: string) => Promise<unknown>
  readonly body?: object
  readonly status: number
}

const REFUSED: Readonly<Record<string, Refused>> = {
  'another amount than that of the link': {
    where: link,
    meanwhile: nothing,
    body: { amount: '11' },
    status: 409,
  },
  'another amount than the balance of the bill': {
    where: bill,
    meanwhile: nothing,
    body: { amount: '11' },
    status: 409,
  },
  'an amount that is none': {
    where: link,
    meanwhile: nothing,
    body: { amount: '0' },
    status: 400,
  },
  'a link that is inactive by now': {
    where: link,
    meanwhile: (path) => change(path, { active: false }),
    status: 409,
  },
  'a link that is deleted by now': { where: link, meanwhile: remove, status: 410 },
  'a link whose amount has changed': {
    where: link,
    meanwhile: (path) => change(path, { amount: 12 }),
    status: 409,
  },
  'a team that is disabled by now': {
    where: link,
    meanwhile: closeTeam('enabled=false'),
    status: 403,
  },
  'a team that is inactive by now': {
    where: bill,
    meanwhile: closeTeam('status=inactive'),
    status: 403,
  },
  'an account whose clock advances': { where: link, meanwhile: advance, status: 409 },
  'a bill that is paid by now': {
    where: bill,
    meanwhile: (path) => payAt(service, path),
    status: 409,
  },
  'a bill whose customer is deleted by now': {
    where: bill,
    meanwhile: (path) => removeCustomerOf(path),
    status: 410,
  },
  'a nonce that another page has used': {
    where: link,
    meanwhile: async (_path, nonce) => payAt(service, await link(), { nonce }),
    status: 409,
  },
  'a token that the gateway does not know': {
    where: link,
    meanwhile: nothing,
    body: { token: 'tok_sandbox_made_up' },
    status: 400,
  },
}

describe('a payment that is refused', () => {
  it.each(Object.keys(REFUSED))('for %s writes nothing', async (name) => {
    const refused = REFUSED[name]
    if (refused === undefined) throw new Error(name)
    const path = await refused.where()
    const [nonce, token] = [newNonce(), await tokenFor(service, path)]
    await refused.meanwhile(path, nonce)
    const before = await rows()
    const sent = { nonce, token, amount: '10.00', ...PAYER, ...refused.body }
    const answers = [await sendJson(service, path, sent), await sendJson(service, path, sent)]
    expect(answers.map(({ status }) => status)).toEqual([refused.status, refused.status])
    expect(await rows()).toEqual(before)
  })

  it('fifteen times leaves no customer, and the sixteenth, of the right amount, leaves one', async () => {
    const path = await link()
    for (let i = 0; i < 15; i += 1) await payAt(service, path, { amount: '99' })
    expect(await rows(['customer', 'payment_method'])).toEqual({ customer: 0, payment_method: 0 })
    expect((await payAt(service, path)).body.state).toBe('approved')
    expect(await rows(['customer', 'payment_method'])).toEqual({ customer: 1, payment_method: 1 })
  })
})

describe('a page that takes no payment', () => {
  const CLOSED: Readonly<
    Record<string, [() => Promise<string>, (path: string) => unknown, number]>
  > = {
    'an inactive link': [link, (path) => change(path, { active: false }), 409],
    'a deleted link': [link, remove, 410],
    'a disabled team': [link, closeTeam('enabled=false'), 403],
    'a paid bill': [bill, (path) => payAt(service, path), 409],
    'a bill of a deleted customer': [bill, (path) => removeCustomerOf(path), 410],
  }

  it.each(Object.keys(CLOSED))('makes the gateway make no token: %s', async (name) => {
    const [where, close, status] = CLOSED[name] ?? []
    const path = (await where?.()) ?? ''
    await close?.(path)
    const before = await rows(['sandbox_gateway_token'])
    const made = await tokenise(service, path)
    expect([made.status, made.body.token]).toEqual([status, undefined])
    expect(await rows(['sandbox_gateway_token'])).toEqual(before)
  })
})

describe('a payment method for a new customer', () => {
  it.each([
    ['a card number without its check digit', { card_number: '4111111111111112' }, 400],
    ['a card that has expired', { card_exp: '0120' }, 400],
    ['no name', { person_name: '' }, 400],
  ])('that is refused for %s makes no customer', async (_, wrong, status) => {
    const body = {
      method: 'card',
      person_name: 'Ada Lovelace',
      card_number: '4111111111111111',
      card_cvv: '123',
      card_exp: '1239',
      ...wrong,
    }
    const before = await rows([...KEPT, 'sandbox_gateway_token'])
    const made = await call(service.app, 'POST', '/payment-method', merchant.headers, body)
    expect(made.status).toBe(status)
    expect(await rows([...KEPT, 'sandbox_gateway_token'])).toEqual(before)
  })
})
