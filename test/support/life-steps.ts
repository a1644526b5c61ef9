// The possible steps of an account. Each runs in the service and in the model, checks the answer
// against the model, and describes what it did.

import { expect } from 'vitest'
import { between, pick } from '../chaos/random.ts'
import { takeIntoBatch } from './batch.ts'
import { type Life, newEntity, post } from './life.ts'
import { expectRefused, FAULTS, followUp, nameOf, release } from './life-follow-ups.ts'
import { call } from './test-service.ts'
import { isForBatch, NEW } from './transaction-model.ts'

export type Step = (life: Life) => Promise<string>

/** Some are more frequent than others. */
export const STEPS: readonly (readonly [weight: number, step: Step])[] = [
  [5, charge],
  [14, followUp],
  [1, release],
  [2, repeat],
  [4, batch],
  [3, midnight],
  [1, record],
  [1, change],
  [0.4, deleteLink],
]

const MORE_THAN_A_DAY_MS = 26 * 60 * 60_000

export async function charge(life: Life): Promise<string> {
  const { random } = life
  const total = between(random, 1, 999)
  const isGood = random() < 0.85
  const isOfLink = random() < 0.5
  const fault = pick(random, FAULTS)
  const type = random() < 0.4 ? 'pre_auth' : 'charge'
  const body = {
    total: total / 100,
    payment_method_id: isGood ? life.goodCard : life.badCard,
    pre_auth: type === 'pre_auth',
    ...(isOfLink ? { payment_link_id: life.link } : {}),
  }
  const says = `${type} of ${total}${isGood ? '' : ' by the bad card'}${isOfLink ? ' by link' : ''}`
  const request = { url: '/charge', body, key: life.service.world.newId() }
  if (isOfLink && life.isLinkDeleted) {
    expectRefused(await post(life, request), ['payment_link_deleted'])
    return `${says}: refused`
  }
  life.faults.next = fault
  const answer = await post(life, request)
  const isDone = isGood && fault !== 'decline'
  const status = isDone ? 'SUCCESS' : 'FAILED'
  expect(answer).toMatchObject({ status: isDone ? 200 : 400, body: { status, success: isDone } })
  life.answered.push({ ...request, text: answer.text })
  life.entities.push(newEntity(answer.body.id, { ...NEW, type, total, status }, { isOfLink }))
  return `${says}, gateway: ${fault}: ${status}`
}

async function repeat(life: Life): Promise<string> {
  const { text, ...request } = pick(life.random, life.answered)
  const again = await post(life, request)
  expect(again.text).toBe(text)
  expect(again.headers['idempotent-replayed']).toBe('true')
  return `${request.url} again`
}

async function batch({ service, random, entities, now }: Life): Promise<string> {
  const taken = random() < 0.5 ? entities : entities.filter(() => random() < 0.5)
  const ids = taken.map(({ id }) => id)
  await takeIntoBatch(service, ids, now)
  for (const entity of taken) {
    if (!isForBatch(entity.t)) continue
    entity.t = { ...entity.t, batch: 'before midnight' }
    entity.events += 1
  }
  return `a batch of at most ${ids.length}`
}

async function midnight(life: Life): Promise<string> {
  life.now = new Date(life.now.getTime() + MORE_THAN_A_DAY_MS)
  const { accountId } = life.merchant
  const sql = 'UPDATE account SET clock_at = $2 WHERE id = $1'
  await life.service.world.db.query(sql, [accountId, life.now])
  for (const entity of life.entities) {
    if (entity.t.batch === 'before midnight') entity.t = { ...entity.t, batch: 'yes' }
  }
  return `it is ${life.now.toISOString()}`
}

async function record(life: Life): Promise<string> {
  const type = pick(life.random, ['charge', 'refund', 'credit'] as const)
  const total = between(life.random, 1, 999)
  const body = { type, total: total / 100, method: 'cash', customer_id: life.customer }
  const request = { url: '/transaction', body, key: life.service.world.newId() }
  const answer = await post(life, request)
  expect(answer).toMatchObject({ status: 200, body: { status: 'SUCCESS', is_manual: true } })
  life.answered.push({ ...request, text: answer.text })
  life.entities.push(newEntity(answer.body.id, { ...NEW, type, total, isManual: true }))
  return `a ${type} of ${total} by hand`
}

async function change(life: Life): Promise<string> {
  const entity = pick(life.random, life.entities)
  const total = entity.t.total + 1
  const url = `/transaction/${entity.id}`
  const { service, merchant } = life
  const answer = await call(service.app, 'PUT', url, merchant.headers, { total: total / 100 })
  const says = `another total of ${nameOf(life, entity)}`
  if (!entity.t.isManual) {
    expectRefused(answer, ['transaction_immutable'])
    return `${says}: refused`
  }
  expect(answer).toMatchObject({ status: 200, body: { total: total / 100 } })
  entity.t = { ...entity.t, total }
  entity.events += 1
  return says
}

async function deleteLink(life: Life): Promise<string> {
  if (life.isLinkDeleted) return 'the link is deleted already'
  const { service, merchant } = life
  const url = `/query/payment-links/${life.link}`
  expect((await call(service.app, 'DELETE', url, merchant.headers)).status).toBe(200)
  life.isLinkDeleted = true
  for (const entity of life.entities) {
    if (entity.isOfLink) entity.t = { ...entity.t, isLinkDeleted: true }
  }
  return 'the link is deleted'
}
