// Host names: when they are resolved, to which addresses they may lead, and where the connection
// goes.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EndpointRules, endpointClient } from '../../../src/outside/endpoint/client.ts'
import type { EndpointClient } from '../../../src/outside/endpoint/port.ts'
import { certificateFor } from '../../support/certificate.ts'
import { openReceiver, type Receiver } from '../../support/receiver.ts'
import { openSlowDoor } from '../../support/slow-door.ts'

/** More time than an attempt needs here, unless it is to run out. */
const PLENTY_MS = 10_000
const LITTLE_MS = 300
/** Longer than Node's own limit for one of several addresses. */
const LATE_MS = 500

let receiver: Receiver

beforeAll(async () => {
  receiver = await openReceiver()
})

afterAll(() => receiver.close())

function post(url: string, { ms = PLENTY_MS, by }: { ms?: number; by: EndpointClient }) {
  return by.post({ url, headers: {}, body: '{}' }, AbortSignal.timeout(ms))
}

describe('a name', () => {
  const forbidden = {
    kind: 'forbidden',
    detail: expect.stringMatching(/^must lead .*\(loopback\)/),
  }

  async function clientThat<T>(
    rules: Partial<EndpointRules>,
    work: (one: EndpointClient) => Promise<T>,
  ): Promise<T> {
    const one = endpointClient({ allowPrivate: false, ...rules })
    try {
      return await work(one)
    } finally {
      await one.close()
    }
  }

  it.each([
    [['127.0.0.1']],
    [['93.184.215.14', '127.0.0.1']],
    [['127.0.0.1', '93.184.215.14']],
    [['2606:4700:4700::1111', '::1']],
  ])('that leads to %s is refused, and gets no request', async (addresses) => {
    const url = `https://hooks.example.com:${receiver.port}/`
    const before = receiver.connections
    await clientThat({ resolve: async () => addresses }, async (by) => {
      expect(await post(url, { by })).toEqual(forbidden)
      expect(await by.faultOf(url)).toMatch(/loopback/)
    })
    expect(receiver.connections).toBe(before)
  })

  it('is resolved before every post', async () => {
    const asked: string[] = []
    const addresses = [['8.8.8.8'], ['127.0.0.1']]
    const resolve = async (name: string) => {
      asked.push(name)
      return addresses[asked.length - 1] ?? []
    }
    await clientThat({ resolve }, async (by) => {
      expect(await by.faultOf('https://hooks.example.com/')).toBeUndefined()
      expect(await post('https://hooks.example.com/', { by })).toEqual(forbidden)
    })
    expect(asked).toEqual(['hooks.example.com', 'hooks.example.com'])
  })

  it('that changes after the check changes nothing', async () => {
    // No name server knows the name: only the checked address can be connected to.
    const url = `http://hooks.example.invalid:${receiver.port}/hook`
    const places = [['127.0.0.1'], ['127.0.0.2']]
    const resolve = async () => places.shift() ?? []
    await using other = await openReceiver({ host: '127.0.0.2', port: receiver.port })
    await clientThat({ allowPrivate: true, resolve }, async (by) => {
      const before = receiver.received.length
      expect(await post(url, { by })).toMatchObject({ status: 200 })
      expect(receiver.received.slice(before)).toMatchObject([
        { headers: { host: `hooks.example.invalid:${receiver.port}` } },
      ])
      expect(other.received).toEqual([])
      // The connection to the first address is still open, and is not used for the second.
      expect(await post(url, { by })).toMatchObject({ status: 200 })
      expect(other.received).toHaveLength(1)
    })
  })

  it('is tried at each of its addresses', async () => {
    const url = `http://hooks.example.invalid:${receiver.port}/hook`
    const resolve = async () => ['127.0.0.3', '127.0.0.1']
    await clientThat({ allowPrivate: true, resolve }, async (by) => {
      expect(await post(url, { by })).toMatchObject({ status: 200 })
    })
  })

  it('is waited for at an address that connects late, though the last one is dead', async () => {
    await using door = await openSlowDoor()
    const resolve = async () => ['127.0.0.1', '127.0.0.2']
    await clientThat({ allowPrivate: true, resolve }, async (by) => {
      const answering = post(`http://far.example:${door.port}/hook`, { by })
      setTimeout(door.open, LATE_MS)
      expect(await answering).toMatchObject({ kind: 'answered', status: 200 })
    })
  })

  it('that leads nowhere counts as silence, and may be a target', async () => {
    const resolve = async () => {
      throw Object.assign(new Error('no'), { code: 'ENOTFOUND' })
    }
    await clientThat({ resolve }, async (by) => {
      expect(await by.faultOf('https://not.yet.example/')).toBeUndefined()
      const answer = await post('https://not.yet.example/', { by })
      const detail = 'host name not found (DNS): ENOTFOUND'
      expect(answer).toEqual({ kind: 'silent', isReached: false, detail })
    })
  })

  it('without an answer delays no other', async () => {
    const resolve = (name: string) =>
      name === 'dead.example' ? new Promise<never>(() => {}) : Promise.resolve(['127.0.0.1'])
    await clientThat({ allowPrivate: true, resolve }, async (by) => {
      const dead = Array.from({ length: 50 }, () =>
        post('http://dead.example/', { by, ms: LITTLE_MS }),
      )
      expect(await post(`http://alive.example:${receiver.port}/`, { by })).toMatchObject({
        status: 200,
      })
      expect(await Promise.all(dead)).toEqual(
        Array(50).fill(silentFor('host name not found (DNS): no answer in time')),
      )
    })
  })

  function silentFor(detail: string) {
    return { kind: 'silent', isReached: false, detail }
  }

  it('must be in the certificate, wherever the connection goes', async () => {
    const tls = certificateFor(['hooks.example.com'])
    await using secure = await openReceiver({ tls })
    const rules = { allowPrivate: true, ca: tls.cert, resolve: async () => ['127.0.0.1'] }
    await clientThat(rules, async (by) => {
      const right = `https://hooks.example.com:${secure.port}/hook`
      expect(await post(right, { by })).toMatchObject({ kind: 'answered', status: 200 })
      for (const host of ['other.example.com', '127.0.0.1']) {
        expect(await post(`https://${host}:${secure.port}/hook`, { by })).toEqual(
          silentFor('no connection: ERR_TLS_CERT_ALTNAME_INVALID'),
        )
      }
    })
    await clientThat({ ...rules, ca: undefined }, async (by) => {
      const answer = await post(`https://hooks.example.com:${secure.port}/hook`, { by })
      expect(answer).toEqual(silentFor('no connection: DEPTH_ZERO_SELF_SIGNED_CERT'))
    })
    expect(secure.received).toHaveLength(1)
  })
})
