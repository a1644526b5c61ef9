// Compares the batches of one business day with the gateway's ledger: the transactions of each
// batch, and all orders of the gateway since the previous cutoff that are in no batch of ours.

import assert from 'node:assert'
import { toDecimal } from '../core/money.ts'
import type { Report } from '../core/progress.ts'
import { after } from '../core/time-units.ts'
import type { Row } from '../db/gathered.ts'
import type { Gateway, GatewayEntry, OrderName } from '../outside/gateway/port.ts'
import type { World } from '../world.ts'
import { BATCH_COLUMNS, type BatchRow, readBatch } from './batch.ts'
import {
  type AfterwardsNote,
  afterwardsOf,
  isOfDay,
  type OurTransaction,
  ourTransactions,
  pagesOfBatch,
} from './our-ledger.ts'
import { NOTHING, type Sums } from './sums.ts'

interface Difference {
  /** The id of the transaction, which may be unknown to us, or of the batch. */
  readonly id: string
  readonly what: string
}

export interface Reconciled {
  readonly batch: BatchRow
  /**
   * The sums of its transactions. For an open batch these are the ones that it would close with
   * now.
   */
  readonly ours: Sums
  /** The gateway's sums: for these transactions, and for others that it settles. */
  readonly gateways: Sums
  readonly differences: readonly Difference[]
  /** Disputes and reversals of its transactions, which are no differences. */
  readonly afterwards: readonly AfterwardsNote[]
}

const BATCHES = `
  SELECT ${BATCH_COLUMNS}, a.mode, a.live_gateway, ARRAY(
    SELECT DISTINCT gateway_name FROM payment_method WHERE account_id = b.account_id
  ) AS gateway_names, (
    SELECT max(cutoff_at) FROM batch WHERE account_id = b.account_id AND cutoff_at < b.cutoff_at
  ) AS opened_at
  FROM batch b JOIN account a ON a.id = b.account_id
  WHERE b.business_date = $1::date AND ($2::uuid IS NULL OR b.account_id = $2)
  ORDER BY b.account_id`

/** Reports how many of the batch's transactions were compared. */
export type OpenReport = (batch: BatchRow) => { readonly report: Report; end(): void }

/** Compares one account, or all accounts with business on that day (YYYY-MM-DD). */
export async function reconcile(
  world: World,
  date: string,
  accountId: string | undefined,
  openReport: OpenReport = () => ({ report() {}, end() {} }),
): Promise<readonly Reconciled[]> {
  const rows = await world.db.query(BATCHES, [date, accountId ?? null])
  const all: Reconciled[] = []
  for (const row of rows) {
    const gateways = gatewaysOf(world, row)
    const openedAt = row.opened_at ?? new Date(0)
    const batch = readBatch(row)
    const { report, end } = openReport(batch)
    try {
      all.push(await reconcileBatch(world, batch, openedAt, gateways, report))
    } finally {
      end()
    }
  }
  return all
}

/** The account's gateway, and those of its payment methods: the others are not asked. */
function gatewaysOf({ gateways }: World, row: Row): readonly Gateway[] {
  const { gateway_names: names, live_gateway: liveGateway, mode } = row
  const own = gateways.of({ mode, liveGateway })
  return gateways.ofMode(mode).filter((one) => one === own || names.includes(one.name))
}

async function reconcileBatch(
  world: World,
  batch: BatchRow,
  openedAt: Date,
  all: readonly Gateway[],
  report: Report,
): Promise<Reconciled> {
  const differences: Difference[] = []
  const differing = new Set<string>()
  const note = (id: string, what: string | undefined) => {
    if (what === undefined) return
    differences.push({ id, what })
    differing.add(id)
  }
  let [ours, gateways] = [NOTHING, NOTHING]
  for await (const page of pagesOfBatch(world, batch)) {
    const entries = await entriesOf(world, batch.accountId, page)
    for (const one of page) {
      const entry = entries.get(one.id)
      ours = plus(ours, one.type, one.total)
      if (entry !== undefined && movesMoney(entry)) {
        gateways = plus(gateways, entry.operation, entry.amount)
      }
      note(one.id, faultOfTaken(one, entry))
    }
    // An open batch has no count yet.
    report({ done: ours.count, of: Math.max(batch.count, ours.count) })
  }
  for (const gateway of all) {
    for await (const [entry, one] of entriesBeside(world, gateway, batch, openedAt)) {
      if (differing.has(entry.key)) continue
      const fault = faultOfEntry(entry, one)
      if (fault !== undefined) gateways = plus(gateways, entry.operation, entry.amount)
      note(entry.key, fault)
    }
  }
  for (const fault of faultsOfBatch(batch, ours)) note(batch.id, fault)
  const afterwards = await afterwardsOf(world, batch)
  return { batch, ours, gateways, differences, afterwards }
}

