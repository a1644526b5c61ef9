// Mistakes in a call of our own TypeScript client: it refuses them before anything is sent. There is
// no service, only a fetch that keeps what it gets.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import {
  ApiError,
  type ClientOptions,
  createClient,
  SignatureError,
  verifyWebhook,
} from '../../packages/client/src/index.ts'
import { type Document, operationsOf } from '../support/document.ts'

const DOCUMENT = join(import.meta.dirname, '../../docs/openapi.json')

const PAGE = { data: [], total: 0, last_page: 1 }

const CHARGE_HAS =
  'amount: it has total, payment_method_id, meta, pre_auth, currency, channel, invoice_id, payment_link_id, funding, idempotency_id.'

interface Sent {
  readonly path: string
  readonly body: unknown
}

/** A client of plain JavaScript, which no compiler checks, and all that it has sent. */
function openClient(more: Partial<ClientOptions> = {}) {
  const sent: Sent[] = []
  const client = createClient({
    url: 'http://service.test',
    key: 'sk_sandbox_none',
    async fetch(url, init) {
      const body = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
      sent.push({ path: String(url).replace('http://service.test', ''), body })
      return Response.json(PAGE)
    },
    ...more,
  })
  type Method = (...args: unknown[]) => Promise<unknown>
  return { client: client as unknown as Readonly<Record<string, Method>>, sent }
}

it.each([[undefined], [null], [''], [[]], [[undefined]], [['tea', '']]])(
  'a filter that would send nothing is refused: %j',
  async (customer_id) => {
    const { client, sent } = openClient()
    const query = { status: 'SUCCESS', customer_id }
    const says = new TypeError(
      'listTransactions got no value for customer_id: leave it out, or give a value.',
    )
    await expect(client.listTransactions?.(query)).rejects.toThrow(says)
    await expect(client.csv?.('listTransactions', query)).rejects.toThrow(says)
    expect(() => client.each?.('listTransactions', query)).toThrow(says)
    expect(sent).toEqual([])
  },
)

it.each([
  ['createCharge', { preauth: true }, 'preauth: did you mean pre_auth?'],
  ['createCharge', { idempotency_key: '1' }, 'idempotency_key: did you mean idempotency_id?'],
  ['createCharge', { paymentMethodID: '1' }, 'paymentMethodID: did you mean payment_method_id?'],
  ['createCharge', { amount: null }, CHARGE_HAS],
  ['createPaymentLink', { amout: 5 }, 'amout: did you mean amount?'],
  ['createSchedule', { time_zone: 'UTC' }, 'time_zone: did you mean timezone?'],
  ['queryPaymentLinks', { linkMeta: {} }, 'linkMeta: did you mean link_meta?'],
])('%s refuses a field that it does not have: %j', async (name, body, hint) => {
  const { client, sent } = openClient()
  const says = new TypeError(`${name} has no field ${hint}`)
  await expect(client[name]?.(body)).rejects.toThrow(says)
  expect(sent).toEqual([])
})

it('a record can be sent back, changed', async () => {
  const { client, sent } = openClient()
  const customer = { id: 'one', firstname: 'Ada', created_at: '2026-01-01T00:00:00.000Z' }
  await client.updateCustomer?.('one', { ...customer, notes: 'New' })
  expect(sent).toEqual([{ path: '/customer/one', body: { ...customer, notes: 'New' } }])
})

it('every field of the document is sent, and what is within one is not looked into', async () => {
  const { paths } = JSON.parse(await readFile(DOCUMENT, 'utf8')) as Document
  const operations = operationsOf({ paths } as Document)
  const bodies = operations.filter(({ operation }) => operation.requestBody !== undefined)
  expect(bodies.length).toBeGreaterThan(30)
  for (const { path, operation } of bodies) {
    const { client, sent } = openClient()
    const schema = operation.requestBody?.content['application/json']?.schema
    const body = Object.fromEntries(fieldsOf(schema).map((name) => [name, { preauth: 1 }]))
    const id = path.includes('{') ? ['one'] : []
    await client[operation.operationId ?? '']?.(...id, body)
    expect(sent).toEqual([{ path: path.replace('{id}', 'one'), body }])
  }
})

