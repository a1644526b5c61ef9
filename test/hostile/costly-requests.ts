// Expensive requests from a hostile or a careless client: everything that is long, deep, many, wild
// or at the end of its range. generated-requests.ts makes such requests for the operations of the
// OpenAPI document.

import { COSTLY_TEXTS } from '../support/costly-texts.ts'
import { COSTLY_BODIES } from './costly-bodies.ts'
import { type Ids, OPERATOR } from './hostile-setup.ts'
import { form, post, query, type Row, zeros } from './row.ts'

/** Node refuses a longer head of a request. */
const LONGEST_QUERY = 15_000

/** The time for a long CSV, since it is read while it is written. */
const EXPORT_MS = 60_000

/** The time for some of many simultaneous requests, since they queue up behind each other. */
const CROWD_MS = 10_000

function words(): string {
  return Array.from({ length: LONGEST_QUERY / 5 }, (_, n) => (n + 1_000).toString(36)).join('+')
}

const KEYWORDS = {
  'one letter': 'a',
  'two letters': 'aa',
  'what all of them share': 'ada',
  'what all of them have in their notes': 'aaaa',
  'a wildcard': '%',
  wildcards: '%_%_%_%_%',
  'a wildcard in the midst': 'a%a%a%a%a%a%a%a',
  'a backslash': '\\',
  backslashes: '\\'.repeat(1_000),
  'no trigram at all': '€€ ¡¡ ..',
  spaces: ' '.repeat(1_000),
  'a long word': 'a'.repeat(LONGEST_QUERY - 100),
  'an address': 'ada@example.com',
  'letters of two bytes': 'é'.repeat(2_000),
}

const LISTS = ['/transaction', '/customer', '/query/payment-links']

const SEARCHES: readonly Row[] = [
  ...Object.entries(KEYWORDS).map(([what, keywords]) => ({
    what: `keywords: ${what}`,
    send: () => LISTS.map((path) => query(path, { keywords })),
  })),
  {
    what: 'keywords: three thousand words',
    send: () => LISTS.map((path) => ({ path: `${path}?keywords=${words()}` })),
  },
  {
    what: 'keywords: an array of a thousand words',
    send: () =>
      LISTS.map((path) => ({
        path: `${path}?${Array.from({ length: 1_000 }, (_, n) => `keywords=w${n}`).join('&')}`,
      })),
  },
  {
    what: 'filters of customers by what all of them share',
    send: () => [
      query('/customer', { notes: '%' }),
      query('/customer', { notes: 'aaaa', company: 'Engines', firstname: 'a', lastname: 'o' }),
      query('/customer', { email: '@example.com', sort: 'lastname', order: 'ASC' }),
      query('/customer', { phone: '+1' }),
      query('/customer', { cc_emails: 'a', cc_sms: '1' }),
    ],
  },
]

const DEEP = ['2', '400', '1999', '999999', '999999999', '9007199254740991', '99999999999999999999']

const SORTS = ['created_at', 'updated_at', 'total', 'last_four', 'status']

const RANGES: readonly Row[] = [
  ...DEEP.map((page) => ({
    what: `page ${page}`,
    send: () => [
      ...['/transaction', '/customer', '/event'].map((path) => query(path, { page, limit: '200' })),
      ...SORTS.map((sort) => query('/transaction', { sort, order: 'ASC', page, all: '1' })),
    ],
  })),
  {
    what: 'ranges of amounts',
    send: () => [
      query('/transaction', { minTotal: '0.01', maxTotal: '99999999.99', sort: 'updated_at' }),
      query('/transaction', { minTotal: '99999999.99', maxTotal: '0.01' }),
      query('/transaction', { minTotal: '1', sort: 'last_four', order: 'ASC', page: '300' }),
      query('/transaction', { total: '1', status: 'SUCCESS', method: 'card', type: 'charge' }),
    ],
  },
  {
    what: 'filters that hold against each other',
    send: ({ customer }) => [
      query('/transaction', { status: 'FAILED', success: '1', keywords: 'a' }),
      query('/transaction', { type: 'void', is_manual: '1', sort: 'total' }),
      query('/transaction', { customer_id: customer, sort: 'updated_at', page: '999999999' }),
      query('/transaction', { last_four: '0000', minTotal: '1', sort: 'status', keywords: 'ada' }),
    ],
  },
]

