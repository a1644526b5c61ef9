// A shop whose values are as long and as large as possible, and their layout in a browser.

import type { Page } from 'playwright-core'
import type { TestService } from './test-service.ts'

/** A name without a space, in which no line can be broken. */
const LONG = 'W'.repeat(200)

const LONG_ADDRESS = `${'w'.repeat(60)}@${'w'.repeat(60)}.example`

/** The largest amount, in cents. */
const MOST = 99_999_999_99n

/** Tables and columns. A CHECK refuses some of these lengths; then a shorter one is tried. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  api_key: ['name'],
  customer: ['firstname', 'lastname', 'company', 'reference', 'address_1', 'notes'],
  deed: ['operator', 'deed'],
  delivery: ['provider_id', 'last_error', 'request_id'],
  invoice: ['url'],
  outbox_message: ['subject', 'text'],
  payment_link: ['common_name'],
  payment_method: ['person_name', 'nickname', 'bank_name'],
  process_pulse: ['host', 'version'],
  schedule: ['request_id'],
  team: ['name'],
  transaction: ['message', 'auth_id', 'request_id'],
  webhook: ['disabled_reason'],
}

const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  customer: ['email'],
  delivery: ['recipient'],
  outbox_message: ['recipient'],
  team: ['email'],
}

/** Gives every row of the shop the longest texts and the largest amounts. */
export async function lengthen({ world }: TestService): Promise<void> {
  const set = (table: string, column: string, value: unknown) =>
    world.db.query(`UPDATE ${table} SET ${column} = $1`, [value]).catch(() => undefined)
  for (const [table, columns] of Object.entries(NAMES)) {
    for (const column of columns) {
      for (const length of [40, 100, LONG.length]) await set(table, column, LONG.slice(0, length))
    }
  }
  for (const [table, columns] of Object.entries(ADDRESSES)) {
    for (const column of columns) await set(table, column, LONG_ADDRESS)
  }
  await set('webhook', 'target_url', `https://${'w'.repeat(60)}.example/${LONG}`)
  await enlarge(world)
}

/** The guards of final rows are not tested here. */
async function enlarge({ db }: TestService['world']): Promise<void> {
  await db.commit('amounts', async (query) => {
    await query("SET LOCAL session_replication_role = 'replica'").catch(() => undefined)
    for (const [table, columns] of Object.entries(AMOUNTS)) {
      for (const column of columns) {
        await query('SAVEPOINT one')
        await query(`UPDATE ${table} SET ${column} = $1 WHERE ${column} > 0`, [String(MOST)]).then(
          () => query('RELEASE one'),
          () => query('ROLLBACK TO one'),
        )
      }
    }
  })
}

const AMOUNTS: Readonly<Record<string, readonly string[]>> = {
  batch: ['sales', 'refunds'],
  dispute: ['amount'],
  invoice: ['total', 'total_paid'],
  payment_link: ['amount', 'total_sales'],
  reversal: ['amount'],
  schedule: ['total'],
  transaction: ['total', 'captured', 'refunded'],
}

interface FoundAmounts {
  readonly count: number
  readonly broken: readonly string[]
}

/** Amounts on more than one line, in the browser's present layout. */
export function brokenAmounts(page: Page): Promise<FoundAmounts> {
  return page.evaluate<FoundAmounts>(`(() => {
    const broken = []
    let count = 0
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { currentNode: node } = walker
      for (const { 0: text, index } of node.data.matchAll(/[−-]?[$€]\\s?[\\d.,]*\\d|\\p{Nd}[\\p{Nd}.,٬٫\\s]*[.,٫]\\p{Nd}\\p{Nd}(?!\\p{Nd})/gu)) {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + text.length)
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
        if (lines.size > 0) count += 1
        if (lines.size > 1) broken.push(text + ' in ' + node.parentElement.outerHTML.slice(0, 200))
      }
    }
    return { count, broken }
  })()`)
}

/** Elements that make the page scroll sideways, and tables with a hidden column. */
export function tooWide(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`(() => {
    const { clientWidth, scrollWidth } = document.documentElement
    const nameOf = (one) => one.localName + '.' + one.className + ' ' + one.textContent.slice(0, 60)
    const tables = [...document.querySelectorAll('.table')]
      .filter((one) => one.scrollWidth > one.clientWidth + 1)
      .map((one) => one.scrollWidth + ' > ' + one.clientWidth + ': ' + one.getAttribute('aria-label'))
    if (scrollWidth <= clientWidth) return tables
    const beyond = [...document.querySelectorAll('main *')].filter(
      (one) => one.getBoundingClientRect().right > clientWidth + 1 && one.closest('.table') === null,
    )
    return [...tables, scrollWidth + ' > ' + clientWidth, ...beyond.slice(0, 5).map(nameOf)]
  })()`)
}
