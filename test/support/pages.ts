// Payers' pages: the requests of a browser and of the page's script.

import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { Timings } from '../../src/timings.ts'
import { textOf } from './operator.ts'
import { type Answer, call, GOOD_CARD, type Merchant, type TestService } from './test-service.ts'

/** All payers of a file have one address. */
export const MANY_PAYERS: Partial<Timings> = {
  paymentsAMinute: 1_000_000,
  failedPaymentsAMinute: 1_000_000,
  failedPaymentsOfPageAMinute: 1_000_000,
  tokensAMinute: 1_000_000,
  receiptsAMinute: 1_000_000,
  unsubscribesAMinute: 1_000_000,
}

/** The payer's own data. */
export const PAYER = { name: 'Grace Hopper', email: 'grace@example.com' }

type Headers = Readonly<Record<string, string>>

const JSON_HEADERS = { accept: 'application/json', 'content-type': 'application/json' }

export function newNonce(): string {
  return randomBytes(16).toString('hex')
}

/** Opens a page as the address bar does. */
export function openPage(
  service: TestService,
  url: string,
  headers: Headers = {},
): Promise<Answer> {
  return call(service.app, 'GET', url, { accept: 'text/html,*/*', ...headers })
}

/** Polls as the page's script does. */
export function askPage(service: TestService, url: string): Promise<Answer> {
  return call(service.app, 'GET', url, { accept: 'application/json' })
}

export function sendJson(
  service: TestService,
  url: string,
  body: object,
  headers: Headers = {},
): Promise<Answer> {
  return call(service.app, 'POST', url, { ...JSON_HEADERS, ...headers }, body)
}

/** The subject of a page, as the sandbox gateway gets it. */
function subjectOf(path: string): object {
  const [, place, name] = path.split('/')
  return place === 'pay' ? { link: name } : { bill: name }
}

/** The sandbox gateway's answer to a card that is typed into the page. */
export function tokenise(
  service: TestService,
  path: string,
  card_number = GOOD_CARD,
): Promise<Answer> {
  const card = { card_number, card_exp: '1239', card_cvv: '123' }
  return sendJson(service, '/sandbox-gateway/token', { ...subjectOf(path), ...card })
}

export async function tokenFor(service: TestService, path: string, card?: string): Promise<string> {
  const made = await tokenise(service, path, card)
  expect(`${made.status} ${made.text}`).toMatch(/^200 /)
  return made.body.token
}

/** Types a card and presses Pay: the answer of the page, or of the gateway if it refuses. */
export async function payAt(
  service: TestService,
  path: string,
  body: object = {},
  card?: string,
): Promise<Answer> {
  const made = await tokenise(service, path, card)
  if (made.status !== 200) return made
  const { token } = made.body
  const sent = { nonce: newNonce(), token, amount: '10.00', ...PAYER, ...body }
  return sendJson(service, path, sent)
}

/** The path of a new link of 10.00, unless the body says otherwise. */
export async function newLink(
  { app }: TestService,
  { headers }: Merchant,
  body: object = {},
): Promise<string> {
  const sent = { common_name: 'Coffee', amount: 10, ...body }
  const made = await call(app, 'POST', '/payment-link', headers, sent)
  expect(`${made.status} ${made.text}`).toMatch(/^200 /)
  return `/pay/${made.body.id}`
}

export interface NewBill {
  readonly id: string
  readonly path: string
  readonly customerId: string
}

/** An invoice of 10.00 for a new customer, unless the body says otherwise. */
export async function newBill(
  { app }: TestService,
  { headers }: Merchant,
  body: object = {},
  customer: object = { firstname: 'Ada', lastname: 'Lovelace', email: 'ada@example.com' },
): Promise<NewBill> {
  const payer = await call(app, 'POST', '/customer', headers, customer)
  const customerId = payer.body.id
  const sent = { total: 10, customer_id: customerId, ...body }
  const made = await call(app, 'POST', '/invoice', headers, sent)
  expect(`${made.status} ${made.text}`).toMatch(/^200 /)
  return { id: made.body.id, path: new URL(made.body.url).pathname, customerId }
}

/** The transactions as the merchant sees them, the newest first. */
export async function transactionsOf(
  { app }: TestService,
  { headers }: Merchant,
): Promise<readonly Answer['body'][]> {
  return (await call(app, 'GET', '/transaction?limit=200', headers)).body.data
}

/** The text of a page, without its markup. */
export function pageTextOf({ text }: Answer): string {
  const [, main = text] = /<main[^>]*>(.*)<\/main>/s.exec(text) ?? []
  return textOf(main.replace(/<noscript>.*?<\/noscript>/gs, '')).trim()
}