/** The ends of time, and instants near them or beyond. */
export const INSTANTS = [
  '0000-01-01',
  '0001-01-01',
  '0001-01-01T00:00:00-14:00',
  '1582-10-10',
  '1900-01-01 00:00:00',
  '1970-01-01',
  '2026-02-29',
  '2026-02-30T25:61:61Z',
  '2026-03-08T02:30:00-05:00',
  '2026-11-01T01:30:00-04:00',
  '2026-06-30T23:59:60Z',
  '2026-01-01T00:00:00.123456789Z',
  '2026-01-01T00:00:00+99:99',
  '2037-12-31',
  '2038-01-19T03:14:08Z',
  '9999-12-31',
  '9999-12-31 23:59:59',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59-14:00',
  '10000-01-01',
  '+010000-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
  '-000001-01-01T00:00:00Z',
  '-271821-04-20T00:00:00.000Z',
  '99999-12-31',
  '9'.repeat(1_000),
  'NaN',
  'infinity',
  '-infinity',
  'now',
  'tomorrow',
] as const

/** Zones, and texts that look like one. */
export const ZONES = [
  'America/New_York',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Africa/Monrovia',
  'Etc/GMT+12',
  'Etc/GMT-14',
  'GMT+99',
  '+25:00',
  '+14:00',
  'utc',
  'EST5EDT',
  'posix/America/New_York',
  '../../etc/passwd',
  'localtime',
  'A'.repeat(10_000),
  '',
] as const

const TIMES: readonly Row[] = [
  ...INSTANTS.map((at) => ({
    what: `the instant ${at.slice(0, 40)}`,
    send: ({ customer, webhook }: Ids) => [
      query('/transaction', { start_date: at }),
      query('/transaction', { end_date: at }),
      query('/batch', { start_date: at }),
      query('/batch', { end_date: at }),
      query('/event', { start_date: at, end_date: at }),
      query(`/webhook/${webhook}/delivery`, { start_date: at, end_date: at }),
      post('/invoice', { total: 1, customer_id: customer, due_at: at }),
      post('/invoice/schedule', { total: 1, customer_id: customer, rule: 'FREQ=DAILY', start: at }),
      post('/invoice/schedule', {
        total: 1,
        customer_id: customer,
        rule: `DTSTART:${at.replace(/[-:]/g, '')}\nRRULE:FREQ=DAILY;COUNT=5`,
      }),
      post('/invoice/schedule', {
        total: 1,
        customer_id: customer,
        rule: `FREQ=DAILY;UNTIL=${at.replace(/[-:]/g, '')}`,
      }),
      post(`/webhook/${webhook}/replay`, { since: at }),
    ],
  })),
  {
    what: 'zones',
    send: ({ customer }) =>
      ZONES.flatMap((timezone) =>
        ['9999-12-31T23:00:00', '0001-01-01T01:00:00', '2026-12-01T09:00:00'].map((start) =>
          post('/invoice/schedule', {
            total: 1,
            customer_id: customer,
            rule: 'FREQ=DAILY;COUNT=3',
            start,
            timezone,
          }),
        ),
      ),
  },
]

