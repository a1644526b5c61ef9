// Compares the service with the model for every transaction of an account: its flags and sums, its
// children, and its events.

import { expect } from 'vitest'
import type { Entity, ModelledAccount } from './modelled-account.ts'
import { call } from './test-service.ts'
import { flags, type Modelled } from './transaction-model.ts'

/** The state before a step. */
export type Before = ReadonlyMap<Entity, Pick<Entity, 't' | 'events'>>

export function remember({ entities }: ModelledAccount): Before {
  return new Map(entities.map((entity) => [entity, { t: entity.t, events: entity.events }]))
}

/** Remembers nothing, as if each had changed, and had no events. */
export function rememberNone({ entities }: ModelledAccount): Before {
  return new Map(entities.map((entity) => [entity, { t: { ...entity.t }, events: entity.events }]))
}

export async function expectAsModelled(account: ModelledAccount, before: Before): Promise<void> {
  const { service, merchant, entities } = account
  const rows = await service.world.db.query(ROWS, [merchant.accountId])
  expect(Object.fromEntries(rows.map(({ id, ...row }) => [id, row]))).toEqual(
    Object.fromEntries(entities.map((entity) => [entity.id, sumsAndEvents(entity)])),
  )
  const changed = entities.filter((entity) => hasChanged(entity, before))
  await Promise.all(changed.map((entity) => expectShown(account, entity, before)))
  await expectLink(account)
}

const ROWS = `
  SELECT t.id, t.total::integer, t.captured::integer, t.refunded::integer, t.reserved::integer,
    (SELECT string_agg(e.n || ' ' || split_part(e.type, '_', 1), ', ' ORDER BY e.n)
     FROM (
       SELECT type, row_number() OVER (ORDER BY sequence) AS n FROM event
       WHERE account_id = t.account_id AND resource_id = t.id::text
     ) e) AS events
  FROM transaction t WHERE t.account_id = $1`

function sumsAndEvents({ t, events }: Entity): object {
  const isPreAuth = t.type === 'pre_auth'
  const numbers = Array.from({ length: events }, (_, i) => i + 1)
  return {
    total: t.total,
    captured: capturedOf(t),
    refunded: isPreAuth ? 0 : t.taken,
    reserved: t.underWay,
    events: numbers.map((n) => `${n} ${n === 1 ? 'create' : 'update'}`).join(', '),
  }
}

function hasChanged(entity: Entity, before: Before): boolean {
  const was = before.get(entity)
  const isSame = was !== undefined && was.t === entity.t && was.events === entity.events
  return !isSame || entity.children.some((child) => hasChanged(child, before))
}

async function expectShown(
  account: ModelledAccount,
  entity: Entity,
  before: Before,
): Promise<void> {
  const { service, merchant } = account
  const { body } = await call(service.app, 'GET', `/transaction/${entity.id}`, merchant.headers)
  expect(body).toMatchObject(view(entity))
  // A change without an event is not in the last one.
  if (entity.events === before.get(entity)?.events) return
  const [event] = await service.world.db.query(LAST_EVENT, [merchant.accountId, entity.id])
  expect(event?.snapshot).toEqual(body)
}

const LAST_EVENT = `
  SELECT snapshot FROM event WHERE account_id = $1 AND resource_id = $2
  ORDER BY sequence DESC LIMIT 1`

function view(entity: Entity): object {
  const { id, t, parent, children } = entity
  const shown = (isCapture: boolean) =>
    children.filter((child) => (child.t.type === 'capture') === isCapture)
  return {
    ...fields(id, t),
    reference_id: parent?.id ?? null,
    child_transactions: shown(false).map((child) => fields(child.id, child.t)),
    child_captures: shown(true).map((child) => ({
      ...fields(child.id, child.t),
      child_transactions: child.children.map((one) => fields(one.id, one.t)),
    })),
  }
}

function fields(id: string, t: Modelled): object {
  const batchedAt = t.batch === 'no' ? null : expect.any(String)
  return {
    id,
    type: t.type,
    status: t.status,
    success: t.status === 'PENDING' ? null : t.status === 'SUCCESS',
    total: t.total / 100,
    is_captured: capturedOf(t) > 0,
    is_manual: t.isManual,
    batched_at: batchedAt,
    settled_at: batchedAt,
    ...flags(t),
  }
}

function capturedOf(t: Modelled): number {
  if (t.type === 'pre_auth') return t.taken
  return t.status === 'SUCCESS' && ['charge', 'capture'].includes(t.type) ? t.total : 0
}

async function expectLink({ service, link, entities }: ModelledAccount): Promise<void> {
  const sales = entities.flatMap(({ isOfLink, t }) =>
    isOfLink && t.type !== 'pre_auth' && capturedOf(t) > 0 ? [capturedOf(t)] : [],
  )
  const [row] = await service.world.db.query(
    'SELECT total_sales::integer, total_transactions FROM payment_link WHERE id = $1',
    [link],
  )
  expect(row).toEqual({
    total_sales: sales.reduce((sum, cents) => sum + cents, 0),
    total_transactions: sales.length,
  })
}
