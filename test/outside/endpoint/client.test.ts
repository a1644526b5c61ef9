// Posts to an endpoint: the answers, the time limits, the amount that is read, and the connection.

import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { endpointClient } from '../../../src/outside/endpoint/client.ts'
import { Pools } from '../../../src/outside/endpoint/pools.ts'
import type { EndpointClient } from '../../../src/outside/endpoint/port.ts'
import { type Behaviour, openReceiver, type Receiver } from '../../support/receiver.ts'

/** More time than an attempt needs here, unless it is to run out. */
const PLENTY_MS = 10_000
const LITTLE_MS = 300

let receiver: Receiver
let client: EndpointClient

beforeAll(async () => {
  receiver = await openReceiver()
  client = endpointClient({ allowPrivate: true })
})

afterEach(() => receiver.behave({ status: 200 }))

afterAll(async () => {
  await client.close()
  await receiver.close()
})

function post(url: string, { ms = PLENTY_MS, by = client } = {}) {
  return by.post({ url, headers: { 'x-it': 'is' }, body: '{"ü":1}' }, AbortSignal.timeout(ms))
}

describe('a post', () => {
  it('arrives unchanged, on connections that are kept', async () => {
    const before = receiver.connections
    for (const part of ['1', '2', '3', '4', '5', '6'])
      await post(`${receiver.url}?part=${part}&x=%20`)
    const [last] = receiver.received.slice(-1)
    expect(last).toMatchObject({ method: 'POST', path: '/hook?part=6&x=%20', body: '{"ü":1}' })
    expect(last?.headers).toMatchObject({
      host: `127.0.0.1:${receiver.port}`,
      'x-it': 'is',
      'content-length': '8',
    })
    // One connection rests for a moment after its answer, and the other takes over.
    expect(receiver.connections - before).toBeLessThanOrEqual(2)
  })

  const answered = (status: number, excerpt = '', retryAfterMs?: number) => ({
    kind: 'answered',
    status,
    excerpt,
    retryAfterMs,
  })
  const silent = (detail: string, isReached: boolean) => ({ kind: 'silent', detail, isReached })

  it.each<[string, Behaviour, object]>([
    ['taken', { status: 204 }, answered(204)],
    ['refused', { status: 500, body: 'out of order' }, answered(500, 'out of order')],
    ['busy', { status: 503, headers: { 'retry-after': '120' } }, answered(503, '', 120_000)],
    [
      'written over lines',
      { status: 400, body: ' <b>no\r\n\0\u001b[31m\u202e</b>\n\u2028 ' },
      answered(400, '<b>no [31m </b>'),
    ],
    ['no text', { status: 200, body: '\u{1f600}\ufffd\ufffe!' }, answered(200, '\u{1f600} !')],
    ['cut', 'cut', silent('no answer: UND_ERR_SOCKET', true)],
  ])('that is %s gives the right answer', async (_how, behaviour, answer) => {
    receiver.behave(behaviour)
    expect(await post(receiver.url)).toEqual(answer)
  })

  it.each([301, 302, 303, 307, 308])('does not follow a redirect %i', async (status) => {
    const private_ = await openReceiver()
    receiver.behave({ status, headers: { location: private_.url } })
    expect(await post(receiver.url)).toMatchObject({ kind: 'answered', status })
    expect(private_.received).toEqual([])
    await private_.close()
  })

  it('waits for an answer no longer than its limit', async () => {
    receiver.behave('hang')
    const startedMs = performance.now()
    const answer = await post(receiver.url, { ms: LITTLE_MS })
    expect(answer).toEqual(silent('no answer within the time', true))
    expect(performance.now() - startedMs).toBeLessThan(5_000)
  })

  it('waits for a slow answer up to its limit', async () => {
    receiver.behave({ status: 200, delayMs: LITTLE_MS })
    expect(await post(receiver.url)).toEqual(answered(200))
  })

  it('counts as answered though the rest of the answer never comes', async () => {
    receiver.behave('slow body')
    const startedMs = performance.now()
    expect(await post(receiver.url, { ms: 60_000 })).toEqual(answered(200, 'so far'))
    expect(performance.now() - startedMs).toBeLessThan(15_000)
  })

  it('reads only the beginning of an answer', async () => {
    receiver.behave('huge body')
    expect(await post(receiver.url)).toEqual(answered(200, 'x'.repeat(1024)))
    receiver.behave({ status: 200 })
    expect(await post(receiver.url)).toEqual(answered(200))
  })

  it('that is promised an answer without end is given up at once', async () => {
    receiver.behave('early hints')
    const before = performance.now()
    expect(await post(receiver.url)).toEqual(
      silent('no answer: more than 10 interim answers (1xx)', true),
    )
    expect(performance.now() - before).toBeLessThan(PLENTY_MS / 5)
  })

  it('to an address where nothing listens fails', async () => {
    const gone = await openReceiver()
    await gone.close()
    expect(await post(gone.url)).toEqual(silent('no connection: ECONNREFUSED', false))
  })

  it('without time left is not sent', async () => {
    const before = receiver.received.length
    const signal = AbortSignal.abort()
    const answer = await client.post({ url: receiver.url, headers: {}, body: '' }, signal)
    expect(answer).toMatchObject({ kind: 'silent', isReached: false })
    await setImmediate()
    expect(receiver.received).toHaveLength(before)
  })

  it('with a header that cannot be sent fails, and throws nothing', async () => {
    const wrong = { url: receiver.url, headers: { 'x-it': 'two\nlines' }, body: '' }
    const answer = await client.post(wrong, AbortSignal.timeout(PLENTY_MS))
    expect(answer).toEqual(silent('no connection: UND_ERR_INVALID_ARG', false))
  })
})

