// A void, a refund or a capture that is requested again with the same key.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { takeIntoBatch } from '../support/batch.ts'
import { type FaultySetup, openFaultySetup } from '../support/faulty-setup.ts'
import { DONE, FOLLOW_UPS, outcomeOf, ready, stateOf } from '../support/follow-ups.ts'
import { openFurther } from '../support/further.ts'
import {
  booked,
  forgetAtGateway,
  newPaymentsApi,
  type PaymentsApi,
  paymentsApiOf,
} from '../support/payments-api.ts'
import { expectRefusal } from '../support/requests.ts'
import { type Answer, call } from '../support/test-service.ts'

const ASYNC = { prefer: 'respond-async' }

let setup: FaultySetup
let api: PaymentsApi
let keys = 0

beforeAll(async () => {
  setup = await openFaultySetup()
  api = paymentsApiOf(setup.service, setup.merchant, setup.card)
})
beforeEach(() => {
  setup.plan = { fault: () => 'none' }
})
afterAll(() => setup.service.close())

const newKey = () => {
  keys += 1
  return { 'idempotency-key': `follow-up-${keys}` }
}

const batched = () => ready(api, 'refund')

function expectSame(again: Answer, first: Answer): void {
  expect([again.status, again.text]).toEqual([first.status, first.text])
  expect(first.headers).not.toHaveProperty('idempotent-replayed')
  expect(again.headers['idempotent-replayed']).toBe('true')
}

describe.each(FOLLOW_UPS)('the key of a %s', (operation) => {
  it('gives the same answer again, and the child has the key', async () => {
    const id = await ready(api, operation)
    const key = newKey()
    const first = await api.ask(id, operation, {}, key)
    expect([first.status, stateOf(first.body)]).toEqual([200, DONE[operation]])
    expectSame(await api.ask(id, operation, {}, key), first)
    expectSame(await api.ask(id, operation, undefined, { ...key, ...ASYNC }), first)
    const field = { idempotency_id: key['idempotency-key'] }
    expectSame(await api.ask(id, operation, field), first)
    expectSame(await api.ask(id, operation, field, key), first)
    expect(await api.childOf(id, operation)).toMatchObject(field)
    expect(await booked(api.service, id)).toEqual([`${operation} 1000 approved`])
  })

  it('of a declined one gives the decline again', async () => {
    const id = await ready(api, operation)
    const key = newKey()
    await forgetAtGateway(api.service, id)
    const first = await api.ask(id, operation, {}, key)
    expect(first.status).toBe(400)
    expectSame(await api.ask(id, operation, {}, key), first)
    expect(await booked(api.service, id)).toHaveLength(1)
  })

  it('of one in progress waits like the first request, and one is made', async () => {
    const id = await ready(api, operation)
    const key = newKey()
    setup.plan = { fault: () => 'slow', slowMs: 300 }
    await using further = await openFurther(api.service)
    const url = `/transaction/${id}/${operation}`
    const headers = { ...setup.merchant.headers, ...key }
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        call(i % 2 === 0 ? further.app : api.service.app, 'POST', url, headers, {}),
      ),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(stateOf(answers[0]?.body)).toEqual(DONE[operation])
    const replayed = answers.filter((one) => one.headers['idempotent-replayed'] === 'true')
    expect(replayed).toHaveLength(29)
    expect((await api.related(id)).body).toHaveLength(1)
    expect(await booked(api.service, id)).toEqual([`${operation} 1000 approved`])
  })

  it('of one that was answered PENDING gives its outcome, once there is one', async () => {
    const id = await ready(api, operation)
    const key = newKey()
    setup.plan = { fault: () => 'slow', slowMs: 400 }
    const first = await api.ask(id, operation, {}, { ...key, ...ASYNC })
    const again = await api.ask(id, operation, {}, { ...key, ...ASYNC })
    expect([first.status, again.status]).toEqual([202, 202])
    expect(again.body).toEqual(first.body)
    const last = await api.ask(id, operation, {}, key)
    expect([last.status, stateOf(last.body)]).toEqual([200, DONE[operation]])
    expect(last.headers['idempotent-replayed']).toBe('true')
    expect(await outcomeOf(api, id, operation)).toMatchObject({ status: 'SUCCESS' })
  })

  it('is bound to its operation and to its transaction', async () => {
    const id = await ready(api, operation)
    const key = newKey()
    const first = await api.ask(id, operation, {}, key)
    for (const other of ['void', 'refund', 'void-or-refund', 'capture'] as const) {
      if (other === operation) continue
      expectRefusal(await api.ask(id, other, {}, key), 409, 'idempotency_conflict')
    }
    expectRefusal(await api.charge({}, key), 409, 'idempotency_conflict')
    const elsewhere = await api.ask(await ready(api, operation), operation, {}, key)
    expectRefusal(elsewhere, 409, 'idempotency_conflict')
    expect(Object.keys(elsewhere.body.errors)).toEqual([expect.stringMatching(/id$/)])
    expectSame(await api.ask(id, operation, {}, key), first)
  })

  it('of a charge is a conflict', async () => {
    const key = newKey()
    await api.charge({}, key)
    const id = await ready(api, operation)
    expectRefusal(await api.ask(id, operation, {}, key), 409, 'idempotency_conflict')
  })
})

