// A shop's month: customers, cards good and bad, charges by the day, refunds, batches, schedules,
// links and bills. The sandbox's own clock lets the month pass; then the shop returns to the present.

import { type Ask, context } from './ask.ts'
import { dice } from './dice.ts'

export interface PicturedShop {
  readonly name: string
  readonly ask: Ask
  readonly cards: readonly string[]
  readonly link: { readonly id: string; readonly url: string }
  readonly openLink: { readonly id: string; readonly url: string }
  readonly bill: { readonly url: string }
}

interface Story {
  readonly origin: string
  readonly key: string
  readonly name: string
  readonly seed: number
}

const PEOPLE = [
  'Ada Lovelace',
  'Grace Hopper',
  'Katherine Johnson',
  'Mary Somerville',
  'Emmy Noether',
  'Alan Turing',
  'Edsger Dijkstra',
  'Barbara Liskov',
]

const GOOD = ['4111111111111111', '5555555555554444', '378282246310005', '6011111111111117']
const BAD = '4012888888881881'

const DAYS = 24
const DAY_MS = 86_400_000

export async function runShop({ origin, key, name, seed }: Story): Promise<PicturedShop> {
  const ask = context(origin, key)
  const roll = dice(seed)
  const start = Date.now() - DAYS * DAY_MS
  await moveTo(ask, new Date(start))
  const cards = await makeCards(ask)
  await makeSchedules(ask, roll, seed)
  const links = await makeLinks(ask, name)
  for (let day = 0; day < DAYS; day += 1) {
    await dayOfBusiness(ask, roll, cards)
    await moveTo(ask, new Date(start + (day + 1) * DAY_MS - 60_000))
  }
  await ask('DELETE', '/sandbox/clock')
  await untilReal(ask)
  const bill = await makeBill(ask, cards[0] ?? '')
  return { name, ask, cards, ...links, bill }
}

async function makeCards(ask: Ask): Promise<readonly string[]> {
  const made = []
  for (const [i, person_name] of PEOPLE.entries()) {
    const card_number = i === 5 ? BAD : (GOOD[i % GOOD.length] ?? BAD)
    const card_cvv = card_number.startsWith('3') ? '1234' : '123'
    const [firstname = '', lastname = ''] = person_name.split(' ')
    const email = `${firstname.toLowerCase()}@example.com`
    const customer = await ask('POST', '/customer', { firstname, lastname, email })
    const card = { method: 'card', person_name, card_number, card_cvv, card_exp: '1230' }
    made.push((await ask('POST', '/payment-method', { ...card, customer_id: customer.id })).id)
  }
  return made
}

const RULES = [
  'FREQ=WEEKLY;BYDAY=MO,TH',
  'FREQ=MONTHLY',
  'FREQ=DAILY;INTERVAL=3',
  'FREQ=WEEKLY;BYDAY=FR',
  'FREQ=DAILY',
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU',
]

const ZONES = ['America/New_York', 'Europe/Vienna', 'Asia/Tokyo', 'America/Denver']

/** Each shop has other customers and other days. */
async function makeSchedules(ask: Ask, roll: () => number, seed: number): Promise<void> {
  const { data } = await ask('GET', '/payment-method?limit=8')
  for (let i = 0; i < 4; i += 1) {
    const { id: payment_method_id, customer_id } = data[(2 * seed + 3 * i) % data.length]
    await ask('POST', '/invoice/schedule', {
      total: 15 + Math.floor(roll() * 180),
      rule: RULES[(seed + i) % RULES.length],
      customer_id,
      payment_method_id,
      timezone: ZONES[(seed + i) % ZONES.length],
    })
  }
}

async function makeLinks(ask: Ask, name: string) {
  const link_meta = { memo: 'Thank you for coming by.' }
  const link = await ask('POST', '/payment-link', {
    common_name: 'An evening of readings',
    amount: 18.5,
    link_meta,
  })
  const openLink = await ask('POST', '/payment-link', {
    common_name: `A gift card of ${name}`,
    amount: 0,
    link_meta: {},
  })
  return { link, openLink }
}

async function dayOfBusiness(ask: Ask, roll: () => number, cards: readonly string[]) {
  const count = 2 + Math.floor(roll() * 7)
  const made = []
  for (let i = 0; i < count; i += 1) {
    const payment_method_id = cards[Math.floor(roll() * cards.length)]
    const total = (400 + Math.floor(roll() * 15_000)) / 100
    made.push(await ask('POST', '/charge', { payment_method_id, total }))
  }
  const { data } = await ask('GET', '/transaction?limit=30&type=charge')
  const old = data.find((one: { is_refundable: boolean }) => one.is_refundable)
  if (old !== undefined && roll() < 0.5) await ask('POST', `/transaction/${old.id}/refund`, {})
  const fresh = made.find((one) => one.is_voidable)
  if (fresh !== undefined && roll() < 0.2) await ask('POST', `/transaction/${fresh.id}/void`, {})
}

async function makeBill(ask: Ask, payment_method_id: string) {
  const { customer_id } = await ask('GET', `/payment-method/${payment_method_id}`)
  const meta = {
    subtotal: 84,
    tax: 7.46,
    poNumber: 'PO-2041',
    memo: 'Thirty days, please.',
    lineItems: [
      { item: 'The Lamplighter, hardback', quantity: 2, price: 32 },
      { item: 'Gift wrapping', details: 'blue', quantity: 2, price: 10 },
    ],
  }
  return ask('POST', '/invoice', { total: 91.46, customer_id, meta })
}

async function moveTo(ask: Ask, instant: Date): Promise<void> {
  await ask('POST', '/sandbox/clock', { now: instant.toISOString() })
  await untilStill(ask)
}

async function untilStill(ask: Ask): Promise<void> {
  while ((await ask('GET', '/sandbox/clock')).status !== 'ready') await pause()
}

async function untilReal(ask: Ask): Promise<void> {
  const isReal = (now: string) => Math.abs(Date.parse(now) - Date.now()) < 5_000
  for (;;) {
    const { status, now } = await ask('GET', '/sandbox/clock')
    if (status === 'ready' && isReal(now)) return
    await pause()
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50))
}
