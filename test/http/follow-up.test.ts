// The checks of a void, a refund or a capture before the gateway is asked. No name of a field is
// passed over: an amount that is not seen would be the whole one.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AMOUNTS, NO_AMOUNTS } from '../support/amounts.ts'
import { takeIntoBatch } from '../support/batch.ts'
import { makeFinal, makePending } from '../support/payments.ts'
import { expectRefusal, JSON_TYPE, send } from '../support/requests.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const AT_ONCE = { prefer: 'respond-async' }
const OPERATIONS = ['void', 'refund', 'void-or-refund', 'capture'] as const

let service: TestService
let merchant: Merchant

beforeAll(async () => {
  service = await openTestService({ queues: [] })
  merchant = await service.merchant()
})
afterAll(() => service.close())

const batched = async () => {
  const id = await makeFinal(service, merchant, 'SUCCESS')
  await takeIntoBatch(service, [id])
  return id
}

const ask = (id: string, operation: string, payload?: string, type: object = JSON_TYPE) => {
  const headers = { ...merchant.headers, ...AT_ONCE, ...(payload === undefined ? {} : type) }
  const sent = { method: 'POST', url: `/transaction/${id}/${operation}`, headers }
  return send(service.app, payload === undefined ? sent : { ...sent, payload })
}

const childrenOf = async (id: string) => {
  const { body } = await call(service.app, 'GET', `/transaction/${id}/related`, merchant.headers)
  return body
}

describe.each(OPERATIONS)('a request for a %s', (operation) => {
  it('refuses an amount that is none', async () => {
    const id = await batched()
    for (const field of ['amount', 'total']) {
      // A null amount counts as absent.
      for (const amount of NO_AMOUNTS.filter((one) => one !== 'null')) {
        const answer = await ask(id, operation, `{"${field}":${amount}}`)
        expectRefusal(answer, 400, 'invalid_request', [field])
      }
    }
    expect(await childrenOf(id)).toEqual([])
  })

  it.each([
    ['is PENDING', async () => (await makePending(service, merchant)).transaction],
    ['has FAILED', () => makeFinal(service, merchant, 'FAILED')],
    ['was recorded by hand', () => makeFinal(service, merchant, 'SUCCESS', true)],
    ['was recorded by hand, and has failed', () => makeFinal(service, merchant, 'FAILED', true)],
  ])('for one that %s is refused', async (_, make) => {
    const id = await make()
    const refusal = await ask(id, operation)
    expectRefusal(refusal, 409, 'wrong_state')
    // "It" may be anything to a reader of a log.
    expect(refusal.body.message).toMatch(/^(the transaction (is|was)|a charge cannot be) /)
    expectRefusal(await ask(id, operation, '{"total":10}'), 409, 'wrong_state')
    expect(await childrenOf(id)).toEqual([])
  })
})

describe('a request for a refund', () => {
  it.each([
    undefined,
    '',
    '""',
    '{}',
    'null',
    '{"amount":null,"total":null}',
    '{"previously_refunded":0}',
  ])('of the whole amount can have the body %j', async (payload) => {
    const answer = await ask(await batched(), 'refund', payload)
    expect(`${answer.status} ${answer.text}`).toMatch(/^202 /)
    expect(answer.body.child_transactions).toMatchObject([{ total: 10, status: 'PENDING' }])
  })

  it.each(AMOUNTS.filter(([, cents]) => cents <= 10_00n))('can be for %s', async (total, cents) => {
    const { status, body } = await ask(await batched(), 'refund', `{"total":${total}}`)
    expect([status, body.child_transactions[0]?.total]).toEqual([202, Number(cents) / 100])
    // The refund is not made yet, but pending.
    expect([body.total_refunded, body.is_refundable]).toEqual([0, cents < 10_00n])
  })

  it.each(['-1', '0.001', '"x"', 'true', '100000000', '[]', '{}'])(
    'cannot believe that %s was refunded',
    async (previously) => {
      const answer = await ask(await batched(), 'refund', `{"previously_refunded":${previously}}`)
      expectRefusal(answer, 400, 'invalid_request', ['previously_refunded'])
    },
  )

  it('reports every fault at once', async () => {
    const answer = await ask(await batched(), 'refund', '{"total":0,"previously_refunded":"x"}')
    expectRefusal(answer, 400, 'invalid_request', ['previously_refunded', 'total'])
  })

  it('finds the transaction by an id in capitals', async () => {
    const id = await batched()
    const { status, body } = await ask(id.toUpperCase(), 'refund', '{"total":1}')
    expect([status, body.id]).toEqual([202, id])
  })
})

