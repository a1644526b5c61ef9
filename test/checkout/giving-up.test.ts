// Cases that the contract of gateways cannot cover: how Checkout.com gives up an order depends on
// time, and on points that its documentation leaves open.

import { afterEach, describe, expect, it } from 'vitest'
import { type Order, TooManyRequests } from '../../src/outside/gateway/port.ts'
import {
  alarms,
  closeOpened,
  HOUR_MS,
  type Opened,
  opened,
  orderOf,
  paid,
  signal,
} from './opened-checkout.ts'
import type { CheckoutFault } from './stand-in/faults.ts'

const MINUTE_MS = 60_000

afterEach(closeOpened)

describe('an order that was never sent', () => {
  it('is given up with the second question, once all earlier requests are on record', async () => {
    const one = await opened()
    const order = orderOf(one)
    expect(await one.gateway.giveUp(order, signal())).toMatchObject({
      kind: 'undecided',
      decidedBy: expect.any(Date),
    })
    await one.checkout.advance(2 * MINUTE_MS)
    expect(await one.gateway.giveUp(order, signal())).toEqual({ kind: 'never_made' })
    await expect(one.gateway.carryOut(order, signal())).rejects.toThrow('was given up')
  })

  it('is left to a person after a day, when its key could be used a second time', async () => {
    const one = await opened()
    const order = orderOf(one)
    const late = { ...order, now: new Date(order.now.getTime() + 24 * HOUR_MS) }
    expect(await one.gateway.giveUp(late, signal())).toEqual({ kind: 'undecided', gatewayId: null })
    const ofOrder = one.checkout
      .ledger()
      .filter(({ reference = '' }) => reference.startsWith(order.key))
    expect(ofOrder).toEqual([])
  })

  it.each(['refund', 'void'] as const)(
    'is left to a person if it is a %s, and keys hold for one endpoint only',
    async (operation) => {
      const one = await opened({ hasKeysPerEndpoint: true })
      const order = orderOf(one, { operation, parent: await paid(one) })
      for (let n = 0; n < 2; n += 1) {
        const trace = await one.gateway.giveUp(order, signal())
        expect(trace).toEqual({ kind: 'undecided', gatewayId: null })
        await one.checkout.advance(2 * MINUTE_MS)
      }
      const moved = one.checkout.ledger().filter(({ type }) => type === 'Refund')
      expect(moved).toEqual([])
    },
  )
})

it.each([
  ['the look-up', 'GET'],
  ['the block', 'POST'],
])('was not asked about if Checkout.com refuses %s because of its limit', async (_, method) => {
  const one = await opened()
  one.checkout.fault((asked) =>
    asked.method === method ? { kind: 'too many requests' } : undefined,
  )
  await expect(one.gateway.giveUp(orderOf(one), signal())).rejects.toThrow(TooManyRequests)
})

it('an order that was accepted is asked about for days, and not given up', async () => {
  const one = await opened({ actionsTakeMs: 10 * HOUR_MS })
  const order = orderOf(one)
  const answer = await one.gateway.carryOut(order, signal())
  expect(answer).toMatchObject({ kind: 'undecided', gatewayId: expect.stringMatching(/^pay_/) })
  const trace = await one.gateway.giveUp(order, signal())
  expect(trace).toMatchObject({ kind: 'undecided', decidedBy: expect.any(Date) })
  await one.checkout.advance(10 * HOUR_MS)
  expect(await one.gateway.giveUp(order, signal())).toMatchObject({ kind: 'approved' })
})

