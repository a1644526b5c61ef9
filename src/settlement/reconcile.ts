// Compares one business day with the gateway's ledger: the transactions of each batch, and all
// orders of the gateway since the previous cutoff that are in no batch of ours. After a restore,
// all payments of an account's day may be lost, and its batch: such an account is asked about if
// it is named, or if all are asked for.

import assert from 'node:assert'
import type { Mode } from '../accounts/key.ts'
import { businessDayOn } from '../core/business-day.ts'
import { type Cents, toDecimal } from '../core/money.ts'
import type { Report } from '../core/progress.ts'
import { after } from '../core/time-units.ts'
import { isDatabaseAway } from '../db/failure.ts'
import type { Row } from '../db/gathered.ts'
import type { Gateway, GatewayEntry, OrderName } from '../outside/gateway/port.ts'
import type { World } from '../world.ts'
import { BATCH_COLUMNS, type BatchRow, readBatch } from './batch.ts'
import { paidOutOf } from './deposit-by-payouts.ts'
import {
  type AfterwardsNote,
  afterwardsOf,
  isOfDay,
  methodsNamed,
  type OurMethod,
  type OurTransaction,
  ourTransactions,
  pagesOfDay,
} from './our-ledger.ts'
import { NOTHING, type Sums } from './sums.ts'

export interface Difference {
  /** The id of the transaction, which may be unknown to us, or of the batch. */
  readonly id: string
  readonly what: string
  /** What is known of an order that the gateway has. */
  readonly atGateway?: AtGateway
}

interface AtGateway {
  readonly name: string
  /** The gateway's own id of it. */
  readonly id: string
  /** When we accepted it. */
  readonly acceptedAt: Date
  readonly lastFour: string | undefined
  /** Undefined for an order that our rows have, and if none of our payment methods was used. */
  readonly method: OurMethod | undefined
}

export interface AccountDay {
  readonly accountId: string
  readonly team: string
  readonly mode: Mode
  readonly businessDate: Date
  /** The time that is compared: orders from the first instant on, and before the second one. */
  readonly openedAt: Date
  readonly cutoffAt: Date
}

