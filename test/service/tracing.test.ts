// One trace from the caller's request through the queue to the gateway, across processes; and it
// holds nothing that a reader of traces must not read.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { otlpTracer } from '../../src/telemetry/otlp-tracer.ts'
import { type CollectedSpan, type Collector, openCollector } from '../support/collector.ts'
import { openReceiver } from '../support/receiver.ts'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts'
import {
  call,
  GOOD_CARD,
  type Merchant,
  openTestService,
  type TestService,
} from '../support/test-service.ts'

const CALLERS_TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLERS_SPAN = 'b7ad6b7169203331'
const TRACEPARENT = `00-${CALLERS_TRACE}-${CALLERS_SPAN}-01`

const START_MS = 60_000

/** No sweep comes before a late nudge: its job would have a trace of its own. */
const TIMINGS = { nudgeGraceMs: 60_000 }

let collector: Collector
let service: TestService
let worker: ServiceProcess
let merchant: Merchant
let cardId: string

beforeAll(async () => {
  collector = await openCollector()
  const log = { warn: () => {} }
  const tracer = otlpTracer({
    url: collector.url,
    headers: undefined,
    serviceName: 'the API server',
    version: '1',
    log,
  })
  service = await openTestService({
    tracer,
    timings: TIMINGS,
    queues: ['webhook'],
    settings: { WEBHOOK_ALLOW_PRIVATE: 'true' },
  })
  worker = startServiceProcess({
    name: 'worker',
    role: 'worker',
    queues: ['charge', 'refund'],
    environment: {
      LOG_LEVEL: 'warn',
      DATABASE_URL: service.databaseUrl,
      ...(service.redis === undefined ? {} : { REDIS_URL: service.redis.url }),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'the-worker',
    },
  })
  merchant = await service.merchant()
  cardId = await service.card(merchant)
}, START_MS)

afterAll(async () => {
  await worker[Symbol.asyncDispose]()
  await service.close()
  await collector[Symbol.asyncDispose]()
})

describe('a charge', () => {
  it('is one trace, from the caller through the queue to the gateway', async () => {
    const headers = { traceparent: TRACEPARENT, 'x-request-id': 'traced-1' }
    const body = { total: 12.5, payment_method_id: cardId }
    const answer = await service.charge(merchant, body, headers)
    expect(answer.body).toMatchObject({ status: 'SUCCESS' })
    const about = { request_id: 'traced-1', account_id: merchant.accountId }
    const gateway = await spanOf('gateway carry_out', 'traced-1')
    const job = await collector.until(
      ({ name, spanId }) => name === 'charge' && spanId === gateway.parentSpanId,
    )
    const request = await spanOf('POST /charge', 'traced-1')
    expect([gateway, job, request].map(({ traceId }) => traceId)).toEqual(
      [1, 2, 3].map(() => CALLERS_TRACE),
    )
    expect(job.parentSpanId).toBe(request.spanId)
    expect(request.parentSpanId).toBe(CALLERS_SPAN)
    expect(gateway).toMatchObject({
      kind: 3,
      attributes: { ...about, id: answer.body.id, gateway: 'sandbox', answer: 'approved' },
      resource: { 'service.name': 'the-worker' },
    })
    expect(job).toMatchObject({
      kind: 5,
      attributes: { ...about, id: answer.body.id, job: 'charge', verdict: 'done' },
    })
    expect(request).toMatchObject({
      kind: 2,
      attributes: { ...about, 'http.route': '/charge', 'http.response.status_code': 200 },
      resource: { 'service.name': 'the API server', 'process.pid': process.pid },
    })
  })

  it('without a trace from its caller begins its own', async () => {
    const body = { total: 3, payment_method_id: cardId }
    await service.charge(merchant, body, { 'x-request-id': 'traced-2' })
    const request = await spanOf('POST /charge', 'traced-2')
    const job = await spanOf('charge', 'traced-2')
    expect(request.parentSpanId ?? '').toBe('')
    expect(request.traceId).not.toBe(CALLERS_TRACE)
    expect(job).toMatchObject({ traceId: request.traceId, parentSpanId: request.spanId })
  })

  it('whose caller does not want it traced is not traced', async () => {
    const body = { total: 4, payment_method_id: cardId }
    const traceparent = TRACEPARENT.replace(/01$/, '00')
    await service.charge(merchant, body, { traceparent, 'x-request-id': 'untraced' })
    await service.charge(merchant, body, { 'x-request-id': 'traced-3' })
    await spanOf('charge', 'traced-3')
    expect(collector.spans().filter(isAbout('untraced'))).toEqual([])
  })

  it('that is a follow-up is part of its own request', async () => {
    const body = { total: 5, payment_method_id: cardId }
    const charge = await service.charge(merchant, body, { 'x-request-id': 'traced-4' })
    const headers = { ...merchant.headers, 'x-request-id': 'traced-void' }
    await call(service.app, 'POST', `/transaction/${charge.body.id}/void`, headers, {})
    const job = await spanOf('refund', 'traced-void')
    const request = await spanOf('POST /transaction/:id/void', 'traced-void')
    expect(job).toMatchObject({ traceId: request.traceId, parentSpanId: request.spanId })
  })
})