describe('an order that was carried out, and answered with an error', () => {
  const failOnce = ({ checkout }: Opened) => {
    let isOver = false
    checkout.fault(({ method }) => {
      if (isOver || method !== 'POST') return undefined
      isOver = true
      return { kind: 'server error', isExecuted: true }
    })
  }

  async function followUpOf(one: Opened, more: Partial<Order> = {}): Promise<Order> {
    const parent = more.parent ?? (await paid(one))
    const order = orderOf(one, { operation: 'refund', ...more, parent })
    failOnce(one)
    await expect(one.gateway.carryOut(order, signal())).rejects.toThrow('answered 500')
    return order
  }

  it('is not declined when a repeat is refused because of the first', async () => {
    const one = await opened({ actionsTakeMs: MINUTE_MS })
    const order = await followUpOf(one)
    expect(await one.gateway.carryOut(order, signal())).toMatchObject({ kind: 'undecided' })
    await one.checkout.advance(MINUTE_MS)
    expect(await one.gateway.carryOut(order, signal())).toMatchObject({ kind: 'approved' })
  })

  it('is not given up before it is visible', async () => {
    const one = await opened({ actionsTakeMs: MINUTE_MS })
    const order = await followUpOf(one)
    expect(await one.gateway.giveUp(order, signal())).toMatchObject({ kind: 'undecided' })
    await one.checkout.advance(2 * MINUTE_MS)
    expect(await one.gateway.giveUp(order, signal())).toMatchObject({ kind: 'approved' })
  })

  it.each([
    ['refund', 'charge'],
    ['capture', 'pre_auth'],
    ['void', 'pre_auth'],
  ] as const)('is in doubt while a %s is in the balances only', async (operation, of) => {
    const one = await opened({ listedAfterMs: HOUR_MS })
    const parent = await paid(one, of)
    const amount = operation === 'void' ? 12_34n : 5_00n
    const order = await followUpOf(one, { operation, parent, amount })
    await one.checkout.advance(3 * MINUTE_MS)
    const inDoubt = { kind: 'undecided', gatewayId: null }
    expect(await one.gateway.lookUp(order, signal())).toEqual(inDoubt)
    if (operation !== 'refund') {
      // There is nothing left for a repeat, which is refused.
      expect(await one.gateway.carryOut(order, signal())).toMatchObject(inDoubt)
    }
    for (let n = 0; n < 2; n += 1) {
      expect(await one.gateway.giveUp(order, signal())).toMatchObject(inDoubt)
      await one.checkout.advance(3 * MINUTE_MS)
    }
    await one.checkout.advance(HOUR_MS)
    expect(await one.gateway.lookUp(order, signal())).toMatchObject({ kind: 'approved' })
    const own = one.checkout.ledger().filter(({ reference }) => reference === order.key)
    expect(own).toHaveLength(1)
  })

  it('keeps another refund of its payment in doubt until it is listed', async () => {
    const one = await opened({ listedAfterMs: HOUR_MS })
    const made = await followUpOf(one, { amount: 5_00n })
    const unsent = orderOf(one, { operation: 'refund', parent: made.parent, amount: 5_00n })
    await one.checkout.advance(3 * MINUTE_MS)
    for (const order of [made, unsent]) {
      expect(await one.gateway.lookUp(order, signal())).toMatchObject({ kind: 'undecided' })
    }
    await one.checkout.advance(HOUR_MS)
    expect(await one.gateway.lookUp(made, signal())).toMatchObject({ kind: 'approved' })
    expect(await one.gateway.lookUp(unsent, signal())).toEqual({ kind: 'never_made' })
  })
})

