// The rules of every gateway: one suite that a new gateway passes before it may move money. A
// gateway brings a harness, which opens it, disturbs it, and reads its own ledger.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR } from '../../src/core/time-units.ts'
import type {
  Answer,
  Gateway,
  GatewayEntry,
  Order,
  OrderName,
  OrderState,
} from '../../src/outside/gateway/port.ts'

/** The faults of a request to the gateway, on its way there or back. */
export const CONTRACT_FAULTS = [
  'cut before',
  'cut after',
  'hang before',
  'hang after',
  'slow',
  'error before',
  'error after',
  'bad gateway',
  'rate limit',
  'lock timeout',
  'account refused',
  'garbage',
  'proxy error before',
  'proxy error after',
  'empty answer',
  'reset in the body',
] as const

export type ContractFault = (typeof CONTRACT_FAULTS)[number]

export interface GatewayHarness extends AsyncDisposable {
  /** A gateway as in another process: it shares nothing but the gateway's own ledger. */
  make(): Gateway
  /** Two merchants of the gateway. */
  readonly accounts: readonly [string, string]
  /** A payment method of the account, under the gateway's name for it. */
  token(accountId: string, pays: 'always' | 'never'): Promise<string>
  /** The fault meets the next request, and no other. */
  disturb(fault: ContractFault): void
  /** The movements in the gateway's own ledger, read without the port. */
  ledger(accountId: string): Promise<readonly Moved[]>
  /** The log of the gateway's adapter, and the secrets that must not be in it. */
  said(): { readonly log: string; readonly secrets: readonly string[] }
}

export interface Moved {
  readonly key: string
  readonly operation: Order['operation']
  readonly amount: bigint
  readonly state: GatewayEntry['state']
}

const OPERATIONS = ['charge', 'pre_auth', 'capture', 'void', 'refund'] as const

type Operation = (typeof OPERATIONS)[number]

const AMOUNT = 12_34n

/** A request may take this long, and one that hangs only as long as it takes to arrive. */
const LIMIT_MS = 250
const HANGING_MS = 80
const LONG = { timeout: 60_000 }

/** More steps than a gateway needs that decides after a few questions. */
const MOST_STEPS = 20

type OrderAnswer = Answer | { readonly kind: 'silent' }

/**
 * `newId` makes keys: they are ids of our rows. `faults` are those that the gateway's adapter can
 * distinguish.
 */
