// Tests every promise that the gateway of Stripe makes to the service, against any server at
// Stripe's address: each step has the observation, and whether the service can rely on it.

import { setTimeout as pause } from 'node:timers/promises'
import type { Answer, Gateway, Order, OrderState } from '../../src/outside/gateway/port.ts'
import { newId } from '../../src/outside/identity.ts'

export interface Step {
  readonly name: string
  /** The observation. */
  readonly seen: string
  readonly isAsPromised: boolean
}

/** An account of the service; at Stripe it exists only in metadata. */
const ACCOUNT = newId()

const MINUTE_MS = 60_000

/** Each test payment method, and the expected decline. */
const DECLINES = [
  ['pm_card_chargeCustomerFail', 'card_declined', 'later'],
  ['pm_card_authenticationRequired', 'authentication_required', 'never'],
] as const

const AT_ONCE = 5

/**
 * Stripe's lists are said to contain new objects after a moment; this shows how long the moment is.
 */
const LOOKS = 5
const LOOK_EVERY_MS = 500

export async function* walk(gateway: Gateway): AsyncGenerator<Step> {
  const card = await kept(gateway, 'pm_card_visa')
  yield step('a payment method is kept', card.lastFour, card.lastFour === '4242')

  const charge = orderOf('charge', card.token)
  const paid = await gateway.carryOut(charge, limit())
  yield step('a charge is approved', said(paid), paid.kind === 'approved')
  yield same('its repeat has the first answer', paid, await gateway.carryOut(charge, limit()))

  const crowd = orderOf('charge', card.token)
  const orders = Array.from({ length: AT_ONCE }, () =>
    gateway.carryOut(crowd, limit()).catch(silence),
  )
  const ids = new Set((await Promise.all(orders)).flatMap((one) => idIn(one) ?? []))
  yield step(`${AT_ONCE} at once with one key make one payment`, [...ids].join(), ids.size === 1)

  yield same('it is found by its key', paid, await found(gateway, charge))
  const unknown = await gateway.lookUp(orderOf('charge', card.token), limit())
  yield step('an order that was never sent is not found', said(unknown), isUnmade(unknown))

  yield* declines(gateway)
  yield* followUps(gateway, card.token)
  yield* givingUp(gateway, card.token, charge)
  yield* bankDebit(gateway)
  yield* ledger(gateway, charge)
  yield* forgetting(gateway, card.token)
}

async function* declines(gateway: Gateway): AsyncGenerator<Step> {
  for (const [method, code, retry] of DECLINES) {
    const { token } = await kept(gateway, method)
    const answer = await gateway.carryOut(orderOf('charge', token), limit())
    const decline = answer.kind === 'declined' ? answer.decline : undefined
    const isAsPromised = decline?.code === code && decline.retry === retry
    yield step(`${method} is declined: ${code}, retry ${retry}`, said(answer), isAsPromised)
  }
}

async function* followUps(gateway: Gateway, token: string): AsyncGenerator<Step> {
  const hold = orderOf('pre_auth', token)
  const held = await gateway.carryOut(hold, limit())
  yield step('a hold is approved', said(held), held.kind === 'approved')
  const capture = { ...orderOf('capture', token, 600n), parent: parentOf(hold, held) }
  const captured = await gateway.carryOut(capture, limit())
  yield step('a part of it is captured', said(captured), captured.kind === 'approved')
  yield same('its capture is found', captured, await found(gateway, capture))
  const second = { ...orderOf('capture', token, 100n), parent: parentOf(hold, held) }
  const refused = await gateway.carryOut(second, limit())
  yield step('a second capture is declined', said(refused), refused.kind === 'declined')

  const released = orderOf('pre_auth', token)
  const releasedHold = await gateway.carryOut(released, limit())
  const release = { ...orderOf('void', token), parent: parentOf(released, releasedHold) }
  const voided = await gateway.carryOut(release, limit())
  yield step('a hold is released', said(voided), voided.kind === 'approved')

  const charge = orderOf('charge', token)
  const parent = parentOf(charge, await gateway.carryOut(charge, limit()))
  const refund = { ...orderOf('refund', token, 500n), parent }
  const refunded = await gateway.carryOut(refund, limit())
  yield step('a part is refunded', said(refunded), idIn(refunded) !== undefined)
  yield same('its repeat has the first answer', refunded, await gateway.carryOut(refund, limit()))
  const more = await gateway.carryOut({ ...orderOf('refund', token, 900n), parent }, limit())
  yield step('more than is left is declined', said(more), more.kind === 'declined')
}