describe('the children of a transaction', () => {
  it('are listed bare, the oldest first, each as GET answers it', async () => {
    const id = await batched()
    for (const total of [1, 2, 3]) await ask(id, 'refund', `{"total":${total}}`)
    const listed = await childrenOf(id)
    expect(listed.map(({ total }: { total: number }) => total)).toEqual([1, 2, 3])
    for (const child of listed) {
      const url = `/transaction/${child.id}`
      expect((await call(service.app, 'GET', url, merchant.headers)).body).toEqual(child)
    }
  })
})

const plain = (field: string) => field[0]?.toLowerCase()

describe.each(OPERATIONS)('the fields of a %s', (operation) => {
  it.each(['ammount', 'Amount', 'amoun', 'AMOUNT', 'a_mount', 'totl', 'Total', 'idempotencyId'])(
    'passes over no %s, and says what was probably meant',
    async (field) => {
      const id = await batched()
      const answer = await ask(id, operation, `{"${field}":5}`)
      expectRefusal(answer, 400, 'unknown_field', [field])
      const meant = ['amount', 'total', 'idempotency_id'].find((name) => name[0] === plain(field))
      expect(answer.body.message).toContain(`did you mean ${meant}?`)
      expect(await childrenOf(id)).toEqual([])
    },
  )

  it('names all known fields if no known one is similar', async () => {
    const answer = await ask(await batched(), operation, '{"colour":"red","total":"x"}')
    expectRefusal(answer, 400, 'unknown_field', ['colour', 'total'])
    expect(answer.body.errors.colour[0]).toContain('amount, total')
  })

  it('takes no two different amounts', async () => {
    const id = await batched()
    const answer = await ask(id, operation, '{"amount":5,"total":"5.01"}')
    expectRefusal(answer, 400, 'invalid_request', ['amount'])
    expect(await childrenOf(id)).toEqual([])
  })
})

describe.each(['refund', 'void-or-refund'])('the amount of a %s', (operation) => {
  it.each([
    '{"amount":5}',
    '{"total":5}',
    '{"amount":"5.00","total":5}',
    '{"amount":5,"total":""}',
  ])('is the one in %s, or it is refused', async (payload) => {
    const id = await batched()
    const answer = await ask(id, operation, payload)
    if (payload.includes('""')) return expectRefusal(answer, 400, 'invalid_request', ['total'])
    expect([answer.status, answer.body.child_transactions[0]?.total]).toEqual([202, 5])
  })

  it('is at fault under the name that was sent', async () => {
    const id = await batched()
    for (const field of ['amount', 'total']) {
      const answer = await ask(id, operation, `{"${field}":11}`)
      expectRefusal(answer, 400, 'invalid_request', [field])
    }
  })

  it('is the same request under either name', async () => {
    const id = await batched()
    const keyed = { ...JSON_TYPE, 'idempotency-key': `same ${operation}` }
    const first = await ask(id, operation, '{"amount":5}', keyed)
    const again = await ask(id, operation, '{"total":"5.00"}', keyed)
    expect([first.status, again.status, again.headers['idempotent-replayed']]).toEqual([
      202,
      202,
      'true',
    ])
    expect(await childrenOf(id)).toHaveLength(1)
    const other = await ask(id, operation, '{"amount":4}', keyed)
    expectRefusal(other, 409, 'idempotency_conflict', ['amount'])
  })
})