function plus({ count, sales, refunds }: Sums, what: string, amount: bigint): Sums {
  const isRefund = what === 'refund'
  return {
    count: count + 1,
    sales: isRefund ? sales : sales + amount,
    refunds: isRefund ? refunds + amount : refunds,
  }
}

async function entriesOf(
  world: World,
  accountId: string,
  page: readonly OurTransaction[],
): Promise<ReadonlyMap<string, GatewayEntry>> {
  const entries: GatewayEntry[] = []
  for (const name of new Set(page.map(({ gatewayName }) => gatewayName))) {
    const orders = page.filter((one) => one.gatewayName === name).map(orderNameOf)
    entries.push(...(await world.gateways.named(name).entriesOf(accountId, orders)))
  }
  return new Map(entries.map((entry) => [entry.key, entry]))
}

function orderNameOf({
  id: key,
  authId: gatewayId,
  gatewayToken,
  type,
}: OurTransaction): OrderName {
  assert(type !== 'credit' && gatewayToken !== null, 'no gateway knows of it')
  return { key, gatewayId, operation: type, token: gatewayToken }
}

/**
 * Yields the entries that the gateway settles in that time but the batch does not contain, each
 * with our transaction.
 */
async function* entriesBeside(
  world: World,
  gateway: Gateway,
  batch: BatchRow,
  openedAt: Date,
): AsyncGenerator<readonly [GatewayEntry, OurTransaction | undefined]> {
  const { accountId, cutoffAt: before } = batch
  const madeUntil = after(before, world.config.pendingDeadlineMs)
  const window = { accountId, from: openedAt, before, madeUntil }
  for await (const page of gateway.entriesBetween(window)) {
    const settled = page.filter(movesMoney)
    const keys = settled.map(({ key }) => key)
    const ours = await ourTransactions(world, batch.accountId, keys)
    const byId = new Map(ours.map((one) => [one.id, one]))
    for (const entry of settled) {
      const one = byId.get(entry.key)
      if (one === undefined || !isOfDay(one, batch) || isOther(entry, one)) yield [entry, one]
    }
  }
}

/** True if the gateway has carried out the order under an id that is not in our row: once more? */
function isOther({ gatewayId }: GatewayEntry, { authId }: OurTransaction): boolean {
  return authId !== null && authId !== gatewayId
}

/** True for an order that moves money and was not undone before settlement. */
function movesMoney({ operation, state, isVoided }: GatewayEntry): boolean {
  const moves = operation === 'charge' || operation === 'capture' || operation === 'refund'
  return moves && state === 'approved' && !isVoided
}

/** Compares a transaction of the batch. Undefined if both sides agree. */
function faultOfTaken(t: OurTransaction, entry: GatewayEntry | undefined): string | undefined {
  if (entry === undefined) return `the gateway has no such ${t.type}`
  if (entry.state !== 'approved') return `the gateway has it as ${entry.state}`
  if (entry.isVoided) return 'the gateway has voided it'
  if (entry.operation !== t.type) return `it is a ${t.type}, to the gateway a ${entry.operation}`
  if (entry.amount !== t.total) {
    return `it is of ${toDecimal(t.total)}, to the gateway of ${toDecimal(entry.amount)}`
  }
  if (entry.gatewayId === t.authId) return undefined
  return `we call it ${t.authId}, the gateway ${entry.gatewayId}`
}

/**
 * Compares an entry that the gateway settles but the batch does not contain. Undefined if there is
 * a reason for it: a payment that is still pending here joins a later batch when it succeeds, and
 * one that was decided late is in the batch of a later day.
 */
function faultOfEntry(entry: GatewayEntry, t: OurTransaction | undefined): string | undefined {
  const amount = `a ${entry.operation} of ${toDecimal(entry.amount)}`
  if (t === undefined) return `the gateway made ${amount} that is none of ours`
  if (t.status === 'FAILED') return `the gateway made ${amount} that has failed with us`
  if (isOther(entry, t)) return `the gateway made ${amount} as ${entry.gatewayId}, unknown to us`
  return t.isVoided ? `the gateway has not voided ${amount}` : undefined
}

/** A closed batch never changes, so its sums must equal those of its transactions. */
function faultsOfBatch(batch: BatchRow, sums: Sums): readonly string[] {
  if (batch.status !== 'closed') return []
  const names = ['count', 'sales', 'refunds'] as const
  const shown = (name: (typeof names)[number], of: Sums) =>
    name === 'count' ? of.count : toDecimal(of[name])
  return names
    .filter((name) => batch[name] !== sums[name])
    .map(
      (name) =>
        `its ${name} is ${shown(name, batch)}, of its transactions it is ${shown(name, sums)}`,
    )
}