it('what the service ignored reaches the caller, also with a refusal', async () => {
  const headers = { 'ignored-fields': 'channel, x-idempotency-key' }
  const answers = [Response.json({}, { headers }), Response.json({}, { status: 400, headers })]
  const onIgnoredFields = vi.fn()
  const { client } = openClient({
    onIgnoredFields,
    fetch: async () => answers.shift() ?? Response.error(),
  })
  await client.createCustomer?.({})
  await expect(client.createCharge?.({})).rejects.toThrow(ApiError)
  const names = ['channel', 'x-idempotency-key']
  expect(onIgnoredFields.mock.calls).toEqual([
    ['createCustomer', names],
    ['createCharge', names],
  ])
})

it('without a function for it, each operation and its names are warned of once', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const headers = { 'ignored-fields': 'channel' }
  const { client } = openClient({ fetch: async () => Response.json({}, { headers }) })
  for (const name of ['createItem', 'createItem', 'createInvoice']) await client[name]?.({})
  expect(warn.mock.calls).toEqual([
    ['Lamplighter ignored channel in createItem.'],
    ['Lamplighter ignored channel in createInvoice.'],
  ])
  warn.mockRestore()
})

it.each([undefined, ''])('a client needs a key, and has %j', (key) => {
  const settings = { url: 'http://service.test', key } as ClientOptions
  const says = new TypeError('createClient needs a key, such as sk_sandbox_…')
  expect(() => createClient(settings)).toThrow(says)
})

it('only a list is walked or written as CSV', async () => {
  const { client, sent } = openClient()
  const says = 'has no list listInvoice: did you mean listInvoices?'
  expect(() => client.each?.('listInvoice')).toThrow(new TypeError(`each ${says}`))
  await expect(client.csv?.('listInvoice')).rejects.toThrow(new TypeError(`csv ${says}`))
  expect(() => client.each?.('getSelf')).toThrow(
    /^each has no list getSelf: it has listCustomers, /,
  )
  expect(sent).toEqual([])
})

it.each([
  ['createCharge', [{}, { idempotency_key: '1' }], 'idempotency_key: did you mean idempotencyKey?'],
  ['getSelf', [{ timeout: 5 }], 'timeout: did you mean timeoutMs?'],
  [
    'rollWebhookSecret',
    ['one', {}, { idempotencyKey: '1' }],
    'idempotencyKey: it has signal, timeoutMs.',
  ],
])('%s refuses an option that it does not have: %j', async (name, args, hint) => {
  const { client, sent } = openClient()
  const says = new TypeError(`${name} has no option ${hint}`)
  await expect(client[name]?.(...args)).rejects.toThrow(says)
  expect(sent).toEqual([])
})

it.each([
  ['createCharge', [{}, 'order-1'], 'options'],
  ['createCharge', ['{}'], 'body'],
  ['listTransactions', ['one'], 'query'],
  ['listTransactions', [new URLSearchParams({ customer_id: 'one' })], 'query'],
])('%s needs plain objects: %j', async (name, args, what) => {
  const { client, sent } = openClient()
  const says = new TypeError(`${name} needs a plain object as its ${what}.`)
  await expect(client[name]?.(...args)).rejects.toThrow(says)
  expect(sent).toEqual([])
})

it('an option that is undefined is as absent', async () => {
  const { client, sent } = openClient()
  await client.createCustomer?.({}, { signal: undefined, idempotency_key: undefined })
  await client.getSelf?.(undefined)
  expect(sent).toHaveLength(2)
})

class Amount {
  get total() {
    return 5
  }
}

it.each([
  ['a Promise', Promise.resolve({ total: 5 }), 'needs a plain object as its body'],
  ['a class', new Amount(), 'needs a plain object as its body'],
  ['an heir', Object.create({ total: 5 }), 'needs a plain object as its body'],
  ['no amount', { total: undefined }, 'got no value for total'],
  ['no number', { total: Number('5,00') }, 'got no value for total'],
  ['a function', { total: () => 5 }, 'got no value for total'],
  ['a Promise of it', { total: Promise.resolve(5) }, 'got no value for total'],
])('an amount that would be lost refunds nothing: %s', async (_what, body, says) => {
  const { client, sent } = openClient()
  await expect(client.refundTransaction?.('one', body)).rejects.toThrow(says)
  expect(sent).toEqual([])
})

