// Input that is expensive to check is refused before it is checked: whatever a body or a query
// holds, refusing it costs no more than reading it.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectProblem, expectRefusal, JSON_TYPE, type Sent, send } from '../support/requests.ts'
import { type Merchant, openTestService, type TestService } from '../support/test-service.ts'

const MIB = 1024 * 1024

/** CPU time of all threads of the process, which does nothing else meanwhile. */
const MOST_CPU_MS = 50

/** Garbage of other code is collected at any time, so the best of several tries counts. */
const TRIES = 5

const MOST_FAULTS = 100

/** Repeats the item as often as a body of 1 MiB can hold it. */
function filled(open: string, item: string, close: string): string {
  const space = MIB - open.length - close.length
  return (
    open +
    Array(Math.floor(space / (item.length + 1)))
      .fill(item)
      .join(',') +
    close
  )
}

/** A list of lists, each of an allowed length. */
function nested(item: string): string {
  return filled('{"firstname":"Ada","x":[', `[${Array(900).fill(item).join(',')}]`, ']}')
}

function numbered(open: string, member: (i: string) => string, close: string): string {
  const members: string[] = []
  for (let size = 0, i = 0; size < MIB - 100; i += 1) {
    const text = member(i.toString(36))
    members.push(text)
    size += text.length + 1
  }
  return open + members.join(',') + close
}

const LONG = 'x'.repeat(MIB - 100)
const DEPTH = MIB / 2 - 50

type Row = readonly [what: string, url: string, body: string, field?: string]

const ROWS: readonly Row[] = [
  ['zeros for addresses', '/customer', filled('{"cc_emails":[', '0', ']}'), 'cc_emails'],
  ['numbers for texts', '/customer', filled('{"cc_sms":[', '"1"', ']}'), 'cc_sms'],
  ['keywords', '/query/payment-links', filled('{"keywords":[', '""', ']}'), 'keywords'],
  ['shares', '/charge', filled('{"funding":[', '{}', ']}'), 'funding'],
  ['events', '/webhook', filled('{"event":[', '"x"', ']}'), 'event'],
  ['line items', '/charge', filled('{"meta":{"lineItems":[', '{"a":1}', ']}}'), 'meta.lineItems'],
  ['items of nothing known', '/customer', filled('{"x":[', '[]', ']}'), 'x'],
  ['a list for a body', '/customer', filled('[', '{}', ']'), 'body'],
  ['lists in a list', '/customer', nested('0'), 'body'],
  ['empty objects in lists', '/customer', nested('{}'), 'body'],
  ['brackets', '/customer', `{"meta":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}`, 'body'],
  ['open brackets', '/customer', '['.repeat(MIB - 1)],
  ['fields', '/customer', numbered('{', (i) => `"k${i}":0`, '}'), 'body'],
  ['shapes', '/customer', numbered('{"a":[[', (i) => `{"k${i}":0}`, ']]}'), 'a.0'],
  ['fields where none may be unknown', '/invoice/x/pay', numbered('{', (i) => `"k${i}":0`, '}')],
  ['the same field', '/customer', filled('{', '"firstname":0', '}'), 'firstname'],
  ['a long name', '/customer', `{"firstname":"${LONG}"}`, 'firstname'],
  ['a long address', '/customer', `{"email":"${'a@'.repeat(MIB / 2 - 50)}"}`, 'email'],
  ['a long phone number', '/customer', `{"phone":"${'1'.repeat(MIB - 100)}"}`, 'phone'],
  ['a thousand phone numbers', '/customer', phones()],
  ['a long key', '/transaction/x/refund', `{"${LONG}":1}`],
  ['escapes', '/customer', `{"firstname":"${'\\u0041'.repeat(MIB / 6 - 50)}"}`, 'firstname'],
  ['digits for an amount', '/charge', `{"total":${'9'.repeat(MIB - 100)}}`],
  ['decimals for an amount', '/charge', `{"total":"1.${'9'.repeat(MIB - 100)}"}`],
  ['an exponent for an amount', '/charge', '{"total":1e400000}'],
  ['a host in many scripts', '/webhook', `{"target_url":"https://${'ü.'.repeat(MIB / 3 - 50)}"}`],
  ['an address in a link', '/payment-link', redirect()],
  ['a long rule', '/invoice/schedule', `{"rule":"${'BYDAY=MO;'.repeat(MIB / 9 - 50)}"}`],
  ['a long date', '/invoice', `{"due_at":"2026-01-01T00:00:00.${'1'.repeat(MIB - 100)}"}`],
  ['a long meta', '/customer', `{"firstname":"A","meta":{"a":"${LONG}"}}`, 'meta'],
  ['a spoilt list', '/customer', filled('{"cc_emails":[', '0', ''), 'cc_emails'],
]