describe('a webhook', () => {
  it('has a span for each attempt, with the result', async () => {
    await using endpoint = await openReceiver()
    endpoint.behave(() => ({ status: endpoint.received.length === 1 ? 500 : 200 }))
    const body = { target_url: endpoint.url, event: '*' }
    const made = await call(service.app, 'POST', '/webhook', merchant.headers, body)
    expect(made.status).toBe(200)
    const charge = { total: 6, payment_method_id: cardId }
    await service.charge(merchant, charge, { 'x-request-id': 'webhook' })
    const failed = await collector.until(attempt('webhook', 0))
    expect(failed).toMatchObject({ kind: 3, attributes: { job: 'webhook', answer: 'failed' } })
    const now = service.world.clock.now()
    await service.world.db.query('UPDATE delivery SET due_at = $1 WHERE due_at IS NOT NULL', [now])
    service.world.queues.startRound('webhook')
    const taken = await collector.until(attempt('webhook', 1))
    expect(taken.attributes).toMatchObject({ answer: 'taken', id: failed.attributes.id })
  })
})

describe('every span', () => {
  it('holds no secret, and no address beyond the route', async () => {
    const card = { method: 'card', person_name: 'Ada', card_number: GOOD_CARD, card_cvv: '123' }
    const headers = { ...merchant.headers, 'x-request-id': 'with-card' }
    const path = '/payment-method?why=4111111111111111'
    await call(service.app, 'POST', path, headers, { ...card, card_exp: '1239' })
    await call(service.app, 'POST', '/payment-method', headers, { ...card, card_exp: '1239' })
    await spanOf('POST /payment-method', 'with-card')
    const [token] = await service.world.db.query('SELECT gateway_token AS text FROM payment_method')
    const all = JSON.stringify(collector.spans())
    expect(collector.spans().length).toBeGreaterThan(10)
    for (const secret of [
      GOOD_CARD,
      'Ada',
      merchant.key,
      token?.text,
      '?why',
      service.databaseUrl,
    ]) {
      expect(all).not.toContain(secret)
    }
    // A pass would mean nothing if the spans held nothing at all.
    expect(all).toContain('with-card')
  })

  it('is about work: polling every few seconds is not traced', async () => {
    await call(service.app, 'GET', '/healthz', { 'x-request-id': 'probe' })
    await call(service.app, 'GET', '/transaction', { ...merchant.headers, 'x-request-id': 'asked' })
    await spanOf('GET /transaction', 'asked')
    expect(collector.spans().filter(isAbout('probe'))).toEqual([])
  })
})

const isAbout = (requestId: string) => (span: CollectedSpan) =>
  span.attributes.request_id === requestId

const attempt = (requestId: string, tries: number) => (span: CollectedSpan) =>
  span.name === 'send webhook' && isAbout(requestId)(span) && span.attributes.tries === tries

const spanOf = (name: string, requestId: string) =>
  collector.until((span) => span.name === name && isAbout(requestId)(span))
