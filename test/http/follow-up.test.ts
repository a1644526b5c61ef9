// The checks of a void, a refund or a capture before the gateway is asked.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AMOUNTS, NO_AMOUNTS } from '../support/amounts.ts'
import { takeIntoBatch } from '../support/batch.ts'
import { makeFinal, makePending } from '../support/payments.ts'
import { expectRefusal, JSON_TYPE, send, withoutRequestId } from '../support/requests.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const UNKNOWN = '01941f29-7c00-7000-8000-000000000001'
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
  it.each(['x', '1', `${UNKNOWN}0`, UNKNOWN.replaceAll('-', ''), '%20'])(
    'of %s is refused: that is no id',
    async (id) => {
      expectRefusal(await ask(id, operation), 400, 'invalid_id', ['id'])
    },
  )

  it('answers the same for a foreign transaction as for an unknown one', async () => {
    const stranger = await service.merchant()
    const theirs = await makeFinal(service, stranger, 'SUCCESS')
    const foreign = await ask(theirs, operation)
    expectRefusal(foreign, 404, 'not_found')
    expect(withoutRequestId(foreign)).toEqual(withoutRequestId(await ask(UNKNOWN, operation)))
    const [row] = await service.world.db.query('SELECT children FROM transaction WHERE id = $1', [
      theirs,
    ])
    expect(row?.children).toBe(0)
  })

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

  it('has a body that is a JSON object', async () => {
    const id = await batched()
    for (const body of ['[]', '5', 'true', '"total"']) {
      expectRefusal(await ask(id, operation, body), 400, 'invalid_request')
    }
    expectRefusal(await ask(id, operation, '{"total":'), 400, 'invalid_json')
    const xml = { 'content-type': 'application/xml' }
    expectRefusal(await ask(id, operation, '<total/>', xml), 415, 'unsupported_media_type')
    expect(await childrenOf(id)).toEqual([])
  })

  it.each([
    ['is PENDING', async () => (await makePending(service, merchant)).transaction],
    ['has FAILED', () => makeFinal(service, merchant, 'FAILED')],
    ['was recorded by hand', () => makeFinal(service, merchant, 'SUCCESS', true)],
    ['was recorded by hand, and has failed', () => makeFinal(service, merchant, 'FAILED', true)],
  ])('for one that %s is refused', async (_, make) => {
    const id = await make()
    expectRefusal(await ask(id, operation), 409, 'wrong_state')
    expectRefusal(await ask(id, operation, '{"total":10}'), 409, 'wrong_state')
    expect(await childrenOf(id)).toEqual([])
  })

  it('takes no query, and no other method', async () => {
    const id = await batched()
    expectRefusal(await ask(id, `${operation}?total=1`), 400, 'invalid_request', ['total'])
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const url = `/transaction/${id}/${operation}`
      const answer = await call(service.app, method, url, merchant.headers)
      expectRefusal(answer, 405, 'method_not_allowed')
      expect(answer.headers.allow).toBe('POST')
    }
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
  it.each([
    ['x', 400, 'invalid_id'],
    [UNKNOWN, 404, 'not_found'],
  ])('of %s are not there', async (id, status, code) => {
    const url = `/transaction/${id}/related`
    expectRefusal(await call(service.app, 'GET', url, merchant.headers), status, code)
  })

  it('are visible to its account only', async () => {
    const stranger = await service.merchant()
    const theirs = await makeFinal(service, stranger, 'SUCCESS')
    const url = `/transaction/${theirs}/related`
    expectRefusal(await call(service.app, 'GET', url, merchant.headers), 404, 'not_found')
    expect((await call(service.app, 'GET', url, stranger.headers)).body).toEqual([])
  })

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