describe('a fault of this service', () => {
  const ownFault = (detail: string) => ({ kind: 'own_fault', detail })

  it.each([
    ['EMFILE', ownFault('the service could not ask: EMFILE')],
    ['ECONNREFUSED', ownFault('the service could not ask: ECONNREFUSED')],
    ['ENOTFOUND', { kind: 'silent', isReached: false }],
    ['ESERVFAIL', { kind: 'silent', isReached: false }],
  ])(
    'at resolving a name (%s) is distinguished from a fault of the endpoint',
    async (code, answer) => {
      const resolve = () => Promise.reject(Object.assign(new Error(code), { code }))
      const by = endpointClient({ allowPrivate: true, resolve })
      expect(await post('http://shop.example.com/hook', { by })).toMatchObject(answer)
      await by.close()
    },
  )

  it('such as being too busy to read is no silence of the endpoint', async () => {
    receiver.behave({ status: 200, delayMs: 50 })
    const before = receiver.received.length
    const answering = post(receiver.url, { ms: LITTLE_MS })
    await receiver.until(before + 1)
    const untilMs = performance.now() + 2 * LITTLE_MS
    while (performance.now() < untilMs);
    expect(await answering).toEqual(ownFault('the service was too busy to listen'))
  })

  it('such as its own end is none either', async () => {
    receiver.behave('hang')
    const ending = endpointClient({ allowPrivate: true })
    const before = receiver.received.length
    const answering = post(receiver.url, { by: ending })
    await receiver.until(before + 1)
    await ending.close()
    expect(await answering).toEqual(ownFault('the service could not ask: UND_ERR_DESTROYED'))
  })
})

describe('connections', () => {
  it('are kept to a limited number of endpoints', async () => {
    const pools = new Pools(undefined)
    const undici = await import('undici')
    const first = pools.of(undici, 'https://0.example.com', ['8.8.8.8'])
    expect(pools.of(undici, 'https://0.example.com', ['8.8.8.8'])).toBe(first)
    expect(pools.of(undici, 'https://0.example.com', ['8.8.4.4'])).not.toBe(first)
    expect(pools.of(undici, 'https://0.example.com:8443', ['8.8.8.8'])).not.toBe(first)
    for (let i = 1; i <= 600; i += 1) pools.of(undici, `https://${i}.example.com`, ['8.8.8.8'])
    expect(pools.size).toBe(500)
    expect(first.closed).toBe(true)
    await pools.close()
    expect(pools.size).toBe(0)
  })
})

describe('Retry-After', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  it.each([
    ['0', undefined],
    ['1', 1_000],
    ['604801', 604_800_000],
    ['9'.repeat(400), 604_800_000],
    ['Sat, 21 Nov 2026 12:02:00 GMT', 120_000],
    ['Sat, 21 Nov 2026 11:59:59 GMT', undefined],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 604_800_000],
    ['-5', undefined],
    ['1.5', undefined],
    ['1e9', undefined],
    ['soon', undefined],
    ['Someday', undefined],
    ['', undefined],
  ])('%s means %s ms', async (header, ms) => {
    await using receiver = await openReceiver()
    receiver.behave({ status: 503, headers: { 'retry-after': header } })
    const by = endpointClient({ allowPrivate: true, clock: { now: () => now } })
    expect(await post(receiver.url, { by })).toMatchObject({ retryAfterMs: ms })
    await by.close()
  })
})
