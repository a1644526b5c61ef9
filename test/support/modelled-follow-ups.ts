// Captures, voids and refunds of an account: answered when they are decided, or while
// they are in progress.

import { expect } from 'vitest'
import { childWith } from '../chaos/journal.ts'
import { between, pick } from '../chaos/random.ts'
import type { Fault } from './faulty-gateway.ts'
import {
  type Entity,
  type Held,
  type ModelledAccount,
  newEntity,
  postAs,
  type Request,
} from './modelled-account.ts'
import type { Answer } from './test-service.ts'
import {
  begin,
  begunBy,
  end,
  leftOf,
  type ModelChild,
  type Modelled,
  type ModelOperation,
  type ModelRequest,
  NEW,
  refusals,
} from './transaction-model.ts'

/** None of them is final, except the one that declines. */
export const MODEL_FAULTS: readonly Fault[] = [
  ...Array<Fault>(12).fill('none'),
  ...Array<Fault>(3).fill('decline'),
  'silent before',
  'silent after',
  'error',
]

/** The gateway did nothing, and the order must be made again. */
const NEVER_MADE: readonly Fault[] = ['silent before', 'error']

const LEFT_UNDER_WAY = 0.3
const OF_THE_CONTESTED = 0.5
const BELIEVED = 0.15

export async function followUp(account: ModelledAccount): Promise<string> {
  const { random } = account
  const contested = random() < OF_THE_CONTESTED ? account.held?.child.parent : undefined
  const entity = contested ?? pick(random, account.entities)
  const asked = newFollowUp(account, entity)
  const says = `${JSON.stringify(asked)} of ${nameOf(account, entity)}`
  const request = {
    url: `/transaction/${entity.id}/${asked.operation}`,
    body: bodyOf(asked),
    key: account.service.world.newId(),
  }
  const codes = refusals(entity.t, asked)
  if (codes.length > 0) {
    expectRefused(await postAs(account, request), codes)
    return `${says}: refused, ${codes}`
  }
  const begun = begunBy(entity.t, asked)
  if (account.held === undefined && random() < LEFT_UNDER_WAY) {
    account.held = await hold(account, entity, begun, request)
    return `${says}: under way`
  }
  const fault = pick(random, MODEL_FAULTS)
  account.faults.next = fault
  const answer = await postAs(account, request)
  const isDone = fault !== 'decline'
  expect(answer).toMatchObject({ status: isDone ? 200 : 400, body: { id: entity.id } })
  account.answered.push({ ...request, text: answer.text })
  const child = bear(account, entity, begun, childWith(answer.body, request.key))
  decided(child, begun, isDone)
  return `${says}, gateway: ${fault}`
}

async function hold(
  account: ModelledAccount,
  parent: Entity,
  begun: ModelChild,
  request: Request,
): Promise<Held> {
  let release: Held['release'] = () => {}
  account.faults.next = new Promise((resolve) => {
    release = resolve
  })
  const isAtGateway = new Promise<void>((resolve) => {
    account.faults.onOrder = resolve
  })
  const answer = await postAs(account, request, { prefer: 'respond-async' })
  await isAtGateway
  expect(answer).toMatchObject({ status: 202, body: { id: parent.id } })
  const child = bear(account, parent, begun, childWith(answer.body, request.key))
  parent.events += 1
  return { ...request, child, begun, at: account.now, release }
}

/** The gateway answers at last, and a repeat of the request gets the outcome. */
export async function release(account: ModelledAccount): Promise<string> {
  const { held, random } = account
  if (held === undefined) return 'nothing was under way'
  const { child, begun } = held
  const fault = pick(random, MODEL_FAULTS)
  // A day and the deadline have passed, or the link was deleted: an order that was not made by then
  // is not made any more.
  const isTooLate = held.at < account.now || child.t.isLinkDeleted
  const isDone = fault !== 'decline' && !(isTooLate && NEVER_MADE.includes(fault))
  held.release(fault)
  account.held = undefined
  const answer = await postAs(account, held)
  expect(answer).toMatchObject({
    status: isDone ? 200 : 400,
    headers: { 'idempotent-replayed': 'true' },
    body: { id: child.parent?.id },
  })
  account.answered.push({ ...held, text: answer.text })
  decided(child, begun, isDone)
  child.events += 1
  return `what was under way of ${nameOf(account, child)}, gateway: ${fault}`
}

function newFollowUp({ random }: ModelledAccount, { t }: Entity): ModelRequest {
  const likely: readonly ModelOperation[] =
    t.type === 'pre_auth' ? ['capture', 'capture', 'capture'] : ['refund', 'refund']
  const operation = pick<ModelOperation>(random, [
    ...likely,
    'void',
    'refund',
    'void-or-refund',
    'capture',
  ])
  const total = pick(random, [
    null,
    null,
    t.total,
    t.total + 1,
    Math.max(1, leftOf(t)),
    leftOf(t) + 1,
    between(random, 1, t.total),
    between(random, 1, t.total),
  ])
  const isBelieved = operation !== 'void' && operation !== 'capture' && random() < BELIEVED
  return {
    operation,
    ...(total === null ? {} : { total }),
    ...(isBelieved ? { previously: t.taken + pick(random, [0, t.underWay, 1]) } : {}),
  }
}

function bodyOf({ total, previously }: ModelRequest): object {
  return {
    ...(total === undefined ? {} : { total: total / 100 }),
    ...(previously === undefined ? {} : { previously_refunded: previously / 100 }),
  }
}

/** A child that is PENDING. */
function bear(
  account: ModelledAccount,
  parent: Entity,
  begun: ModelChild,
  shown: { readonly id: string } | undefined,
): Entity {
  const { isOfLink } = parent
  const { isLinkDeleted } = parent.t
  const t: Modelled = { ...NEW, ...begun, status: 'PENDING', isLinkDeleted }
  const child = newEntity(shown?.id ?? 'not shown', t, { parent, isOfLink })
  parent.t = begin(parent.t, begun)
  account.entities.push(child)
  return child
}

function decided(child: Entity, begun: ModelChild, isDone: boolean): void {
  child.t = { ...child.t, status: isDone ? 'SUCCESS' : 'FAILED' }
  const { parent } = child
  if (parent === undefined) return
  parent.t = end(parent.t, begun, isDone)
  parent.events += 1
}

export function expectRefused({ status, body }: Answer, codes: readonly string[]): void {
  expect(body).toMatchObject({ error: expect.toBeOneOf([...codes]) })
  expect(status).toBe(body.error === 'invalid_request' ? 400 : 409)
}

export function nameOf({ entities }: ModelledAccount, entity: Entity): string {
  return `${entity.t.type} ${entities.indexOf(entity)}`
}
