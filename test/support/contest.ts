// Many callers send requests about the same transactions at the same moment, to two API servers,
// while a batch closes; the answers to each are kept.

import { expect } from 'vitest'
import { QUEUE_NAMES } from '../../src/queue/catalogue.ts'
import { childWith } from '../chaos/journal.ts'
import { between, pick, type Random, seeded, shuffled } from '../chaos/random.ts'
import { takeIntoBatch } from './batch.ts'
import { faultyGateway, type Plan } from './faulty-gateway.ts'
import type { BatchVisit, Question } from './follow-up-story.ts'
import { openFurther } from './further.ts'
import { soon } from './soon.ts'
import { call, type Merchant, openTestService, type TestService } from './test-service.ts'
import type { Modelled, ModelOperation, ModelRequest } from './transaction-model.ts'

export interface Subject {
  readonly id: string
  readonly type: Modelled['type']
  readonly cents: number
  readonly questions: Question[]
  readonly visits: BatchVisit[]
}

export interface Contest {
  readonly service: TestService
  readonly merchant: Merchant
  charge(isPreAuth: boolean): Promise<Subject>
  /** The captures so far. */
  captures(): Promise<readonly Subject[]>
  /** Sends this many requests about each, and takes each into a batch, all at once. */
  wave(subjects: readonly Subject[], questions: number): Promise<void>
  /** Waits until no work is due. */
  quiet(): Promise<void>
  close(): Promise<void>
}

/** Longer than all of them need on a busy machine: a caller that waits too long gets PENDING. */
const SETTINGS = { CHARGE_WAIT_MS: '60s' }

/** No process dies here, and a busy machine is not a silent gateway. */
const TIMINGS = { gatewayTimeoutMs: 20_000, leaseMs: 30_000, nudgeGraceMs: 10_000 }

const BATCH_OF = `
  SELECT b.id
  FROM transaction t JOIN batch b
    ON b.account_id = t.account_id AND b.business_date = t.business_date AND b.status <> 'open'
  WHERE t.id = $1 AND t.void_id IS NULL`

const AT_ONCE = 0.2
const BATCH_WITH_THE_FIRST = 0.3
const IN_PARTS = 0.7

export async function openContest(seed: number): Promise<Contest> {
  const random = seeded(seed)
  const service = await openTestService({
    settings: SETTINGS,
    timings: TIMINGS,
    queues: QUEUE_NAMES,
    withGateway: (gateway) => faultyGateway(gateway, faultPlan(seeded(seed))),
  })
  const further = await openFurther(service)
  const merchant = await service.merchant()
  const card = await service.card(merchant)

  async function charge(isPreAuth: boolean): Promise<Subject> {
    const cents = between(random, 2, 2_000)
    const order = { total: cents / 100, payment_method_id: card, pre_auth: isPreAuth }
    const { body } = await service.charge(merchant, order)
    expect(body.status).toBe('SUCCESS')
    return { id: body.id, type: body.type, cents, questions: [], visits: [] }
  }

  async function ask(subject: Subject, asked: ModelRequest): Promise<void> {
    const { app } = pick(random, [service, further])
    const key = service.world.newId()
    const isAtOnce = random() < AT_ONCE
    const headers = {
      ...merchant.headers,
      'idempotency-key': key,
      ...(isAtOnce ? { prefer: 'respond-async' } : {}),
    }
    const total = asked.total === undefined ? {} : { total: asked.total / 100 }
    const fromMs = performance.now()
    const url = `/transaction/${subject.id}/${asked.operation}`
    const send = () => call(app, 'POST', url, headers, total)
    let response = await send()
    // A busy machine may have no connection free in time. The key makes the repeat harmless.
    while (response.status === 503) response = await send()
    const { status, body } = response
    const toMs = performance.now()
    const child = childWith(body, key)
    if (child !== undefined) expect(status).toBe(statusOf(child.status, isAtOnce))
    const answer =
      child === undefined
        ? { refusal: String(body.error) }
        : { child: child.id, isFinal: child.status !== 'PENDING' }
    subject.questions.push({ asked, answer, fromMs, toMs })
  }

  async function batch({ id, visits }: Subject): Promise<void> {
    const fromMs = performance.now()
    const batchId = await takeIntoBatch(service, [id])
    const toMs = performance.now()
    const [row] = await service.world.db.query(BATCH_OF, [id])
    visits.push({ fromMs, toMs, tookIt: row?.id === batchId })
  }

  /** All at once, except for batches that come after some of the answers. */
  async function wave(subjects: readonly Subject[], asks: number): Promise<void> {
    const later: { readonly after: number; readonly come: () => Promise<void> }[] = []
    let answers = 0
    const acts = subjects.flatMap((subject) => {
      const questions = Array.from({ length: asks }, () => async () => {
        await ask(subject, newRequest(random, subject))
        answers += 1
        await Promise.all(later.filter(({ after }) => after === answers).map(({ come }) => come()))
      })
      const come = () => batch(subject)
      if (random() < BATCH_WITH_THE_FIRST) return [...questions, come]
      later.push({ after: between(random, 1, asks * subjects.length), come })
      return questions
    })
    await Promise.all(shuffled(random, acts).map((act) => act()))
  }

  async function quiet(): Promise<void> {
    const sql = 'SELECT count(*)::integer AS owed FROM transaction WHERE owed IS NOT NULL'
    await soon(async () => expect(await service.world.db.query(sql)).toEqual([{ owed: 0 }]))
  }

  async function captures(): Promise<readonly Subject[]> {
    const sql = `SELECT id, total::integer AS cents FROM transaction
      WHERE type = 'capture' AND status = 'SUCCESS'`
    const rows = await service.world.db.query(sql)
    return rows.map(({ id, cents }) => ({ id, type: 'capture', cents, questions: [], visits: [] }))
  }

  return {
    service,
    merchant,
    charge,
    captures,
    wave,
    quiet,
    async close() {
      await further[Symbol.asyncDispose]()
      await service.close()
    },
  }
}

const SALE = ['void', 'void', 'refund', 'refund', 'refund', 'void-or-refund', 'capture'] as const
const PRE_AUTH = ['capture', 'capture', 'capture', 'void', 'refund'] as const

function newRequest(random: Random, { type, cents }: Subject): ModelRequest {
  const operation = pick<ModelOperation>(random, type === 'pre_auth' ? PRE_AUTH : SALE)
  const isPart = operation !== 'void' && random() < IN_PARTS
  return isPart ? { operation, total: between(random, 1, cents) } : { operation }
}

/** Declines some requests, and sometimes breaks the connection after the work. */
function faultPlan(random: Random): Plan {
  return {
    slowMs: 40,
    fault({ operation }) {
      if (['charge', 'pre_auth', 'lookUp'].includes(operation)) return 'none'
      return pick(random, ['none', 'none', 'none', 'slow', 'slow', 'decline', 'silent after'])
    },
  }
}

function statusOf(status: string, isAtOnce: boolean): number {
  if (status === 'PENDING') return isAtOnce ? 202 : 200
  return status === 'SUCCESS' ? 200 : 400
}