it('of a void and of a receipt at the same moment is a conflict, and no deadlock', async () => {
  const rounds = Array.from({ length: 10 }, async () => {
    const { id } = (await api.charge({})).body
    const key = newKey()
    const receipt = `/transaction/${id}/receipt/email`
    const headers = { ...api.merchant.headers, ...key }
    return Promise.all([
      api.ask(id, 'void', {}, key),
      call(api.service.app, 'POST', receipt, headers, { ccEmails: ['ada@example.com'] }),
    ])
  })
  for (const both of await Promise.all(rounds)) {
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  }
})

describe('the key of a refund', () => {
  it('gives the first answer again, whatever was refunded since', async () => {
    const id = await batched()
    const key = newKey()
    const first = await api.ask(id, 'refund', { total: 4 }, key)
    await api.ask(id, 'refund')
    expect((await api.get(id)).body.total_refunded).toBe(10)
    expectSame(await api.ask(id, 'refund', { total: 4 }, key), first)
    expect(first.body).toMatchObject({ total_refunded: 4, is_refundable: true })
  })

  it('compares parsed requests, and names the fields that differ', async () => {
    const id = await batched()
    const key = newKey()
    const sent = { total: 4, previously_refunded: 0 }
    const first = await api.ask(id, 'refund', sent, key)
    const same = { amount: '4.00', previously_refunded: '0', total: null }
    expectSame(await api.ask(id.toUpperCase(), 'refund', same, key), first)
    for (const [change, fields] of [
      [{ total: 4.01 }, ['total']],
      [{ total: undefined }, ['total']],
      [{ previously_refunded: 4 }, ['previously_refunded']],
      [{ total: 1, previously_refunded: undefined }, ['previously_refunded', 'total']],
    ] as const) {
      const other = await api.ask(id, 'refund', { ...sent, ...change }, key)
      expectRefusal(other, 409, 'idempotency_conflict', fields)
    }
    const other = await api.ask(id, 'refund', { ...sent, total: undefined, amount: 5 }, key)
    expectRefusal(other, 409, 'idempotency_conflict', ['amount'])
    expect((await api.get(id)).body.total_refunded).toBe(4)
  })

  it('must be the same in the header and in the body', async () => {
    const id = await batched()
    const answer = await api.ask(id, 'refund', { idempotency_id: 'this' }, newKey())
    expectRefusal(answer, 400, 'invalid_request', ['idempotency_id'])
    expect((await api.related(id)).body).toEqual([])
  })

  it.each([
    ['that came too early', 409, {}],
    ['of no amount', 400, { total: 0 }],
    ['of too much', 409, { total: 11 }],
  ])('is not used up by a request %s', async (_, status, body) => {
    const id = await api.paid()
    const key = newKey()
    expect((await api.ask(id, 'refund', body, key)).status).toBe(status)
    await takeIntoBatch(api.service, [id])
    const answer = await api.ask(id, 'refund', { total: 2 }, key)
    expect([answer.status, answer.body.total_refunded]).toEqual([200, 2])
    expect(answer.headers).not.toHaveProperty('idempotent-replayed')
  })

  it('is optional, and a request without it is a new one', async () => {
    const id = await batched()
    for (const refunded of [4, 8]) {
      expect((await api.ask(id, 'refund', { total: 4 })).body.total_refunded).toBe(refunded)
    }
  })

  it('is bound to an account: another account can use the same', async () => {
    const other = await newPaymentsApi(api.service)
    const key = newKey()
    await api.ask(await batched(), 'refund', { total: 4 }, key)
    const theirs = await other.ask(await ready(other, 'refund'), 'refund', { total: 3 }, key)
    expect([theirs.status, theirs.body.total_refunded]).toEqual([200, 3])
    expect(theirs.headers).not.toHaveProperty('idempotent-replayed')
  })
})

describe('the key of a void', () => {
  it('gives its answer again, though a new request of the kind would be refused by now', async () => {
    const id = await api.paid()
    const key = newKey()
    const first = await api.ask(id, 'void-or-refund', {}, key)
    expectRefusal(await api.ask(id, 'void-or-refund'), 409, 'already_voided')
    expectSame(await api.ask(id, 'void-or-refund', {}, key), first)
  })
})
