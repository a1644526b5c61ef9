// Bytes that arrive over a real socket: broken, cut short, and several requests at once.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { converse, hangUpAfter, listen, statusesOf } from '../support/raw-connection.ts'
import { call, type Merchant, openTestService, type TestService } from '../support/test-service.ts'

/** More than the buffers of a connection hold, so that the caller still sends when it is refused. */
const LARGE_BYTES = 8 * 1024 * 1024

describe('a connection to the API server', () => {
  let service: TestService
  let merchant: Merchant
  let port: number

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    merchant = await service.merchant()
    port = await listen(service.app)
  })
  afterAll(() => service.close())

  const LAST = 'Connection: close'

  /** A request as text; `said` is the headers' claim about the body. */
  function request(line: string, body = '', said = `Content-Length: ${body.length}`): string {
    const key = `Authorization: Bearer ${merchant.key}`
    const type = 'Content-Type: application/json'
    return [`${line} HTTP/1.1`, 'Host: x', key, type, said, '', body].join('\r\n')
  }

  const last = (line: string) => request(line, '', LAST)

  const sized = (body: string, length = body.length) =>
    request('POST /customer', body, `Content-Length: ${length}\r\n${LAST}`)

  const chunked = (body: string) =>
    request('POST /customer', body, `Transfer-Encoding: chunked\r\n${LAST}`)

  async function customersNamed(name: string): Promise<number> {
    const answer = await call(service.app, 'GET', `/customer?firstname=${name}`, merchant.headers)
    return answer.body.total
  }

  it('gets an answer to a whole request, as a control', async () => {
    const said = await converse(port, sized('{"firstname":"Whole"}'))
    expect(statusesOf(said)).toEqual([200])
    expect(await customersNamed('Whole')).toBe(1)
  })

  it('that ends in the middle of a body changes nothing, and harms no other', async () => {
    const body = '{"firstname":"Half"}'
    for (const length of [body.length + 1, 1_000_000]) {
      await hangUpAfter(port, sized(body, length))
    }
    await hangUpAfter(port, chunked(`${body.length.toString(16)}\r\n${body}\r\n`))
    expect(await customersNamed('Half')).toBe(0)
    expect(statusesOf(await converse(port, last('GET /self')))).toEqual([200])
  })

  it.each([
    ['announced', (body: string) => request('POST /customer', body)],
    [
      'in chunks',
      (body: string) =>
        request(
          'POST /customer',
          `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
          'Transfer-Encoding: chunked',
        ),
    ],
  ])('can send all of a body that is too large, %s, and reads the refusal', async (_, sent) => {
    const said = await converse(port, sent('x'.repeat(LARGE_BYTES)), last('GET /self'))
    expect(statusesOf(said)).toEqual([413, 200])
  })

  it('can send the body in pieces, and in chunks', async () => {
    const body = '{"firstname":"Pieces"}'
    const [head = '', tail = ''] = [body.slice(0, 7), body.slice(7)]
    const announced = sized('', body.length)
    expect(statusesOf(await converse(port, announced, head, tail))).toEqual([200])
    const chunks = [head, tail, ''].map((one) => `${one.length.toString(16)}\r\n${one}\r\n`)
    expect(statusesOf(await converse(port, chunked(chunks.join(''))))).toEqual([200])
    expect(await customersNamed('Pieces')).toBe(2)
  })

  it('loses no header among thousands, so that a repeat is known', async () => {
    const many = 'a: b\r\n'.repeat(2_000)
    const once = `Content-Length: 21\r\n${many}Idempotency-Key: after-many\r\n${LAST}`
    const asked = request('POST /customer', '{"firstname":"Heads"}', once)
    for (const _ of [1, 2]) expect(statusesOf(await converse(port, asked))).toEqual([200])
    expect(await customersNamed('Heads')).toBe(1)
    const tooMany = request('GET /self', '', `${'a: b\r\n'.repeat(20_000)}${LAST}`)
    expect(statusesOf(await converse(port, tooMany))).toEqual([431])
  })

  it('needs no host with HTTP/1.0, and may wait to be told to send the body', async () => {
    const old = 'GET /healthz HTTP/1.0\r\n\r\n'
    expect(statusesOf(await converse(port, old))).toEqual([200])
    const said = `Content-Length: 20\r\nExpect: 100-continue\r\n${LAST}`
    const asked = request('POST /customer', '{"firstname":"Patie"}', said)
    expect(statusesOf(await converse(port, asked))[0]).toBe(100)
  })

  it('gets the answers to pipelined requests in their order', async () => {
    const lines = ['GET /self', 'GET /nothing', 'PUT /self', 'GET //self/', 'GET /customer?x=1']
    const requests = [...lines.map((line) => request(line)), last('GET /healthz')]
    const said = await converse(port, requests.join(''))
    expect(statusesOf(said)).toEqual([200, 404, 405, 200, 400, 200])
  })

  it('is closed where thousands of requests wait for an answer, and the others are answered', async () => {
    const flood = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1_500)
    const said = await converse(port, flood)
    expect(statusesOf(said).length).toBeLessThanOrEqual(32)
    expect(statusesOf(await converse(port, last('GET /self')))).toEqual([200])
  })

  it('may send a body with a refused method, and go on', async () => {
    const said = await converse(port, request('PUT /charge', '{"a":1}'), last('GET /self'))
    expect(statusesOf(said)).toEqual([405, 200])
  })

  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['a header that is none', 'GET /self HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n', 400],
    [
      'headers beyond all measure',
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
    ],
    [
      'two lengths',
      'POST /charge HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
      400,
    ],
    ['no host', 'GET /self HTTP/1.1\r\n\r\n', 400],
    [
      'that it expects what no server can do',
      'GET /self HTTP/1.1\r\nHost: x\r\nExpect: luck\r\nConnection: close\r\n\r\n',
      417,
    ],
  ])('that says %s gets an error of the usual shape, and is closed', async (_, text, status) => {
    const said = await converse(port, text)
    expect(statusesOf(said)).toEqual([status])
    const body = JSON.parse(said.slice(said.indexOf('\r\n\r\n')))
    const codes: Readonly<Record<number, string>> = {
      417: 'expectation_failed',
      431: 'headers_too_large',
    }
    expect(body).toEqual({
      error: codes[status] ?? 'invalid_request',
      message: expect.any(String),
      request_id: expect.any(String),
    })
  })

  it.each(['[', 'a b', '', 'x:y:z', '%00', "'"])('can name the strange host %j', async (host) => {
    const text = last('GET /customer?limit=1').replace('Host: x', `Host: ${host}`)
    const [status] = statusesOf(await converse(port, text))
    expect([200, 400]).toContain(status)
  })
})
