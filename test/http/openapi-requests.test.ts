// A thousand requests generated from the OpenAPI document, right and wrong: each answer is one
// that the document lists for the operation, and none is a 500. GENERATED_REQUESTS sets their
// number, GENERATED_SEED the seed.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pick, type Random } from '../chaos/random.ts'
import { answerCheck, documentOf, type Named, operationsOf } from '../support/document.ts'
import { type MakerNeeds, makeRequest, operationOf } from '../support/request-maker.ts'
import { send } from '../support/requests.ts'
import { routeTable, UNKNOWN_IDS } from '../support/route-table.ts'
import { type SampleMerchant, sampleMerchantOf } from '../support/samples.ts'
import { setTeam } from '../support/set-team.ts'
import {
  type Answer,
  type Merchant,
  openTestService,
  type TestService,
} from '../support/test-service.ts'

const COUNT = Number(process.env.GENERATED_REQUESTS ?? 1_000)
const SEED = Number(process.env.GENERATED_SEED ?? 1)

/** The number of requests at once, so that they interfere with each other. */
const AT_ONCE = 10

/** In one round of this many, an operation gets an acceptable sample, as it is or changed. */
const SAMPLE_EVERY = 6

/** Of many ids of one kind, only the newest are kept. */
const MOST_IDS = 20

const LONG = { timeout: 60_000 + COUNT * 100 }

/** This operation moves an account to another time, and its data cannot be changed meanwhile. */
const CLOCK = '/sandbox/clock'

const THINGS: Readonly<Record<string, readonly (keyof SampleMerchant['make'])[]>> = {
  customer: ['customer'],
  payment_method: ['card'],
  payment_link: ['link'],
  transaction: ['charge', 'batched', 'authorised', 'manual', 'refund'],
  schedule: ['schedule'],
  invoice: ['invoice', 'invoice'],
  batch: ['batch'],
  dispute: ['dispute'],
  reversal: ['reversal'],
  webhook: ['webhook'],
}

describe('requests generated from the OpenAPI document', LONG, () => {
  let service: TestService
  let merchant: Merchant
  let timeless: Merchant
  const ids = new Map<string, string[]>()

  beforeAll(async () => {
    const settings = { WEBHOOK_ALLOW_PRIVATE: 'true', CHARGE_WAIT_MS: '20' }
    service = await openTestService({ backend: 'postgres', settings })
    await service.app.ready()
    merchant = await service.merchant()
    timeless = await service.merchant()
  })
  afterAll(() => service.close())

  function keep(kind: string, id: string): void {
    ids.set(kind, [id, ...(ids.get(kind) ?? [])].slice(0, MOST_IDS))
  }

  function idOf(random: Random, kind: string): string {
    const known = ids.get(kind) ?? []
    const unknown = UNKNOWN_IDS[kind as keyof typeof UNKNOWN_IDS] ?? UNKNOWN_IDS.customer
    return pick(random, [...known, ...known, ...known, unknown])
  }

  it(`get answers that it lists (${COUNT} of seed ${SEED})`, async () => {
    const seller = await sampleMerchantOf(service, merchant)
    for (const [kind, things] of Object.entries(THINGS)) {
      for (const thing of things) keep(kind, await seller.make[thing]())
    }
    const document = documentOf(service.app)
    const check = answerCheck(document)
    const operations = operationsOf(document)
    const statuses = new Map<string, number>()
    const wrong: string[] = []
    const succeeded = new Set<string>()

    async function ask(needs: MakerNeeds, number: number): Promise<() => void> {
      const isSampled = Math.floor(number / operations.length) % SAMPLE_EVERY === 0
      const sample = isSampled ? await seller.sampleOf(operationOf(needs, number)) : undefined
      const { named, sent } = makeRequest(needs, number, sample)
      const isMoving = named.path === CLOCK && !isSampled
      const headers = isMoving ? { ...sent.headers, ...timeless.headers } : sent.headers
      const answer = await send(service.app, { ...sent, ...(headers && { headers }) })
      return () => {
        statuses.set(String(answer.status), (statuses.get(String(answer.status)) ?? 0) + 1)
        try {
          check(named.method, sent.url, answer)
          expect(answer.status).not.toBe(500)
        } catch (error) {
          const { message } = error as Error
          wrong.push(`${number}: ${JSON.stringify(sent)}\n${answer.text.slice(0, 500)}\n${message}`)
        }
        if (answer.status < 300) succeeded.add(named.route)
        learn(named, sent.url, answer)
      }
    }

    const { authorization } = merchant.headers
    const others = (await lesserAccounts(service)).map((one) => one.headers.authorization)
    const needs = { seed: SEED, operations, authorization, others, idOf }
    for (let first = 0; first < COUNT && wrong.length < 20; first += AT_ONCE) {
      const numbers = Array.from({ length: Math.min(AT_ONCE, COUNT - first) }, (_, i) => first + i)
      for (const judge of await Promise.all(numbers.map((n) => ask(needs, n)))) judge()
    }
    if (process.env.GENERATED_REQUESTS !== undefined) console.info(Object.fromEntries(statuses))
    expect(wrong.join('\n\n'), `GENERATED_SEED=${SEED}`).toBe('')
    // As a control: the requests get through to the operations, and are not all refused early.
    for (const status of ['200', '400', '401', '403', '404', '409', '415']) {
      expect(statuses.get(status), status).toBeGreaterThan(COUNT / 1_000)
    }
    expect(succeeded.size).toBeGreaterThan(operations.length * 0.9)
  })

  /** Remembers ids that an operation has made, and forgets those that it has deleted. */
  function learn({ method, path }: Named, url: string, { status, body }: Answer): void {
    if (status >= 300) return
    const kind = path === '/charge' ? 'transaction' : KIND_OF_LIST.get(path.replace('/{id}', ''))
    if (kind === undefined) return
    if (method === 'POST' && typeof body?.id === 'string') keep(kind, body.id)
    if (method !== 'DELETE') return
    const others = (ids.get(kind) ?? []).filter((id) => !url.includes(id))
    ids.set(kind, others)
  }
})

/** A live account without a gateway, one without any feature, and two that must not be used. */
async function lesserAccounts(service: TestService): Promise<readonly Merchant[]> {
  const [live, plain] = [await service.merchant('live'), await service.merchant()]
  const [inactive, disabled] = [await service.merchant(), await service.merchant()]
  await setTeam(service.world, inactive.teamId, ['status=inactive'])
  await setTeam(service.world, disabled.teamId, ['enabled=false'])
  return [live, plain, inactive, disabled]
}

const KIND_OF_LIST = new Map(
  routeTable
    .filter(({ route }) => route.endsWith('/{id}'))
    .map(({ route, kind }) => [route.replace(/^\w+ /, '').replace('/{id}', ''), kind]),
)
