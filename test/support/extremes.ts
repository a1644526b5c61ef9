// A shop whose values are as long, as large and as hostile as possible, and their layout in a browser.

import type { Page } from 'playwright-core'
import type { TestService } from './test-service.ts'

/** An address, the end of an attribute, and elements that would run, all in one text. */
const HOSTILE =
  'javascript:window.hacked=1//"\'></title></textarea></script><script>window.hacked=1</script><img src=x onerror=window.hacked=1>'

const LENGTHS = [20, 40, 100, 200]

/** In `W…` no line can be broken. A CHECK refuses some of these; the last that it allows stays. */
const TEXTS = [
  ...LENGTHS.map((length) => 'W'.repeat(length)),
  HOSTILE,
  ...LENGTHS.map((length) => `${HOSTILE}${'W'.repeat(length)}`),
]

/** The largest amount, in cents. */
const MOST = 99_999_999_99n

/** Tables and their columns that hold text from outside. */
const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  api_key: ['name'],
  customer: ['firstname', 'lastname', 'company', 'email', 'notes', 'reference', 'address_1'],
  deed: ['operator'],
  delivery: ['recipient', 'provider_id', 'last_error', 'request_id'],
  invoice: ['url'],
  operator_session: ['name'],
  outbox_message: ['recipient', 'subject', 'text', 'html'],
  payment_link: ['common_name'],
  payment_method: ['person_name', 'nickname', 'bank_name', 'address_1'],
  process_pulse: ['host'],
  process_work: ['process'],
  schedule: ['url', 'request_id'],
  team: ['name', 'email'],
  transaction: ['message', 'auth_id', 'receipt_to', 'request_id'],
  webhook: ['target_url', 'disabled_reason'],
}

/** The tables that hold such text within JSON. */
const KEPT_AS_JSON = ['customer', 'payment_link', 'payment_method', 'schedule', 'transaction']

/** Gives every row of the shop the longest and most hostile texts, and the largest amounts. */
export async function exaggerate({ world }: TestService): Promise<void> {
  const set = (table: string, column: string, value: string) =>
    world.db.query(`UPDATE ${table} SET ${column} = $1`, [value]).catch(() => undefined)
  await set('webhook', 'target_url', `https://${'w'.repeat(60)}.example/${'W'.repeat(200)}`)
  for (const [table, columns] of Object.entries(WRITTEN)) {
    for (const column of columns) for (const text of TEXTS) await set(table, column, text)
  }
  const json = JSON.stringify({ [HOSTILE]: HOSTILE })
  for (const table of KEPT_AS_JSON) await world.db.query(`UPDATE ${table} SET meta = $1`, [json])
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