const BODIES = ROWS.map(([what, path, payload, field]) => ({ what, path, payload, field }))

function phones(): string {
  return JSON.stringify({ cc_sms: Array(1_000).fill(`+1202555${'0'.repeat(32)}`) })
}

function redirect(): string {
  const successRedirect = `https://${'ü.'.repeat(MIB / 3 - 50)}`
  return JSON.stringify({ common_name: 'A', link_meta: { successRedirect } })
}

describe('expensive input', () => {
  let service: TestService
  let merchant: Merchant

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    merchant = await service.merchant()
    // The routes must be compiled, as in a process that serves.
    for (const { path, payload } of BODIES)
      await ask({ method: 'POST', url: path, payload: payload.slice(0, 9) })
  })
  afterAll(() => service.close())

  function ask(sent: Sent) {
    return send(service.app, { ...sent, headers: { ...merchant.headers, ...JSON_TYPE } })
  }

  async function cheapest(sent: Sent) {
    let answer = await ask(sent)
    let least = Number.POSITIVE_INFINITY
    for (let tried = 0; tried < TRIES && least > MOST_CPU_MS / 2; tried += 1) {
      const before = process.cpuUsage()
      answer = await ask(sent)
      const { user, system } = process.cpuUsage(before)
      least = Math.min(least, (user + system) / 1_000)
    }
    return { answer, ms: least }
  }

  it.each(BODIES)('is refused within 50 ms of CPU time: $what', async (sent) => {
    const { path, payload, field } = sent
    expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(MIB)
    const url = path.replace('/x/', `/${service.world.newId()}/`)
    const { answer, ms } = await cheapest({ method: 'POST', url, payload })
    expect(answer.status).toBe(400)
    expectProblem(answer)
    if (field !== undefined) expect(Object.keys(answer.body.errors)).toContain(field)
    expect(faultsOf(answer.body)).toBeLessThanOrEqual(MOST_FAULTS)
    expect(answer.text.length).toBeLessThan(30_000)
    expect(ms).toBeLessThan(MOST_CPU_MS)
  })

  it.each([
    ['a filter that is sent thousands of times', `keywords=${'&keywords='.repeat(1_400)}`],
    ['thousands that are not known', Array.from({ length: 3_000 }, (_, i) => `a${i}`).join('&')],
    ['thousands of lists', 'keywords[]=a&'.repeat(1_100)],
  ])('is refused within 50 ms of CPU time, in a query: %s', async (_, query) => {
    const { answer, ms } = await cheapest({ url: `/customer?${query}` })
    expectRefusal(answer, 400, 'invalid_request')
    expect(faultsOf(answer.body)).toBeLessThanOrEqual(MOST_FAULTS)
    expect(ms).toBeLessThan(MOST_CPU_MS)
  })

  it('is a list of more than a thousand, and a list of a thousand is accepted', async () => {
    const listing = (items: number) =>
      ask({
        method: 'POST',
        url: '/customer',
        payload: JSON.stringify({ firstname: 'Ada', meta: { a: [Array(items).fill(1)] } }),
      })
    expect((await listing(1_000)).status).toBe(200)
    expectRefusal(await listing(1_001), 400, 'invalid_request', ['meta.a.0'])
  })

  it('gets a hundred faults if a body has more', async () => {
    const funding = Array(100).fill({ account_id: 5, amount: 'x' })
    const answer = await ask({
      method: 'POST',
      url: '/charge',
      payload: JSON.stringify({ funding }),
    })
    expectRefusal(answer, 400, 'invalid_request')
    expect(faultsOf(answer.body)).toBe(MOST_FAULTS)
  })

  it('does not include brackets within a text', async () => {
    const notes = `${'[,'.repeat(2_000)}\\"${'[,'.repeat(2_000)}`
    const payload = JSON.stringify({ firstname: 'Ada', notes })
    const answer = await ask({ method: 'POST', url: '/customer', payload })
    expect([answer.status, answer.body.notes]).toEqual([200, notes])
  })
})

function faultsOf({ errors = {} }: { readonly errors?: Readonly<Record<string, unknown[]>> }) {
  return Object.values(errors).flat().length
}