async function* givingUp(gateway: Gateway, token: string, paid: Order): AsyncGenerator<Step> {
  const order = orderOf('charge', token)
  const trace = await gateway.giveUp(order, limit())
  yield step('an order that was never sent is given up', said(trace), trace.kind === 'never_made')
  const late = await gateway.carryOut(order, limit()).catch(silence)
  const after = await gateway.lookUp(order, limit())
  const isDead = late.kind !== 'approved' && after.kind !== 'approved'
  yield step('and can’t be carried out any more', `${said(late)}; ${said(after)}`, isDead)
  const kept = await gateway.giveUp(paid, limit())
  yield step('what was made is not given up', said(kept), kept.kind === 'approved')
}

async function* bankDebit(gateway: Gateway): AsyncGenerator<Step> {
  const { token } = await kept(gateway, 'pm_usBankAccount_success')
  const order = { ...orderOf('charge', token), method: 'bank' } as const
  const answer = await gateway.carryOut(order, limit())
  const isDated = answer.kind === 'undecided' && answer.decidedBy !== undefined
  yield step('a bank debit takes days, and says how many', said(answer), isDated)
}

async function* ledger(gateway: Gateway, charge: Order): AsyncGenerator<Step> {
  const before = new Date(Date.now() + MINUTE_MS)
  const window = {
    accountId: ACCOUNT,
    from: new Date(charge.now.getTime() - MINUTE_MS),
    before,
    madeUntil: before,
  }
  const keys = new Set<string>()
  for await (const page of gateway.entriesBetween(window)) {
    for (const { key } of page) keys.add(key)
  }
  yield step('the ledger of these minutes contains it', `${keys.size} orders`, keys.has(charge.key))
}

async function* forgetting(gateway: Gateway, token: string): AsyncGenerator<Step> {
  await gateway.forgetMethod?.(token)
  const answer = await gateway.carryOut(orderOf('charge', token), limit()).catch(silence)
  const isUseless = answer.kind !== 'approved'
  yield step('a payment method that was detached is useless', said(answer), isUseless)
}

async function kept(gateway: Gateway, token: string) {
  const method = await gateway.keepMethod?.(ACCOUNT, { token, owner: { id: newId() } })
  if (method?.kind !== 'kept') throw new Error(`${token} ${method?.fault ?? 'was not kept'}`)
  return method
}

function orderOf(operation: Order['operation'], token: string, amount = 1200n): Order {
  const now = new Date()
  const deadlineAt = new Date(now.getTime() + 10 * MINUTE_MS)
  const frozen = { accountId: ACCOUNT, key: newId(now.getTime()), currency: 'USD', gatewayId: null }
  return { ...frozen, operation, method: 'card', token, amount, now, deadlineAt }
}

function parentOf({ key, operation }: Order, answer: Answer): Order['parent'] {
  return { key, operation, gatewayId: idIn(answer) ?? null }
}

/** Asks again while there is no answer, as the service does. */
async function found(gateway: Gateway, order: Order): Promise<OrderState> {
  let trace = await gateway.lookUp(order, limit())
  for (let looks = 1; trace.kind === 'never_made' && looks < LOOKS; looks += 1) {
    await pause(LOOK_EVERY_MS)
    trace = await gateway.lookUp(order, limit())
  }
  return trace
}

function limit(): AbortSignal {
  return AbortSignal.timeout(MINUTE_MS / 2)
}

type Seen = Answer | OrderState | { readonly kind: 'silent'; readonly message: string }

function silence(error: unknown): Seen {
  return { kind: 'silent', message: error instanceof Error ? error.message : 'no answer' }
}

function idIn(seen: Seen): string | undefined {
  return 'gatewayId' in seen ? (seen.gatewayId ?? undefined) : undefined
}

function isUnmade({ kind }: OrderState): boolean {
  return kind === 'never_made'
}

function step(name: string, seen: string, isAsPromised: boolean): Step {
  return { name, seen, isAsPromised }
}

function same(name: string, first: Seen, second: Seen): Step {
  const isSame = first.kind === second.kind && idIn(first) === idIn(second)
  return step(name, said(second), isSame)
}

function said(seen: Seen): string {
  const decline = 'decline' in seen ? seen.decline : undefined
  const code = decline && `${decline.code}, retry ${decline.retry}, Stripe’s ${decline.gatewayCode}`
  const decidedBy = 'decidedBy' in seen ? seen.decidedBy?.toISOString() : undefined
  const message = seen.kind === 'silent' ? seen.message : undefined
  return [seen.kind, idIn(seen), code, decidedBy, message].filter(Boolean).join(' ')
}