export function describeGateway(
  name: string,
  open: () => Promise<GatewayHarness>,
  newId: () => string,
  faults: readonly ContractFault[] = CONTRACT_FAULTS,
): void {
  describe(`the gateway ${name}`, LONG, () => {
    let harness: GatewayHarness
    let gateway: Gateway
    let paying: string
    let failing: string
    let mine: string
    let theirs: string
    let limitMs = LIMIT_MS

    beforeAll(async () => {
      harness = await open()
      gateway = harness.make()
      ;[mine, theirs] = harness.accounts
      paying = await harness.token(mine, 'always')
      failing = await harness.token(mine, 'never')
    }, LONG.timeout)
    afterAll(() => harness[Symbol.asyncDispose]())

    function orderOf(operation: Operation, more: Partial<Order> = {}): Order {
      const now = new Date()
      return {
        accountId: mine,
        key: newId(),
        operation,
        method: 'card',
        token: paying,
        gatewayId: null,
        amount: AMOUNT,
        currency: 'USD',
        now,
        deadlineAt: new Date(now.getTime() + 3 * HOUR),
        ...more,
      }
    }

    /** An order of the operation, with its parent if it needs one. */
    async function ready(operation: Operation, more: Partial<Order> = {}): Promise<Order> {
      if (operation === 'charge' || operation === 'pre_auth') return orderOf(operation, more)
      const parent = orderOf(operation === 'capture' ? 'pre_auth' : 'charge')
      return orderOf(operation, { parent: await parentFrom(parent), ...more })
    }

    async function parentFrom(order: Order): Promise<NonNullable<Order['parent']>> {
      const answer = await settled(order)
      if (answer.kind !== 'approved') throw new Error(`the parent is ${answer.kind}`)
      const { key, operation } = order
      return { key, operation, gatewayId: answer.gatewayId }
    }

    async function answerWithin(
      ask: (signal: AbortSignal) => Promise<Answer | OrderState>,
    ): Promise<OrderAnswer> {
      const signal = AbortSignal.timeout(limitMs)
      limitMs = LIMIT_MS
      const ended = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
      try {
        return (await Promise.race([ask(signal), ended])) as OrderAnswer
      } catch {
        return { kind: 'silent' }
      }
    }

    function disturb(fault: ContractFault): void {
      harness.disturb(fault)
      if (fault.startsWith('hang')) limitMs = HANGING_MS
    }

    const ordered = (order: Order, by = gateway) =>
      answerWithin((signal) => by.carryOut(order, signal))

    /** Asks what became of an order, and orders it again if it was never made, as a worker does. */
    async function settled(order: Order, first?: OrderAnswer): Promise<OrderState> {
      let last: OrderAnswer = first ?? (await ordered(order))
      for (let step = 0; step < MOST_STEPS; step += 1) {
        if (last.kind === 'approved' || last.kind === 'declined') return last
        if (last.kind === 'turned_away') {
          last = await ordered(order)
          continue
        }
        const named = { ...order, gatewayId: last.kind === 'undecided' ? last.gatewayId : null }
        const trace = await orThrow(heardTrace((signal) => gateway.lookUp(named, signal)))
        last = trace.kind === 'never_made' ? await ordered(order) : trace
      }
      throw new Error(`still ${last.kind} after ${MOST_STEPS} steps`)
    }

    /** Asks the gateway to give the order up until it answers, as a worker does at the deadline. */
    async function givenUp(order: Order): Promise<OrderState> {
      const late = { ...order, now: order.deadlineAt }
      for (let step = 0; step < MOST_STEPS; step += 1) {
        const trace = await heardTrace((signal) => gateway.giveUp(late, signal))
        if (trace !== undefined && trace.kind !== 'undecided') return trace
      }
      throw new Error('it was never given up')
    }

    async function heardTrace(
      ask: (signal: AbortSignal) => Promise<OrderState>,
    ): Promise<OrderState | undefined> {
      const trace = await answerWithin(ask)
      return trace.kind === 'silent' || trace.kind === 'turned_away' ? undefined : trace
    }

    async function orThrow(trace: Promise<OrderState | undefined>): Promise<OrderState> {
      return (await trace) ?? { kind: 'undecided', gatewayId: null }
    }

    async function moved(key: string, accountId = mine): Promise<readonly Moved[]> {
      const ledger = await harness.ledger(accountId)
      return ledger.filter((one) => one.key === key && one.state === 'approved')
    }

    /** The outcome agrees with the ledger, and stays so. */
    async function expectTruth(order: Order, end: OrderState): Promise<void> {
      const { key, operation, amount } = order
      const money = end.kind === 'approved' ? [{ key, operation, amount, state: 'approved' }] : []
      expect(await moved(key)).toEqual(money)
    }

    describe.each(OPERATIONS)('carries out a %s', (operation) => {
      it('once, however often it is ordered in a row, and repeats the first answer', async () => {
        const order = await ready(operation)
        const first = await settled(order)
        expect(first.kind).toBe('approved')
        for (let n = 0; n < 3; n += 1) expect(await ordered(order)).toEqual(first)
        await expectTruth(order, first)
      })

      it('once, for 20 simultaneous orders by two processes', async () => {
        const order = await ready(operation)
        const other = harness.make()
        const all = Array.from({ length: 20 }, (_, n) =>
          ordered(order, n % 2 === 0 ? gateway : other),
        )
        const ids = new Set<string | null>()
        for (const answer of await Promise.all(all)) {
          expect(answer.kind).not.toBe('declined')
          if (answer.kind === 'approved') ids.add(answer.gatewayId)
        }
        const end = await settled(order)
        expect(end.kind).toBe('approved')
        expect(ids.size).toBeLessThanOrEqual(1)
        await expectTruth(order, end)
      })

      it('once, when a process that started later orders it again', async () => {
        const order = await ready(operation)
        const first = await settled(order)
        expect(await ordered(order, harness.make())).toEqual(first)
        await expectTruth(order, first)
      })

      it.each(faults)('once, after this fault of the first order: %s', async (fault) => {
        const order = await ready(operation)
        disturb(fault)
        const first = await ordered(order)
        if (first.kind === 'turned_away') expect(await moved(order.key)).toEqual([])
        const end = await settled(order, first)
        expect(end.kind).toBe('approved')
        await expectTruth(order, end)
      })

      it.each(faults)('once, after this fault of the question: %s', async (fault) => {
        const order = await ready(operation)
        disturb('cut after')
        const first = await ordered(order)
        disturb(fault)
        const end = await settled(order, first)
        expect(end.kind).toBe('approved')
        await expectTruth(order, end)
      })

      it.each(faults)('or not at all, given up after this fault: %s', async (fault) => {
        const order = await ready(operation)
        disturb(fault)
        await ordered(order)
        const end = await givenUp(order)
        await expectTruth(order, end)
        await ordered(order)
        await ordered(order, harness.make())
        await expectTruth(order, end)
      })

      it.each(faults)('or not at all, though giving up meets this fault: %s', async (fault) => {
        const order = await ready(operation)
        disturb(fault)
        const end = await givenUp(order)
        expect(end.kind).toBe('never_made')
        await ordered(order)
        await expectTruth(order, end)
      })

      it('or never, for an order that races with giving it up', async () => {
        for (let n = 0; n < 5; n += 1) {
          const order = await ready(operation)
          const [, end] = await Promise.all([ordered(order), givenUp(order)])
          await ordered(order)
          await expectTruth(order, end)
        }
      })
    })

    it('does not know an order that was never made', async () => {
      const trace = await gateway.lookUp(orderOf('charge'), AbortSignal.timeout(LONG.timeout))
      expect(trace).toEqual({ kind: 'never_made' })
    })

    it.each(['charge', 'pre_auth'] as const)(
      'declines a %s, and keeps to it',
      async (operation) => {
        const order = orderOf(operation, { token: failing })
        const first = await settled(order)
        expect(first.kind).toBe('declined')
        for (const by of [gateway, harness.make()]) expect(await ordered(order, by)).toEqual(first)
        await expectTruth(order, first)
      },
    )

    it.each([
      ['refund', 'charge'],
      ['capture', 'pre_auth'],
    ] as const)('takes no more by a %s than its %s has, in a race', async (operation, of) => {
      const parent = await parentFrom(orderOf(of))
      const parts = Array.from({ length: 6 }, () =>
        orderOf(operation, { parent, amount: AMOUNT / 2n }),
      )
      const ends = await Promise.all(parts.map((order) => settled(order)))
      const sums = await Promise.all(parts.map(({ key }) => moved(key)))
      const taken = sums.flat().reduce((sum, { amount }) => sum + amount, 0n)
      expect(taken).toBeLessThanOrEqual(AMOUNT)
      expect(taken).toBeGreaterThan(0n)
      for (const [n, end] of ends.entries()) {
        expect(end.kind === 'approved').toBe((sums[n]?.length ?? 0) > 0)
      }
    })

    it('keeps accounts apart', async () => {
      const order = orderOf('charge')
      await settled(order)
      const token = await harness.token(theirs, 'always')
      const signal = AbortSignal.timeout(LONG.timeout)
      const asked = { ...order, accountId: theirs, token }
      expect(await gateway.lookUp(asked, signal)).toEqual({ kind: 'never_made' })
      expect(await moved(order.key, theirs)).toEqual([])
      const parent = { key: order.key, operation: 'charge', gatewayId: null } as const
      const refund = orderOf('refund', { accountId: theirs, token, parent })
      expect((await settled(refund)).kind).toBe('declined')
    })

    it('lists every order in its ledger, by key and by time', async () => {
      const from = new Date()
      const orders = [await ready('refund'), await ready('capture'), await ready('void')]
      orders.push(orderOf('charge', { token: failing }))
      const named: OrderName[] = []
      for (const order of orders) {
        const end = await settled(order)
        named.push({ ...order, gatewayId: 'gatewayId' in end ? end.gatewayId : null })
      }
      const keys = orders.map(({ key }) => key)
      const byKey = await gateway.entriesOf(mine, named)
      expect(byKey.map(({ key }) => key).toSorted()).toEqual(keys.toSorted())
      const before = later()
      const window = {
        accountId: mine,
        from: new Date(from.getTime() - 1),
        before,
        madeUntil: before,
      }
      const found: GatewayEntry[] = []
      for await (const page of gateway.entriesBetween(window)) found.push(...page)
      const foundKeys = found.map(({ key }) => key)
      expect(new Set(foundKeys).size).toBe(foundKeys.length)
      expect(foundKeys).toEqual(expect.arrayContaining(keys))
    })

    it('writes no secret and no token into a log', () => {
      const { log, secrets } = harness.said()
      for (const secret of [...secrets, paying, failing]) expect(log).not.toContain(secret)
    })
  })
}

function later(): Date {
  return new Date(Date.now() + HOUR)
}
