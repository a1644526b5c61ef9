// The possible steps of an account. Each runs in the service and in the model, checks the answer
// against the model, and describes what it did.

import { expect } from 'vitest'
import { between, pick } from '../chaos/random.ts'
import { takeIntoBatch } from './batch.ts'
import { type ModelledAccount, newEntity, postAs } from './modelled-account.ts'
import { expectRefused, followUp, MODEL_FAULTS, nameOf, release } from './modelled-follow-ups.ts'
import { call } from './test-service.ts'
import { isForBatch, NEW } from './transaction-model.ts'

export type Step = (account: ModelledAccount) => Promise<string>

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

export async function charge(account: ModelledAccount): Promise<string> {
  const { random } = account
  const total = between(random, 1, 999)
  const isGood = random() < 0.85
  const isOfLink = random() < 0.5
  const fault = pick(random, MODEL_FAULTS)
  const type = random() < 0.4 ? 'pre_auth' : 'charge'
  const body = {
    total: total / 100,
    payment_method_id: isGood ? account.goodCard : account.badCard,
    pre_auth: type === 'pre_auth',
    ...(isOfLink ? { payment_link_id: account.link } : {}),
  }
  const says = `${type} of ${total}${isGood ? '' : ' by the bad card'}${isOfLink ? ' by link' : ''}`
  const request = { url: '/charge', body, key: account.service.world.newId() }
  if (isOfLink && account.isLinkDeleted) {
    expectRefused(await postAs(account, request), ['payment_link_deleted'])
    return `${says}: refused`
  }
  account.faults.next = fault
  const answer = await postAs(account, request)
  const isDone = isGood && fault !== 'decline'
  const status = isDone ? 'SUCCESS' : 'FAILED'
  expect(answer).toMatchObject({ status: isDone ? 200 : 400, body: { status, success: isDone } })
  account.answered.push({ ...request, text: answer.text })
  account.entities.push(newEntity(answer.body.id, { ...NEW, type, total, status }, { isOfLink }))
  return `${says}, gateway: ${fault}: ${status}`
}

async function repeat(account: ModelledAccount): Promise<string> {
  const { text, ...request } = pick(account.random, account.answered)
  const again = await postAs(account, request)
  expect(again.text).toBe(text)
  expect(again.headers['idempotent-replayed']).toBe('true')
  return `${request.url} again`
}

async function batch({ service, random, entities, now }: ModelledAccount): Promise<string> {
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

async function midnight(account: ModelledAccount): Promise<string> {
  account.now = new Date(account.now.getTime() + MORE_THAN_A_DAY_MS)
  const { accountId } = account.merchant
  const sql = 'UPDATE account SET clock_at = $2 WHERE id = $1'
  await account.service.world.db.query(sql, [accountId, account.now])
  for (const entity of account.entities) {
    if (entity.t.batch === 'before midnight') entity.t = { ...entity.t, batch: 'yes' }
  }
  return `it is ${account.now.toISOString()}`
}

async function record(account: ModelledAccount): Promise<string> {
  const type = pick(account.random, ['charge', 'refund', 'credit'] as const)
  const total = between(account.random, 1, 999)
  const body = { type, total: total / 100, method: 'cash', customer_id: account.customer }
  const request = { url: '/transaction', body, key: account.service.world.newId() }
  const answer = await postAs(account, request)
  expect(answer).toMatchObject({ status: 200, body: { status: 'SUCCESS', is_manual: true } })
  account.answered.push({ ...request, text: answer.text })
  account.entities.push(newEntity(answer.body.id, { ...NEW, type, total, isManual: true }))
  return `a ${type} of ${total} by hand`
}

async function change(account: ModelledAccount): Promise<string> {
  const entity = pick(account.random, account.entities)
  const total = entity.t.total + 1
  const url = `/transaction/${entity.id}`
  const { service, merchant } = account
  const answer = await call(service.app, 'PUT', url, merchant.headers, { total: total / 100 })
  const says = `another total of ${nameOf(account, entity)}`
  if (!entity.t.isManual) {
    expectRefused(answer, ['transaction_immutable'])
    return `${says}: refused`
  }
  expect(answer).toMatchObject({ status: 200, body: { total: total / 100 } })
  entity.t = { ...entity.t, total }
  entity.events += 1
  return says
}

async function deleteLink(account: ModelledAccount): Promise<string> {
  if (account.isLinkDeleted) return 'the link is deleted already'
  const { service, merchant } = account
  const url = `/query/payment-links/${account.link}`
  expect((await call(service.app, 'DELETE', url, merchant.headers)).status).toBe(200)
  account.isLinkDeleted = true
  for (const entity of account.entities) {
    if (entity.isOfLink) entity.t = { ...entity.t, isLinkDeleted: true }
  }
  return 'the link is deleted'
}
