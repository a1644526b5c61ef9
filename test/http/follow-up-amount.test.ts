// The names under which a void, a refund or a capture accepts an amount: no other name is ignored.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { takeIntoBatch } from '../support/batch.ts'
import { makeFinal } from '../support/payments.ts'
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
    expectRefusal(other, 409, 'idempotency_conflict', ['total'])
  })
})