const HEADS: readonly Row[] = [
  {
    what: 'heads as long as Node takes them',
    send: () =>
      ['x-a', 'x-request-id', 'accept', 'cookie', 'traceparent', 'idempotency-key', 'prefer'].map(
        (name) => ({ path: '/self', headers: { [name]: 'a,;= '.repeat(2_800) } }),
      ),
  },
  {
    what: 'heads longer than that',
    send: () => [{ path: '/self', headers: { a: 'a'.repeat(60_000) } }],
  },
  {
    what: 'a thousand heads',
    send: () => [
      {
        path: '/self',
        headers: Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`x-${n}`, '1'])),
      },
    ],
  },
  {
    what: 'keys of all kinds',
    send: () =>
      ['a'.repeat(14_000), 'sk_live_'.padEnd(4_000, 'a'), 'a b c', 'é'].map((key) => ({
        path: '/self',
        headers: { authorization: `Bearer ${encodeURI(key)}` },
      })),
  },
  {
    what: 'idempotency keys of all kinds',
    send: ({ customer }) =>
      ['a'.repeat(255), 'a'.repeat(256), 'a'.repeat(14_000), ' ', '%00', '"'].map((key) => ({
        ...post('/invoice', { total: 1, customer_id: customer }),
        headers: { 'idempotency-key': key },
      })),
  },
  {
    what: 'thousands of query parameters',
    send: () => [
      { path: `/transaction?${'a=1&'.repeat(3_500)}` },
      { path: `/transaction?${'status=SUCCESS&'.repeat(900)}` },
      { path: `/transaction?${'%61=%31&'.repeat(1_800)}` },
      { path: `/transaction?${'&'.repeat(14_000)}` },
      { path: `/transaction?${'page[a][b]=1&'.repeat(1_000)}` },
    ],
  },
  {
    what: 'paths of all kinds',
    send: () => [
      { path: '/'.repeat(14_000) },
      { path: `/customer/${'a'.repeat(14_000)}` },
      { path: `/customer/${'%41'.repeat(4_500)}` },
      { path: `/customer/${'%'.repeat(1_000)}` },
      { path: '/customer/%00' },
      { path: '/customer/%ff%fe' },
      { path: `/pay/${'../'.repeat(4_000)}etc/passwd` },
      { path: '/docs/..%2f..%2f..%2fpackage.json' },
      { path: '/docs/%2e%2e/%2e%2e/package.json' },
      { path: '/assets/../../package.json' },
      { path: '/assets/%2e%2e%2f%2e%2e%2fpackage.json' },
    ],
  },
]

const EXPORTS: readonly Row[] = [
  {
    what: 'all transactions as CSV',
    send: () => [query('/transaction', { export: 'csv', all: '1' })],
    requestMs: EXPORT_MS,
  },
  {
    what: 'searched transactions as CSV, five times at once',
    // A tenth of them takes seconds, in which others send requests.
    send: () =>
      Array.from({ length: 5 }, () =>
        query('/transaction', { export: 'csv', keywords: 'a', sort: 'total', minTotal: '3300' }),
      ),
    atOnce: true,
    requestMs: EXPORT_MS,
  },
  {
    what: 'a batch and all batches as CSV',
    send: ({ batch }) => [
      query('/batch', { export: 'csv' }),
      query(`/batch/${batch}/transaction`, { export: 'csv' }),
    ],
    requestMs: EXPORT_MS,
  },
]

const CROWDS: readonly Row[] = [
  {
    what: 'fifty searches at once',
    send: () =>
      Array.from({ length: 50 }, (_, n) => query('/transaction', { keywords: `ad${n % 10}` })),
    atOnce: true,
    requestMs: CROWD_MS,
  },
  {
    what: 'fifty bodies of a mebibyte at once',
    send: () => Array.from({ length: 50 }, () => post('/customer', { cc_emails: zeros(500_000) })),
    atOnce: true,
    requestMs: CROWD_MS,
  },
  ...COSTLY_TEXTS.map(([what, text]) => ({
    // Before the address has used up its tries.
    what: `a password of ${what}`,
    send: () => [
      form('/admin/sign-in', `name=${OPERATOR}&password=${text(7_000)}`),
      form('/admin/sign-in', `name=${OPERATOR}&password=${text(100_000)}`),
    ],
  })),
  {
    what: 'thirty wrong passwords of the console at once',
    send: () =>
      Array.from({ length: 30 }, () =>
        form('/admin/sign-in', `name=${OPERATOR}&password=${'a'.repeat(10_000)}`),
      ),
    atOnce: true,
    requestMs: CROWD_MS,
  },
  {
    what: 'forms of a mebibyte to the pages of payers',
    send: ({ link }) =>
      [
        ...[`/pay/${link}`, `/pay/${link}/token`, '/admin/sign-in', '/admin/password'],
        '/provider/twilio/status',
      ].flatMap((path) => [
        ...['a=1&', '%41', '&', '=', 'amount=1&', 'name=a+'].map((part) =>
          form(path, part.repeat(1_000_000 / part.length)),
        ),
        form(path, Array.from({ length: 150_000 }, (_, n) => n.toString(36)).join('&')),
      ]),
  },
]

export const COSTLY_REQUESTS: readonly Row[] = [
  ...COSTLY_BODIES,
  ...SEARCHES,
  ...RANGES,
  ...TIMES,
  ...HEADS,
  ...EXPORTS,
  ...CROWDS,
]
