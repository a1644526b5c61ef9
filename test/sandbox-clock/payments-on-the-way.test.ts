// Payments in progress when a clock advances are decided before time passes, or at their deadline.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCharge } from '../../src/payments/make/make-payment.ts'
import { type FaultySetup, openFaultySetup } from '../support/faulty-setup.ts'
import { newPaymentsApi, openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { advanceHere, clockOf, setClock, takeThere } from '../support/sandbox-clock.ts'

const UNDECIDED = 763.63
const SLOW = 763.64
const ASYNC = { prefer: 'respond-async' }

const START = '2027-03-01T12:00:00.000Z'
/** Three hours later, the default of the settings. */
const DEADLINE = '2027-03-01T15:00:00.000Z'

/** The last event before its batch, and its time by the clock. */
async function lastWord(api: PaymentsApi, id: string) {
  const events = await api.events(id)
  const last = events.filter(({ type }) => type !== 'update_transaction_settled').at(-1)
  return { status: last?.snapshot.status, at: last?.snapshot.updated_at }
}

describe('a payment in progress', () => {
  let first: PaymentsApi
  let api: PaymentsApi

  beforeAll(async () => {
    // Only the clock itself prompts work here.
    first = await openPaymentsApi({ queues: [] })
  })
  afterAll(() => first.service.close())

  const begin = async () => {
    api = await newPaymentsApi(first.service)
    await setClock(api, START)
  }
  const charge = async (total: number) => (await api.charge({ total }, ASYNC)).body.id as string
  const stateOf = async (id: string) => {
    const { batched_at, message } = (await api.get(id)).body
    return { ...(await lastWord(api, id)), batched_at, message }
  }

  it('that is not made yet is made before any time passes', async () => {
    await begin()
    const id = await charge(10)
    await advanceHere(api, '2027-03-01T12:00:00.001Z')
    expect(await stateOf(id)).toMatchObject({ status: 'SUCCESS', at: START })
  })

  it('of 763.63 is FAILED at its deadline, and is in no batch', async () => {
    await begin()
    const id = await charge(UNDECIDED)
    await advanceHere(api, '2027-03-03')
    expect(await stateOf(id)).toEqual({
      status: 'FAILED',
      at: DEADLINE,
      batched_at: null,
      message: 'The gateway had not made it by its deadline',
    })
    expect(await api.events(id)).toMatchObject([
      { type: 'create_transaction', snapshot: { status: 'PENDING', updated_at: START } },
      { type: 'update_transaction', snapshot: { status: 'FAILED', updated_at: DEADLINE } },
    ])
  })

  it('of 763.63 is PENDING up to a moment before, as a control', async () => {
    await begin()
    const id = await charge(UNDECIDED)
    await advanceHere(api, '2027-03-01T14:59:59.999Z')
    expect(await stateOf(id)).toMatchObject({ status: 'PENDING', at: START })
    expect(await clockOf(api)).toMatchObject({ now: '2027-03-01T14:59:59.999Z', status: 'ready' })
    await advanceHere(api, DEADLINE)
    expect(await stateOf(id)).toMatchObject({ status: 'FAILED', at: DEADLINE })
  })

  it('of 763.64 is decided before any time passes, and is in the batch of that day', async () => {
    await begin()
    const id = await charge(SLOW)
    await advanceHere(api, '2027-03-03')
    expect(await stateOf(id)).toMatchObject({
      status: 'SUCCESS',
      at: START,
      batched_at: '2027-03-02T01:00:00.000Z',
    })
  })

  it('has its own deadline', async () => {
    await begin()
    const one = await charge(UNDECIDED)
    await advanceHere(api, '2027-03-01T13:00:00Z')
    const other = await charge(UNDECIDED)
    await advanceHere(api, '2027-03-02')
    expect(await stateOf(one)).toMatchObject({ status: 'FAILED', at: DEADLINE })
    expect(await stateOf(other)).toMatchObject({
      status: 'FAILED',
      at: '2027-03-01T16:00:00.000Z',
    })
  })

  it('can be a void or a refund: their amounts are decided with them', async () => {
    await begin()
    const [kept, voided] = [await charge(10), await charge(10)]
    await advanceHere(api, '2027-03-01T12:00:01Z')
    await api.ask(voided, 'void', {}, ASYNC)
    await advanceHere(api, '2027-03-02T12:00:00Z')
    const asked = await api.ask(kept, 'refund', {}, ASYNC)
    expect(asked.status).toBe(202)
    await advanceHere(api, '2027-03-03T12:00:00Z')
    expect((await api.get(voided)).body).toMatchObject({ is_voided: true, batched_at: null })
    const refunds = (await api.events(kept)).filter(({ snapshot }) => snapshot.total_refunded > 0)
    expect(refunds.map(({ snapshot }) => snapshot.updated_at)).toEqual(['2027-03-02T12:00:00.000Z'])
    expect(await api.childOf(kept, 'refund')).toMatchObject({
      status: 'SUCCESS',
      batched_at: '2027-03-03T01:00:00.000Z',
    })
  })
})

describe('a gateway', () => {
  let setup: FaultySetup
  let api: PaymentsApi

  beforeAll(async () => {
    setup = await openFaultySetup({ queues: [] })
  })
  afterAll(() => setup.service.close())

  const begin = async () => {
    api = await newPaymentsApi(setup.service)
    await setClock(api, START)
    const { body } = await api.charge({}, ASYNC)
    return body.id as string
  }

  it('that never answers has the payment parked at the deadline, and time goes on', async () => {
    const id = await begin()
    setup.plan = { fault: () => 'silent after' }
    await advanceHere(api, '2027-03-03')
    const [row] = await setup.service.world.db.query(
      'SELECT status, parked_at FROM transaction WHERE id = $1',
      [id],
    )
    expect(row).toEqual({ status: 'PENDING', parked_at: new Date(DEADLINE) })
    expect((await clockOf(api)).now).toBe('2027-03-03T00:00:00.000Z')
    // It was ordered once, and asked about a few times before time passed and at the deadline.
    const asked = setup.gateway.lookUps.filter((key) => key === id).length
    expect(setup.gateway.orders.filter((key) => key === id)).toHaveLength(1)
    expect(asked).toBeGreaterThanOrEqual(4)
    expect(asked).toBeLessThanOrEqual(5)
  })

  it('that did not know it, except once in time, made it once and then', async () => {
    const id = await begin()
    let silences = 1
    setup.plan = {
      fault: ({ operation }) =>
        operation === 'charge' && silences-- > 0 ? 'silent before' : 'none',
    }
    await advanceHere(api, '2027-03-03')
    expect(await lastWord(api, id)).toEqual({ status: 'SUCCESS', at: START })
  })

  it('that turns orders away to the end leaves it FAILED at the deadline', async () => {
    const id = await begin()
    setup.plan = { fault: ({ operation }) => (operation === 'charge' ? 'error' : 'none') }
    await advanceHere(api, '2027-03-03')
    expect(await lastWord(api, id)).toEqual({ status: 'FAILED', at: DEADLINE })
    expect(setup.gateway.orders.filter((key) => key === id).length).toBeLessThanOrEqual(5)
  })

  it('that another worker is asking is waited for, and gets no second question', async () => {
    const id = await begin()
    const asked = new Promise<void>((resolve) => {
      const fault = () => {
        resolve()
        return 'slow' as const
      }
      setup.plan = { fault, slowMs: 300 }
    })
    const key = { accountId: api.merchant.accountId, id }
    const worker = makeCharge(setup.service.world, key, new AbortController().signal)
    await asked
    await setClock(api, '2027-03-03')
    await takeThere(setup.service.world, api.merchant)
    expect(await worker).toMatchObject({ kind: 'done', answer: { status: 'SUCCESS' } })
    expect(await lastWord(api, id)).toEqual({ status: 'SUCCESS', at: START })
    expect(setup.gateway.orders.filter((one) => one === id)).toHaveLength(1)
    expect(setup.gateway.lookUps).not.toContain(id)
  })
})
