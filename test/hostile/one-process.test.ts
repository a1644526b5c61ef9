// No request of one key keeps a process from answering another: each expensive request goes over
// HTTP to one process of the service with a crowded account, while another process requests
// /healthz every ten milliseconds. A slow row is tried up to three times before it counts, since
// the machine of the tests is busy with other tests: a real block is slow each time, and a wrong
// answer counts at once.
//
//   HOSTILE_ROWS=1000000 npx vitest run test/hostile        the same over more rows

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import openapi from '../../docs/openapi.json' with { type: 'json' }
import type { Document } from '../support/document.ts'
import { ask, BOUNDS, faultsIn, faultsOfAttempts, type HostileRequest } from './ask.ts'
import { COSTLY_REQUESTS } from './costly-requests.ts'
import { generatedRequests } from './generated-requests.ts'
import { HOSTILE_RULES } from './hostile-rules.ts'
import { type HostileSetup, openHostileSetup } from './hostile-setup.ts'
import type { Memory } from './service.ts'

const LONG_TEST = { timeout: 240_000 }

/** A stall this long is noticed, as the control shows; a stall within the limit is allowed. */
const STALL_MS = 400

const MEBIBYTE = 1024 * 1024

/** Caches, prepared statements and compiled code; a request that was kept would be far more. */
const MOST_KEPT_BYTES = 64 * MEBIBYTE

/**
 * The allocator frees memory late, and never all of it; deploy/kubernetes ends a pod at 768 MiB.
 */
const MOST_RESIDENT_BYTES = 512 * MEBIBYTE

/** Enough rows of one expensive kind on a page to be noticed. */
const LISTED = 10

/** The connections of a client. */
const AT_ONCE = 3

let setup: HostileSetup
let before: Memory

beforeAll(async () => {
  setup = await openHostileSetup()
  // The first requests compile and connect, which is no fault of theirs.
  await send(setup.crowded.key, { path: '/transaction?keywords=ada' })
  before = await setup.service.memory()
}, 120_000)
afterAll(() => setup[Symbol.asyncDispose]())

function send(key: string, sent: HostileRequest) {
  return ask(setup.service, key, sent)
}

/** Sends them one after the other as the crowded account, and returns the faults of the answers. */
async function faultsOfEach(
  requests: readonly HostileRequest[],
  bounds = setup.bounds,
): Promise<string[]> {
  const faults: string[] = []
  for (const sent of requests)
    faults.push(...faultsIn(sent, await send(setup.crowded.key, sent), bounds))
  return faults
}

/** The same, for only some requests that are sent at once. */
async function faultsOfSome(requests: readonly HostileRequest[]): Promise<string[]> {
  const left = [...requests]
  const callers = Array.from({ length: AT_ONCE }, async () => {
    const faults: string[] = []
    for (let one = left.shift(); one !== undefined; one = left.shift()) {
      faults.push(...(await faultsOfEach([one])))
    }
    return faults
  })
  return (await Promise.all(callers)).flat()
}

describe('while one process is under attack', LONG_TEST, () => {
  it('a stall would be seen, as a control', async () => {
    const { probe } = await setup.service.probed(() => setup.service.stall(STALL_MS))
    expect(probe.slowestMs).toBeGreaterThan(BOUNDS.probeMs)
    const calm = await setup.service.probed(() => send(setup.crowded.key, { path: '/self' }))
    expect(calm.probe).toMatchObject({ failures: 0 })
  })

  it.each(COSTLY_REQUESTS)(
    '$what: other requests are answered',
    async ({ send: of, atOnce, ...row }) => {
      const bounds = { ...setup.bounds, ...row }
      const requests = of(setup.ids)
      const attempt = async () =>
        atOnce === true
          ? (await Promise.all(requests.map((one) => faultsOfEach([one], bounds)))).flat()
          : faultsOfEach(requests, bounds)
      expect(await faultsOfAttempts(setup.service, attempt)).toEqual([])
    },
  )

  it.each(Object.entries(HOSTILE_RULES))(
    'the rule of %s is read, shown and ended',
    async (_, rule) => {
      expect(await faultsOfAttempts(setup.service, () => faultsOfLife(rule))).toEqual([])
    },
  )

  it.each(Object.entries(HOSTILE_RULES))('a list with the rule of %s is shown', async (_, rule) => {
    const { key } = await setup.team()
    const attempt = async () => {
      const { id: customer_id } = await made(key, '/customer', { firstname: 'Ada' })
      const faults: string[] = []
      for (let n = 0; n < LISTED && faults.length === 0; n += 1) {
        const body = { total: 1, customer_id, rule }
        const sent: HostileRequest = { method: 'POST', path: '/invoice/schedule', body }
        const answer = await send(key, sent)
        faults.push(...faultsIn(sent, answer, setup.bounds))
        if (answer.status !== 200) return faults
      }
      const list: HostileRequest = { path: '/invoice/schedule?limit=200' }
      return [...faults, ...faultsIn(list, await send(key, list), setup.bounds)]
    }
    expect(await faultsOfAttempts(setup.service, attempt)).toEqual([])
  })

  it('a sandbox clock moved by a century with a schedule each quarter is refused or bounded', async () => {
    const { key } = await setup.team()
    const { id: customer_id } = await made(key, '/customer', { firstname: 'Ada' })
    const rule = 'FREQ=MINUTELY;INTERVAL=15'
    await made(key, '/sandbox/clock', { now: '2026-01-01' })
    await made(key, '/invoice/schedule', { total: 1, customer_id, rule })
    const sent: HostileRequest = {
      method: 'POST',
      path: '/sandbox/clock',
      body: { now: '2126-01-01' },
    }
    const statuses: number[] = []
    const attempt = async () => {
      const answer = await send(key, sent)
      statuses.push(answer.status)
      return faultsIn(sent, answer, setup.bounds)
    }
    expect(await faultsOfAttempts(setup.service, attempt)).toEqual([])
    expect(statuses).toEqual([400])
  })

  it.each(generatedRequests(openapi as unknown as Document))(
    '$route gets anything that its document allows',
    async ({ requests }) => {
      const all = requests(setup.ids)
      const attempt = async () => (await faultsOfSome(all)).slice(0, 20)
      expect(await faultsOfAttempts(setup.service, attempt)).toEqual([])
    },
  )

  it('its memory is released afterwards', async () => {
    const after = await setup.service.memory()
    expect(after.heapBytes - before.heapBytes).toBeLessThan(MOST_KEPT_BYTES)
    expect(after.residentBytes).toBeLessThan(MOST_RESIDENT_BYTES)
  })
})

/** Makes a schedule, uses it and ends it. */
async function faultsOfLife(rule: string): Promise<string[]> {
  const { customer } = setup.ids
  const body = { total: 1, customer_id: customer, rule }
  const post: HostileRequest = { method: 'POST', path: '/invoice/schedule', body }
  const answer = await send(setup.crowded.key, post)
  const faults = faultsIn(post, answer, setup.bounds)
  if (answer.status !== 200) return faults
  const path = `/invoice/schedule/${JSON.parse(answer.text).id}`
  const steps: readonly HostileRequest[] = [
    { path },
    { method: 'PUT', path, body: { status: 'paused' } },
    { method: 'PUT', path, body: { active: true } },
    { method: 'PUT', path, body: { rule, total: 2 } },
    { method: 'DELETE', path },
  ]
  return [...faults, ...(await faultsOfEach(steps))]
}

async function made(key: string, path: string, body: object) {
  const { status, text } = await send(key, { method: 'POST', path, body })
  expect(`${status} ${text}`).toMatch(/^200 /)
  return JSON.parse(text)
}