export interface Reconciled {
  readonly day: AccountDay
  /** Undefined if the account has none of that day. */
  readonly batch: BatchRow | undefined
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

/** A live gateway has what the database lost. The sandbox's ledger is in the database itself. */
export const DAYS = `
  SELECT ${BATCH_COLUMNS}, b.id IS NOT NULL AS has_batch, a.id AS owner_id, t.name AS team, a.mode,
    a.live_gateway, a.cutoff, a.timezone, ARRAY(
      SELECT name FROM unnest($4::text[]) AS name WHERE EXISTS (
        SELECT FROM payment_method WHERE account_id = a.id AND gateway_name = name OFFSET 0)
    ) AS gateway_names, (
      SELECT max(cutoff_at) FROM batch WHERE account_id = b.account_id AND cutoff_at < b.cutoff_at
    ) AS opened_at
  FROM account a
  JOIN team t ON t.id = a.team_id
  LEFT JOIN batch b ON b.account_id = a.id AND b.business_date = $1::date
  WHERE ($2::uuid IS NULL OR a.id = $2)
    AND (b.id IS NOT NULL OR (a.mode = 'live' AND ($3 OR $2 IS NOT NULL)))
  ORDER BY a.id`

/** Reports how many of the day's transactions were compared. */
type OpenReport = (day: AccountDay) => { readonly report: Report; end(): void }

export interface Watch {
  readonly openReport: OpenReport
  /** Called for an account that cannot be compared, for which the others need not wait. */
  readonly onFailure: (day: AccountDay, error: unknown) => void
}

const UNWATCHED: Watch = {
  openReport: () => ({ report() {}, end() {} }),
  onFailure(_day, error) {
    throw error
  },
}

/**
 * Compares one account, or all accounts that have a batch of that day (YYYY-MM-DD). With
 * `withLost` the live ones without a batch are asked about as well.
 */
export async function reconcile(
  world: World,
  date: string,
  accountId: string | undefined,
  { openReport, onFailure }: Watch = UNWATCHED,
  withLost = false,
): Promise<readonly Reconciled[]> {
  const names = world.gateways.all.map(({ name }) => name)
  const rows = await world.db.query(DAYS, [date, accountId ?? null, withLost, names])
  const all: Reconciled[] = []
  for (const row of rows) {
    const gateways = gatewaysOf(world, row)
    const batch = row.has_batch ? readBatch(row) : undefined
    if (batch === undefined && gateways.length === 0) continue
    const day = dayOf(row, date, batch)
    const { report, end } = openReport(day)
    try {
      all.push(await reconcileDay(world, day, batch, gateways, report))
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      onFailure(day, error)
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

/** A day with a batch begins at the cutoff of the last batch, however many days ago. */
function dayOf(row: Row, date: string, batch: BatchRow | undefined): AccountDay {
  const { cutoff: time, mode, opened_at: openedAt, owner_id: accountId, team, timezone: zone } = row
  const whose = { accountId, team, mode }
  if (batch !== undefined) {
    const { businessDate, cutoffAt } = batch
    return { ...whose, businessDate, openedAt: openedAt ?? new Date(0), cutoffAt }
  }
  const { cutoffAt, opensAt } = businessDayOn(date, { time, zone })
  return { ...whose, businessDate: new Date(date), openedAt: opensAt, cutoffAt }
}

async function reconcileDay(
  world: World,
  day: AccountDay,
  batch: BatchRow | undefined,
  all: readonly Gateway[],
  report: Report,
): Promise<Reconciled> {
  const differences: Difference[] = []
  const differing = new Set<string>()
  const note = (id: string, what: string | undefined, atGateway?: AtGateway) => {
    if (what === undefined) return
    differences.push({ id, what, ...(atGateway && { atGateway }) })
    differing.add(id)
  }
  let [ours, gateways] = [NOTHING, NOTHING]
  for await (const page of pagesOfDay(world, day)) {
    const entries = await entriesOf(world, day.accountId, page)
    for (const one of page) {
      const entry = asSettled(one, entries.get(one.id))
      ours = plus(ours, one.type, one.total)
      if (entry !== undefined && movesMoney(entry)) {
        gateways = plus(gateways, entry.operation, entry.amount)
      }
      note(one.id, faultOfTaken(one, entry))
    }
    // An open batch has no count yet.
    report({ done: ours.count, of: Math.max(batch?.count ?? 0, ours.count) })
  }
  for (const gateway of all) {
    for await (const [entry, one, method] of entriesBeside(world, gateway, day)) {
      if (differing.has(entry.key)) continue
      const fault = faultOfEntry(entry, one)
      if (fault !== undefined && movesMoney(entry)) {
        gateways = plus(gateways, entry.operation, entry.amount)
      }
      note(entry.key, fault, atGateway(gateway, entry, method))
    }
  }
  if (batch !== undefined) {
    for (const fault of faultsOfBatch(batch, ours)) note(batch.id, fault)
    note(batch.id, faultOfPayouts(batch, await paidOutOf(world.db.query, batch)))
  }
  const afterwards = await afterwardsOf(world, day)
  return { day, batch, ours, gateways, differences, afterwards }
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
 * Yields the entries that the gateway settles in that time but the day's batch does not contain,
 * each with our transaction, or with our payment method if we have no transaction; and the holds
 * that our rows have lost.
 */
async function* entriesBeside(
  world: World,
  gateway: Gateway,
  day: AccountDay,
): AsyncGenerator<readonly [GatewayEntry, OurTransaction | undefined, OurMethod | undefined]> {
  const { accountId, cutoffAt: before, openedAt: from } = day
  const madeUntil = after(before, world.config.pendingDeadlineMs)
  const window = { accountId, from, before, madeUntil }
  for await (const page of gateway.entriesBetween(window)) {
    const inEffect = page.filter((entry) => isInEffect(entry) && entry.operation !== 'void')
    const keys = inEffect.map(({ key }) => key)
    const ours = await ourTransactions(world, accountId, keys)
    const byId = new Map(ours.map((one) => [one.id, one]))
    const lost = inEffect.filter(({ key }) => !byId.has(key))
    const names = lost.flatMap(({ paidWith }) => paidWith?.method ?? [])
    const methods = await methodsNamed(world, accountId, names)
    for (const entry of inEffect) {
      const one = byId.get(entry.key)
      const method = methods.get(entry.paidWith?.method ?? '')
      if (one === undefined) yield [entry, one, method]
      else if (movesMoney(entry) && (!isOfDay(one, day) || isOther(entry, one))) {
        yield [entry, one, undefined]
      }
    }
  }
}

function atGateway(
  { name }: Gateway,
  { bookedAt, gatewayId, paidWith }: GatewayEntry,
  method: OurMethod | undefined,
): AtGateway {
  return { name, id: gatewayId, acceptedAt: bookedAt, lastFour: paidWith?.lastFour, method }
}

/** True if the gateway has carried out the order under an id that is not in our row: once more? */
function isOther({ gatewayId }: GatewayEntry, { authId }: OurTransaction): boolean {
  return authId !== null && authId !== gatewayId
}

/** True for an order that was carried out, and not undone before settlement. */
function isInEffect({ state, isVoided }: GatewayEntry): boolean {
  return state === 'approved' && !isVoided
}

/** True for such an order that moves money: a hold and a void do not. */
function movesMoney(entry: GatewayEntry): boolean {
  const { operation } = entry
  const moves = operation === 'charge' || operation === 'capture' || operation === 'refund'
  return moves && isInEffect(entry)
}

/** A refund is settled although it fails later: its money comes back in another way. */
function asSettled(t: OurTransaction, entry: GatewayEntry | undefined): GatewayEntry | undefined {
  const isReversed = t.hasFailedLater && entry?.state === 'declined'
  return isReversed ? { ...entry, state: 'approved' } : entry
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
  if (!t.isVoided) return undefined
  return t.hasFailedLater
    ? `its void failed later: the gateway has ${amount}`
    : `the gateway has not voided ${amount}`
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

/** The gateway's balance is another of its ledgers than that of its payments. */
function faultOfPayouts({ refunds, sales }: BatchRow, paidOut: Cents | null): string | undefined {
  if (paidOut === null || paidOut === sales - refunds) return undefined
  const [shown, net] = [toDecimal(paidOut), toDecimal(sales - refunds)]
  return `its payouts have ${shown} for its transactions before fees, its net is ${net}`
}
