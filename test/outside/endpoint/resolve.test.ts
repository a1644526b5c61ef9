// The resolution of a name, with name servers that answer, that fail, and that are silent.

import { readFile } from 'node:fs/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { endpointClient } from '../../../src/outside/endpoint/client.ts'
import { publicResolve, sharing } from '../../../src/outside/endpoint/resolve.ts'
import {
  type NameAnswer,
  type NameServer,
  NO_SUCH_NAME,
  openNameServer,
  SERVER_FAILURE,
} from '../../support/name-server.ts'

const NONE: NameAnswer = []
const FAILURE = { failure: SERVER_FAILURE }
const UNKNOWN = { failure: NO_SUCH_NAME }

const [FOUR, OTHER_FOUR, SIX] = ['93.184.215.14', '93.184.215.15', '2606:4700::1111'] as const

let server: NameServer

afterEach(() => server[Symbol.asyncDispose]())

async function resolving(four: NameAnswer, six: NameAnswer) {
  server = await openNameServer((_name, family) => (family === 4 ? four : six))
  return publicResolve([server.address])
}

describe('a name', () => {
  it.each<[string, NameAnswer, NameAnswer, readonly string[]]>([
    ['both families', [FOUR, OTHER_FOUR], [SIX], [FOUR, OTHER_FOUR, SIX]],
    ['IPv4 only', [FOUR], NONE, [FOUR]],
    ['IPv6 only', NONE, [SIX], [SIX]],
    ['IPv4, and a failure', [FOUR], FAILURE, [FOUR]],
    ['IPv6, and a failure', FAILURE, [SIX], [SIX]],
  ])('with %s is resolved', async (_what, four, six, addresses) => {
    const resolve = await resolving(four, six)
    expect(await resolve('hooks.example.com')).toEqual(addresses)
    expect(server.asked.toSorted()).toContain('hooks.example.com 4')
    expect(server.asked.toSorted()).toContain('hooks.example.com 6')
  })

  it.each<[string, NameAnswer, NameAnswer, string]>([
    ['is unknown', UNKNOWN, UNKNOWN, 'ENOTFOUND'],
    ['has no address', NONE, NONE, 'ENODATA'],
    ['cannot be asked for', FAILURE, FAILURE, 'ESERVFAIL'],
    ['cannot be asked for in full', NONE, FAILURE, 'ESERVFAIL'],
  ])('that %s is not found', async (_what, four, six, code) => {
    const resolve = await resolving(four, six)
    await expect(resolve('hooks.example.com')).rejects.toMatchObject({ code })
  })

  it('is resolved each time, however long an answer may be cached', async () => {
    let there = [FOUR as string]
    server = await openNameServer((_name, family) => (family === 4 ? there : []))
    const resolve = publicResolve([server.address])
    expect(await resolve('hooks.example.com')).toEqual([FOUR])
    there = ['127.0.0.1']
    expect(await resolve('hooks.example.com')).toEqual(['127.0.0.1'])
  })

  it('is resolved once for simultaneous requests', async () => {
    const resolve = sharing(await resolving([OTHER_FOUR, FOUR], [SIX]))
    const all = await Promise.all(Array.from({ length: 20 }, () => resolve('hooks.example.com')))
    expect(all).toEqual(Array(20).fill([FOUR, OTHER_FOUR, SIX]))
    expect(server.asked).toHaveLength(2)
    await resolve('hooks.example.com')
    expect(server.asked).toHaveLength(4)
  })

  it('without an answer blocks no thread that others need', async () => {
    const resolve = await resolving('silence', 'silence')
    let over = 0
    for (let i = 0; i < 20; i += 1) {
      const count = () => {
        over += 1
      }
      resolve(`dead${i}.example.com`).then(count, count)
    }
    await readFile(import.meta.filename)
    expect(over).toBe(0)
  })

  it('that may have a public address is a target, though no server answers in time', async () => {
    const resolve = await resolving('silence', 'silence')
    const client = endpointClient({ allowPrivate: false, resolve })
    expect(await client.faultOf('https://hooks.example.com/')).toBeUndefined()
    await client.close()
  })
})
