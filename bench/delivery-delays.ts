// The time from the recording of a charge's outcome to the arrival of its event and its receipt at
// the sinks.

import { createKey } from '../src/accounts/manage-keys.ts'
import type { GatheredStatement } from '../src/db/gathered.ts'
import { recordAttempt } from '../src/deliveries/record-attempt.ts'
import { buildApp } from '../src/http/app.ts'
import type { QueueName } from '../src/queue/catalogue.ts'
import type { World } from '../src/world.ts'
import { CARD } from '../test/support/sandbox-cards.ts'
import { WORKERS } from '../workers/index.ts'
import { processorOf } from '../workers/run.ts'
import type { Cleanups } from './cleanups.ts'
import type { DeliveryService } from './delivery-service.ts'
import type { Figure } from './report.ts'
import { percentile } from './statistics.ts'
import { within } from './within.ts'

const CHARGES = 300
const CHARGES_QUICK = 100

const QUEUES: readonly QueueName[] = ['charge', 'email', 'webhook']

export async function measureDelays(
  measured: DeliveryService,
  cleanups: Cleanups,
  isQuick: boolean,
): Promise<readonly Figure[]> {
  const { world, accountId } = measured
  const windows: number[] = []
  const watched = watching(world, windows)
  for (const queue of QUEUES) world.queues.work(queue, processorOf(watched, queue, WORKERS[queue]))
  cleanups.add(() => world.queues.drain(1_000))
  const app = await buildApp(world)
  cleanups.add(() => app.close())
  await world.db.prisma.account.update({
    where: { id: accountId },
    data: { autoReceipts: ['email'], rateLimitPerMinute: 1_000_000 },
  })
  const { key } = await createKey(world, { accountId, mode: 'sandbox', name: 'bench' })
  const ask = async (method: 'POST' | 'PUT', url: string, payload: object) => {
    const headers = { authorization: `Bearer ${key}` }
    const answer = await app.inject({ method, url, headers, payload })
    if (answer.statusCode !== 200) throw new Error(answer.body)
    return answer.json()
  }
  const card = await ask('POST', '/payment-method', CARD)
  await ask('PUT', `/customer/${card.customer_id}`, { email: 'ada@example.com' })
  await measured.ask('forget')
  const count = isQuick ? CHARGES_QUICK : CHARGES
  for (let i = 0; i < count; i += 1) {
    await ask('POST', '/charge', { total: 12.5, payment_method_id: card.id })
  }
  await within(30_000, 'the last arrival', allArrived(measured, count))
  const { mails, posts } = await measured.ask('arrived')
  return [
    ...figures('webhook', 'its event', posts, await eventTimes(measured)),
    ...figures('email', 'its receipt', mails, await receiptTimes(measured)),
    ...percentiles('window', 'from the answer of a provider to its record', windows),
  ]
}

/**
 * Notes how long it takes to record a provider's answer: a process that dies in that time sends
 * again.
 */
function watching(world: World, windows: number[]): World {
  async function ask<I, O>(statement: GatheredStatement<I, O>, input: I) {
    const startedMs = performance.now()
    const answer = await world.db.ask(statement, input)
    if (statement.name === recordAttempt.name) windows.push(performance.now() - startedMs)
    return answer
  }
  return { ...world, db: { ...world.db, ask } }
}

async function allArrived(measured: DeliveryService, count: number): Promise<void> {
  for (;;) {
    const { mails, posts } = await measured.ask('arrived')
    if (mails.length >= count && posts.length >= count) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Event and receipt are both made just before the commit that records the outcome. */
async function eventTimes({
  world,
  accountId,
}: DeliveryService): Promise<ReadonlyMap<string, Date>> {
  const events = await world.db.prisma.event.findMany({
    where: { accountId, type: 'create_transaction' },
    select: { id: true, createdAt: true },
  })
  return new Map(events.map(({ id, createdAt }) => [id, createdAt]))
}

async function receiptTimes({ world, accountId }: DeliveryService) {
  const receipts = await world.db.prisma.delivery.findMany({
    where: { accountId, channel: 'email' },
    select: { id: true, createdAt: true },
  })
  return new Map(receipts.map(({ id, createdAt }) => [id, createdAt]))
}

function figures(
  name: string,
  what: string,
  arrivals: readonly (readonly [string, number])[],
  begun: ReadonlyMap<string, Date>,
): readonly Figure[] {
  const delays = arrivals.flatMap(([id, at]) => {
    const from = begun.get(id)
    return from === undefined ? [] : [at - from.getTime()]
  })
  return percentiles(`${name}_delay`, `from the charge to ${what}`, delays)
}

function percentiles(name: string, label: string, values: readonly number[]): readonly Figure[] {
  const sorted = Float64Array.from(values).sort()
  const figure = (share: number, part: string) => ({
    name: `${name}_${part}_ms`,
    label: `${label}, ${part}`,
    value: percentile(sorted, share),
    unit: 'ms',
  })
  return [figure(0.5, 'p50'), figure(0.99, 'p99')]
}
