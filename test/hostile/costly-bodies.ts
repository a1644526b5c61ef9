// Bodies of up to a mebibyte from a hostile or a careless client: long, deep, or many of a kind.

import { COSTLY_TEXTS } from '../support/costly-texts.ts'
import type { Ids } from './hostile-setup.ts'
import { post, type Row, zeros } from './row.ts'

const MANY = 50_000

function nested(depth: number): string {
  return `{"firstname":"Ada","meta":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`
}

function manyKeys(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`key${n}`, n]))
}

export const COSTLY_BODIES: readonly Row[] = [
  {
    what: 'a long wrong array',
    send: () => [post('/customer', { firstname: 'Ada', cc_emails: zeros(MANY) })],
  },
  {
    what: 'a longer wrong array',
    send: () => [post('/customer', { firstname: 'Ada', cc_emails: zeros(500_000) })],
  },
  {
    what: 'two long wrong arrays of objects',
    send: () => {
      const objects = Array.from({ length: MANY }, () => ({}))
      return [post('/customer', { cc_emails: objects, cc_sms: objects })]
    },
  },
  {
    what: 'a long array of right addresses',
    send: () => {
      const cc_emails = Array.from({ length: 30_000 }, (_, n) => `ada${n}@example.com`)
      return [post('/customer', { firstname: 'Ada', cc_emails })]
    },
  },
  {
    what: 'a long array of wrong parts of a charge',
    send: ({ card }) => [
      post('/charge', { total: 1, payment_method_id: card, funding: zeros(MANY) }),
      post('/charge', { total: 1, payment_method_id: card, funding: zeros(MANY).map(() => ({})) }),
    ],
  },
  { what: 'an array in the place of a body', send: () => [post('/customer', zeros(500_000))] },
  { what: 'seventy thousand unknown keys', send: () => [post('/customer', manyKeys(70_000))] },
  {
    what: 'unknown keys where money moves',
    send: ({ transaction }) => [post(`/transaction/${transaction}/void`, manyKeys(70_000))],
  },
  { what: 'a deep object', send: () => [post('/customer', nested(150_000))] },
  { what: 'deep arrays', send: () => [post('/customer', '['.repeat(1_000_000))] },
  {
    what: 'the same key a hundred thousand times',
    send: () => [post('/customer', `{${'"a":0,'.repeat(100_000)}"firstname":"Ada"}`)],
  },
  { what: 'many keys in meta', send: () => [post('/customer', { meta: manyKeys(60_000) })] },
  {
    what: 'keys of the prototype',
    send: () => [
      post('/customer', '{"firstname":"Ada","__proto__":{"a":1},"constructor":{"prototype":{}}}'),
      post('/customer', '{"firstname":"Ada","meta":{"__proto__":{"a":1},"toString":1}}'),
    ],
  },
  {
    what: 'a number of a million digits',
    send: ({ card }) => [
      post('/charge', `{"payment_method_id":"${card}","total":${'9'.repeat(1_000_000)}}`),
      post('/charge', `{"payment_method_id":"${card}","total":"${'9'.repeat(1_000_000)}"}`),
      post('/charge', `{"payment_method_id":"${card}","total":0.${'0'.repeat(1_000_000)}1}`),
      post('/charge', `{"payment_method_id":"${card}","total":1e${'9'.repeat(1_000_000)}}`),
    ],
  },
  {
    what: 'texts that look like card numbers',
    send: () =>
      ['4', '4111 ', '4-1', '41111111111111110'].map((one) =>
        post('/customer', { firstname: 'Ada', notes: one.repeat(1_000_000 / one.length) }),
      ),
  },
  ...COSTLY_TEXTS.map(([what, text]) => ({
    what: `texts of ${what}`,
    send: ({ card, customer }: Ids) =>
      [60_000, 10_000].flatMap((length) => [
        post('/charge', { total: 1, payment_method_id: card, memo: text(length) }),
        post('/customer', { firstname: 'Ada', meta: { a: text(length) } }),
        post('/customer', { firstname: 'Ada', notes: text(length), email: text(length) }),
        post(`/transaction/${customer}/refund`, { total: 1, reference: text(length) }),
      ]),
  })),
  {
    what: 'texts that look like addresses',
    send: () =>
      ['a@', 'a.', '@', '<', '"', '\\"', ' ', '\u202e'].map((one) =>
        post('/customer', { email: one.repeat(300_000), cc_emails: [one.repeat(300_000)] }),
      ),
  },
  {
    what: 'keywords by the body',
    send: () => [
      post('/query/payment-links', { keywords: zeros(MANY).map((_, n) => `word${n}`) }),
      post('/query/payment-links', { keywords: 'a '.repeat(400_000) }),
      post('/query/payment-links', { keywords: '%_\\'.repeat(300_000) }),
      post('/query/payment-links', { common_name: '%_\\'.repeat(300_000) }),
    ],
  },
  {
    what: 'names of events without end',
    send: () => [
      post('/webhook', { target_url: 'http://127.0.0.1:9/', event: zeros(MANY) }),
      post('/webhook', {
        target_url: 'http://127.0.0.1:9/',
        event: zeros(MANY).map(() => 'create_batch'),
      }),
      post('/webhook', { target_url: `http://127.0.0.1:9/${'a/../'.repeat(180_000)}`, event: '*' }),
    ],
  },
  {
    what: 'receipts to thousands',
    send: ({ transaction }) => [
      post(`/transaction/${transaction}/receipt/email`, { ccEmails: zeros(MANY) }),
      post(`/transaction/${transaction}/receipt/sms`, { ccSms: zeros(MANY) }),
    ],
  },
]