describe('a charge whose capture is declined', () => {
  async function refusedLater(): Promise<Opened & { readonly order: Order }> {
    const one = await opened({ actionsTakeMs: MINUTE_MS })
    const order = orderOf(one)
    one.checkout.failNext('Capture')
    const answer = await one.gateway.carryOut(order, signal())
    expect(answer).toMatchObject({ kind: 'undecided' })
    await one.checkout.advance(MINUTE_MS)
    return {
      ...one,
      order: { ...order, gatewayId: 'gatewayId' in answer ? answer.gatewayId : null },
    }
  }

  const closings = ({ checkout }: Opened) =>
    checkout.requests.filter(({ path }) => path.endsWith('/voids'))

  it('is declined once its hold is released', async () => {
    const one = await refusedLater()
    expect(await one.gateway.lookUp(one.order, signal())).toMatchObject({ kind: 'undecided' })
    await one.checkout.advance(MINUTE_MS)
    expect(await one.gateway.lookUp(one.order, signal())).toMatchObject({
      kind: 'declined',
      decline: { code: 'processing_error' },
    })
    expect(closings(one)).toMatchObject([{ idempotencyKey: `${one.order.key}:close`, status: 202 }])
    expect(one.checkout.ledger().at(-1)).toMatchObject({ type: 'Void', approved: true })
  })

  it('is in doubt while its void is not answered, and released once', async () => {
    const one = await refusedLater()
    one.checkout.fault(({ path }) =>
      path.endsWith('/voids') ? { kind: 'cut', isExecuted: true } : undefined,
    )
    await expect(one.gateway.lookUp(one.order, signal())).rejects.toThrow()
    one.checkout.fault(({ path }) =>
      path.endsWith('/voids') ? { kind: 'server error', isExecuted: false } : undefined,
    )
    await expect(one.gateway.giveUp(one.order, signal())).resolves.toMatchObject({
      kind: 'undecided',
    })
    one.checkout.fault()
    await one.checkout.advance(MINUTE_MS)
    expect(await one.gateway.lookUp(one.order, signal())).toMatchObject({ kind: 'declined' })
    expect(one.checkout.ledger().filter(({ type }) => type === 'Void')).toHaveLength(1)
  })

  it('is in doubt for days if its void is declined, or not allowed', async () => {
    const one = await refusedLater()
    one.checkout.failNext('Void')
    const inDoubt = { kind: 'undecided', decidedBy: expect.any(Date) }
    expect(await one.gateway.giveUp(one.order, signal())).toMatchObject(inDoubt)
    one.checkout.fault(({ path }) =>
      path.endsWith('/voids') ? { kind: 'key refused', status: 403 } : undefined,
    )
    await one.checkout.advance(MINUTE_MS)
    expect(await one.gateway.giveUp(one.order, signal())).toMatchObject(inDoubt)
    expect(alarms).toEqual([
      'Checkout.com does not release what a declined payment holds: it waits',
    ])
  })
})

describe('a refusal', () => {
  it.each<readonly [CheckoutFault, string]>([
    [{ kind: 'key refused', status: 401 }, 'turned_away'],
    [{ kind: 'key refused', status: 403 }, 'turned_away'],
    [{ kind: 'too many requests' }, 'undecided'],
  ])('with %j is no decline', async (fault, kind) => {
    const one = await opened()
    one.checkout.fault(({ method }) => (method === 'POST' ? fault : undefined))
    expect(await one.gateway.carryOut(orderOf(one), signal())).toMatchObject({ kind })
    expect(alarms.length).toBe(fault.kind === 'key refused' ? 1 : 0)
  })

  it.each([408, 409, 425, 499])(
    'with %i is none: the request may be on its way',
    async (status) => {
      const one = await opened()
      const refused: CheckoutFault = { kind: 'key refused', status }
      one.checkout.fault(({ method }) => (method === 'POST' ? refused : undefined))
      await expect(one.gateway.carryOut(orderOf(one), signal())).rejects.toThrow(`${status}`)
    },
  )

  it('of a refund that no other refund explains waits, and an operator is alerted', async () => {
    const one = await opened()
    const order = orderOf(one, { operation: 'refund', parent: await paid(one) })
    one.checkout.fault(({ method }) =>
      method === 'POST' ? { kind: 'key refused', status: 403 } : undefined,
    )
    expect(await one.gateway.carryOut(order, signal())).toMatchObject({ kind: 'undecided' })
    expect(alarms).toEqual([
      'Checkout.com does not allow a capture, a void or a refund yet: it waits',
    ])
  })

  it('of a payment with a deleted card is a decline, with an alarm', async () => {
    const one = await opened()
    await one.gateway.forgetMethod?.(one.token)
    const answer = await one.gateway.carryOut(orderOf(one), signal())
    const decline = { code: 'request_refused', retry: 'never', gatewayCode: 'source_id_invalid' }
    expect(answer).toMatchObject({ kind: 'declined', decline })
    expect(alarms).toHaveLength(1)
    await one.gateway.forgetMethod?.(one.token)
  })
})
