// The packages for callers, against a service that listens. Refusals by the compiler are tests as
// well: `@ts-expect-error` fails if there is no error.

import assert from 'node:assert'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import {
  ApiError,
  type Client,
  ConnectionError,
  type Customer,
  createClient,
  DeclinedError,
  RateLimitError,
  SignatureError,
  type Transaction,
  verifyWebhook,
} from '../../packages/client/src/index.ts'
import { documentOf, operationsOf } from '../support/document.ts'
import { openFaultyProxy } from '../support/faulty-proxy.ts'
import { findOnPath } from '../support/find-program.ts'
import { blocksOf } from '../support/paste.ts'
import { openReceiver } from '../support/receiver.ts'
import { openSampleMerchant, type SampleMerchant } from '../support/samples.ts'
import { DECLINED_CARD } from '../support/sandbox-cards.ts'

const START_MS = 120_000
const LONG = { timeout: 60_000 }
const PACKAGES = join(import.meta.dirname, '../../packages')
const TSC = join(import.meta.dirname, '../../node_modules/.bin/tsc')
const MOST_BYTES = 26 * 1024
const run = promisify(execFile)

let seller: SampleMerchant
let client: Client
let url: string

beforeAll(async () => {
  seller = await openSampleMerchant()
  await seller.service.app.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(seller.service.app.server.address() as AddressInfo).port}`
  client = createClient({ url, key: seller.merchant.key })
}, START_MS)
afterAll(() => seller.service.close())

/** The error that the call throws. */
async function thrown(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (answer) => expect.unreachable(JSON.stringify(answer)),
    (error: unknown) => error,
  )
}

describe('the TypeScript client', LONG, () => {
  it('has a method for each operation of the document', () => {
    const names = operationsOf(documentOf(seller.service.app)).map(
      ({ operation }) => operation.operationId,
    )
    expect(Object.keys(client).sort()).toEqual([...names, 'each', 'csv'].sort())
  })

  it('makes, reads, changes and finds a customer', async () => {
    const made = await client.createCustomer({ firstname: 'Ada', email: 'a@example.com' })
    expectTypeOf(made).toEqualTypeOf<Customer>()
    await client.updateCustomer(made.id, { notes: 'Likes tea.' })
    const read = await client.getCustomer(made.id)
    expect(read).toMatchObject({ firstname: 'Ada', notes: 'Likes tea.' })
    const query = { email: 'a@example.com', limit: 1, sort: 'firstname', order: 'ASC' } as const
    expect(await client.listCustomers(query)).toMatchObject({ total: 1, data: [read] })
  })

  it('distinguishes a declined payment, a refused request and a missing resource', async () => {
    const card = await seller.service.card(seller.merchant, DECLINED_CARD)
    const declined = await thrown(client.createCharge({ total: '1.00', payment_method_id: card }))
    expect(declined).toBeInstanceOf(DeclinedError)
    expect(declined).toMatchObject({
      name: 'DeclinedError',
      status: 400,
      code: 'declined',
      message: expect.stringMatching(/declined/i),
      transaction: { status: 'FAILED', total: 1 },
    })
    const refused = await thrown(client.createCharge({ total: 0, payment_method_id: card }))
    expect(refused).toBeInstanceOf(ApiError)
    expect(refused).not.toBeInstanceOf(DeclinedError)
    expect(refused).toMatchObject({
      status: 400,
      code: 'invalid_request',
      requestId: expect.any(String),
      errors: { total: ['must be at least 0.01'] },
    })
    const missing = await thrown(client.getTransaction('01941f29-7c00-7000-8000-000000000001'))
    expect(missing).toMatchObject({ name: 'ApiError', status: 404, code: 'not_found' })
  })

  it('compiles no request that the API does not know, and lets no id change the path', async () => {
    // @ts-expect-error: no such operation
    expect(client.listPeople).toBeUndefined()
    const refusals = [
      // @ts-expect-error: a total is required
      await thrown(client.createCharge({ payment_method_id: seller.card })),
      // @ts-expect-error: a flag is no text of its own
      await thrown(client.createPaymentLink({ common_name: 'Tea', active: 'no' })),
      // @ts-expect-error: a misspelt filter
      await thrown(client.listCustomers({ frstname: 'Ada' })),
    ]
    expect(refusals.map((one) => (one as ApiError).code)).toEqual(Array(3).fill('invalid_request'))
    const empty = await thrown(client.listTransactions({ customer_id: '' }))
    expect(empty).toBeInstanceOf(TypeError)
    // @ts-expect-error: null is no filter
    expect(await thrown(client.listTransactions({ customer_id: null }))).toBeInstanceOf(TypeError)
    // @ts-expect-error: an id is required
    expect(await thrown(client.getTransaction())).toBeInstanceOf(TypeError)
    for (const id of ['', '..', 'a/b', 'a?b']) {
      expect(await thrown(client.deleteCustomer(id))).toBeInstanceOf(TypeError)
    }
  })

  it('charges once, even if an answer is lost and the service is busy', async () => {
    await using proxy = await openFaultyProxy(url)
    const flaky = createClient({ url: proxy.url, key: seller.merchant.key })
    const startedAt = performance.now()
    const paid = await flaky.createCharge({ total: 7.77, payment_method_id: seller.card })
    expect(performance.now() - startedAt).toBeGreaterThan(1_000)
    expect([proxy.keys.length, new Set(proxy.keys).size]).toEqual([4, 1])
    const { data, total } = await client.listTransactions({ total: 7.77 })
    expect([total, data[0]?.id]).toEqual([1, paid.id])
  })

  it("repeats a charge with its caller's key, and does not wait if it need not", async () => {
    const body = { total: 6.66, payment_method_id: seller.card }
    const options = { idempotencyKey: 'order-1', respondAsync: true }
    const asked = await client.createCharge(body, options)
    expect(asked.status).toBe('PENDING')
    const { id, status } = await client.createCharge(body, { idempotencyKey: 'order-1' })
    expect([id, status]).toEqual([asked.id, 'SUCCESS'])
    const other = thrown(client.createCharge({ ...body, total: 7 }, options))
    expect(await other).toMatchObject({ status: 409, code: 'idempotency_conflict' })
  })

  it('gives up in the end, and never repeats a request that could be carried out twice', async () => {
    const once = createClient({ url: 'http://127.0.0.1:9', key: 'none', maxRetries: 0 })
    expect(await thrown(once.getSelf())).toBeInstanceOf(ConnectionError)
    let sent = 0
    const answering = (status: number, headers: Record<string, string> = {}) =>
      createClient({
        url,
        key: 'none',
        async fetch() {
          sent += 1
          return Response.json({ error: 'rate_limited', message: 'Wait.' }, { status, headers })
        },
      })
    const later = await thrown(answering(429, { 'retry-after': '3600' }).getSelf())
    expect(later).toBeInstanceOf(RateLimitError)
    expect([sent, later]).toMatchObject([1, { retryAfter: 3600 }])
    await thrown(answering(503).rollWebhookSecret('one'))
    await thrown(answering(409).createCustomer({ firstname: 'Ada' }))
    expect(sent).toBe(3)
  })

  it('stops at its time limit, and when its caller aborts', async () => {
    await using silent = await openReceiver()
    silent.behave('hang')
    const waiting = createClient({ url: silent.url, key: 'none', maxRetries: 0 })
    const late = await thrown(waiting.getSelf({ timeoutMs: 20 }))
    expect(late).toBeInstanceOf(ConnectionError)
    expect((late as Error).message).toContain('no answer within 20 ms')
    const controller = new AbortController()
    // On a busy machine the first request ends before it is sent.
    const before = silent.received.length
    const stopped = thrown(waiting.getSelf({ signal: controller.signal }))
    await silent.until(before + 1)
    controller.abort(new Error('enough'))
    expect(await stopped).toEqual(new Error('enough'))
  })

  it('walks a list page by page, and reads it as CSV', async () => {
    const { customer_id } = await client.getPaymentMethod(seller.card)
    assert(customer_id !== null)
    const ids: string[] = []
    for (const total of [1, 2, 3, 4, 5]) {
      ids.push((await client.createCharge({ total, payment_method_id: seller.card })).id)
    }
    const query = { customer_id, status: 'SUCCESS', maxTotal: 5, limit: 2 } as const
    const walked: Transaction[] = []
    for await (const one of client.each('listTransactions', query)) walked.push(one)
    expect(walked.map(({ id }) => id)).toEqual(ids.reverse())
    expect((await client.csv('listTransactions', query)).trim().split('\n')).toHaveLength(6)
  })

  it('walks past what the caller deletes on its way', async () => {
    const made: string[] = []
    for (const firstname of ['Ada', 'Grace', 'Mary', 'Emmy', 'Lise']) {
      made.push((await client.createCustomer({ firstname, company: 'Gone' })).id)
    }
    const walked: string[] = []
    for await (const { id } of client.each('listCustomers', { company: 'Gone', limit: 2 })) {
      walked.push(id)
      await client.deleteCustomer(id)
    }
    expect(walked.toSorted()).toEqual(made.toSorted())
  })

  it('verifies a webhook from the service, and refuses a forged one', async () => {
    await using receiver = await openReceiver()
    const endpoint = { target_url: receiver.url, event: 'create_customer' }
    const { id, secret } = await client.createWebhook(endpoint)
    assert(secret !== null)
    const made = await client.createCustomer({ firstname: 'Grace' })
    const [{ body, headers } = { body: '', headers: {} }] = await receiver.until(1)
    const event = await verifyWebhook(body, headers, [`whsec_${'A'.repeat(32)}`, secret])
    if (event.name === 'create_customer') expectTypeOf(event.data).toEqualTypeOf<Customer>()
    expect(event).toMatchObject({ name: 'create_customer', sequence: 1, data: { id: made.id } })
    const late = new Date(Date.now() + 301_000)
    const forgeries = [
      () => verifyWebhook(body.replace('Grace', 'Eve'), headers, secret),
      () => verifyWebhook(body, { ...headers, 'webhook-id': 'other' }, secret),
      () => verifyWebhook(body, headers, `whsec_${'A'.repeat(32)}`),
      () => verifyWebhook(body, headers, secret, { now: late }),
      () => verifyWebhook(body, { ...headers, 'webhook-signature': 'v1,?' }, secret),
      () => verifyWebhook(body, {}, secret),
    ]
    for (const forged of forgeries) expect(await thrown(forged())).toBeInstanceOf(SignatureError)
    await client.deleteWebhook(id)
  })
})

describe('the packages', { ...LONG, concurrent: true }, () => {
  it('for npm is small, installs from its tarball, and has types for a caller', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lamplighter-consumer-'))
    try {
      await run('npm', ['pack', '--silent', '--pack-destination', folder], {
        cwd: join(PACKAGES, 'client'),
      })
      const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? ''
      await writeFile(join(folder, 'package.json'), '{"type":"module"}')
      await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], {
        cwd: folder,
      })
      const installed = join(folder, 'node_modules/lamplighter-client')
      const installedFiles = await readdir(installed, { recursive: true })
      const programs = installedFiles.filter((file) => /\.[cm]?js$/.test(file))
      const sizes = await Promise.all(programs.map((file) => stat(join(installed, file))))
      expect(sizes.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(MOST_BYTES)
      expect(installedFiles).toEqual(
        expect.arrayContaining(['LICENSE', 'README.md', 'dist/index.d.ts']),
      )
      const [program = '', ...fragments] = await programsOf('ts')
      const [list = '', receiver = ''] = fragments
      await writeFile(join(folder, 'globals.d.mts'), GLOBALS)
      await writeFile(join(folder, 'wrong.mts'), WRONG)
      await writeFile(join(folder, 'receiver.mts'), receiver)
      await writeFile(join(folder, 'program.mts'), `${program}\n${list}`)
      const files = ['globals.d.mts', 'wrong.mts', 'receiver.mts', 'program.mts']
      const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--types', '']
      await run(TSC, [...options, '--lib', 'es2022,dom', ...files], { cwd: folder })
      const env = { PATH: process.env.PATH, API: url, KEY: seller.merchant.key }
      const { stdout, stderr } = await run('node', ['program.mjs'], { cwd: folder, env })
      expect([stdout, stderr]).toEqual([PROGRAM_SAYS, ''])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it.skipIf(findOnPath('python3') === undefined)(
    'that of Python passes its own tests',
    async () => {
      await using proxy = await openFaultyProxy(url)
      const env = {
        PATH: process.env.PATH,
        PYTHONDONTWRITEBYTECODE: '1',
        API: url,
        FAULTY: proxy.url,
        KEY: seller.merchant.key,
        CARD: seller.card,
        DECLINED_CARD: await seller.service.card(seller.merchant, DECLINED_CARD),
      }
      const options = { cwd: join(PACKAGES, 'python'), env }
      const { stderr } = await run('python3', ['-m', 'unittest', 'discover', 'tests'], options)
      const [program = '', list = ''] = await programsOf('python')
      const { stdout } = await run('python3', ['-c', `${program}\n${list}`], options)
      expect(stdout).toEqual(PROGRAM_SAYS)
      expect(stderr).toMatch(/Ran [1-9]\d* tests [\s\S]*OK/)
      expect([proxy.keys.length, new Set(proxy.keys).size]).toEqual([4, 1])
    },
  )
})

async function programsOf(language: 'ts' | 'python'): Promise<readonly string[]> {
  const blocks = await blocksOf('docs/sdk.md')
  return blocks.filter(({ kind }) => kind === language).map(({ content }) => content)
}

const PROGRAM_SAYS = expect.stringMatching(/^\S+ SUCCESS 12.5\n[\s\S]*is_voided.*true/i)

/** The compiler needs these names of Node, whose types a caller may not have installed. */
const GLOBALS = `
declare global {
  const process: { readonly env: Readonly<Record<string, string | undefined>> }
}
export {}
`

const WRONG = `
import { createClient } from 'lamplighter-client'
const client = createClient({ url: 'http://127.0.0.1:9', key: 'none' })
// @ts-expect-error: a total is an amount
export const wrong = () => client.createCharge({ total: true, payment_method_id: 'one' })
`
