// What a client with a fault in it may say.

import fc from 'fast-check'
import { BANK, CARD } from './sandbox-cards.ts'

const UNKNOWN = '01941f29-7c00-7000-8000-000000000001'

/** Bodies that are taken, to be spoilt in one place or another. */
export const BODIES: Readonly<Record<string, object>> = {
  '/customer': {
    firstname: 'Ada',
    email: 'a@example.com',
    phone: '+12025550123',
    cc_emails: [],
    meta: {},
  },
  '/payment-method': { ...CARD, ...BANK, customer_id: UNKNOWN, meta: {}, nickname: 'x' },
  '/charge': {
    total: 1,
    payment_method_id: UNKNOWN,
    pre_auth: false,
    currency: 'USD',
    channel: 'web',
    invoice_id: UNKNOWN,
    payment_link_id: 'a'.repeat(32),
    funding: [{ account_id: 'a', amount: 1, memo: 'm' }],
    meta: {},
  },
}

export const QUERIES: Readonly<Record<string, readonly string[]>> = {
  '/customer': [
    'page',
    'limit',
    'per_page',
    'sort',
    'order',
    'firstname',
    'email',
    'phone',
    'keywords',
  ],
  '/payment-method': ['page', 'limit', 'per_page', 'sort', 'order', 'customer_id', 'method'],
}

export const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('\u0000', '%', '_', '\\', "'", '"', '__proto__', '\ud800', '🕯', ' ', '\r\n'),
  fc.constantFrom('0', '1', '-1', '1e9', 'NaN', 'null', 'true', UNKNOWN, '9'.repeat(400)),
)

export const value = fc.oneof(
  text,
  fc.jsonValue({ maxDepth: 3 }),
  fc.double(),
  fc.constantFrom(null, true, 0, -0, 1e308, 2 ** 53, [], {}, [[]], [null], { '': null }),
)