it.each([
  ['a Promise', Promise.resolve({ tier: 'gold' })],
  ['a Map', new Map([['tier', 'gold']])],
])('metadata that would be emptied changes nothing: %s', async (_what, meta) => {
  const { client, sent } = openClient()
  const says = new TypeError('updateCustomer got no value for meta: leave it out, or give a value.')
  await expect(client.updateCustomer?.('one', { meta })).rejects.toThrow(says)
  expect(sent).toEqual([])
})

it('an empty object and a date are values', async () => {
  const { client, sent } = openClient()
  const due_at = new Date('2026-01-01T00:00:00.000Z')
  await client.updateInvoice?.('one', { due_at, meta: {} })
  expect(sent).toEqual([
    { path: '/invoice/one', body: { due_at: '2026-01-01T00:00:00.000Z', meta: {} } },
  ])
})

it.each([
  [{ idempotencyKey: undefined }],
  [{ idempotencyKey: null }],
  [{ idempotencyKey: '' }],
  [Promise.resolve({ idempotencyKey: 'order-1' })],
  [undefined, { idempotencyKey: 'order-1' }],
])('a key that would be lost charges nothing: %j', async (...options) => {
  const { client, sent } = openClient()
  await expect(client.createCharge?.({ total: 5 }, ...options)).rejects.toThrow(TypeError)
  expect(sent).toEqual([])
})

it('a key is sent without the end of its line, and one that no header takes is not quoted', async () => {
  const of = (key: unknown) =>
    createClient({ url: 'http://127.0.0.1:9', key, maxRetries: 0 } as ClientOptions)
  for (const key of ['', ' ', undefined, 5, 'sk_sandbox_x y', 'sk_sandbox_x\ny', 'sk_✓']) {
    expect(() => of(key)).toThrow(new TypeError('createClient needs a key, such as sk_sandbox_…'))
  }
  await expect(of(' sk_sandbox_x\n').getSelf()).rejects.toThrow(/No answer from/)
})

it('an instant is sent as one, and a setting that does not exist is refused', async () => {
  const { client, sent } = openClient()
  await client.listEvents?.({ start_date: new Date('2026-01-01T00:00:00Z') })
  expect(sent.map(({ path }) => path)).toEqual(['/event?start_date=2026-01-01T00%3A00%3A00.000Z'])
  const settings = { url: 'http://service.test', key: 'none', maxRetrys: 0 }
  expect(() => createClient(settings as ClientOptions)).toThrow('did you mean maxRetries?')
})

it('a webhook needs its raw body and a secret', async () => {
  const verify = verifyWebhook as (...args: unknown[]) => Promise<unknown>
  const raw = new TypeError('verifyWebhook needs the raw body as it arrived, a string or bytes.')
  for (const body of [{}, undefined, null]) {
    await expect(verify(body, {}, 'whsec_eA==')).rejects.toThrow(raw)
  }
  const says = 'verifyWebhook needs the secret of the endpoint, whsec_…, or several.'
  for (const secrets of [undefined, [], ['whsec_eA==', undefined]]) {
    await expect(verify('{}', {}, secrets)).rejects.toThrow(new TypeError(says))
  }
  for (const body of [Buffer.from('{}'), new ArrayBuffer(2)]) {
    await expect(verify(body, {}, 'whsec_eA==')).rejects.toThrow(SignatureError)
  }
})

/** The names of a body's fields, in all its forms. */
function fieldsOf(schema: unknown): readonly string[] {
  const { properties = {}, anyOf = [] } = schema as {
    readonly properties?: object
    readonly anyOf?: readonly unknown[]
  }
  return [...Object.keys(properties), ...anyOf.flatMap(fieldsOf)]
}
