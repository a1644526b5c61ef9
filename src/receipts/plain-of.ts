// A letter as plain text, which says all that its HTML says.

import { alignedRight, block, indented, wrapped } from './columns.ts'
import type { Fact, Item, Letter } from './letter.ts'

export const COLUMNS = 70

const RULE = '-'.repeat(COLUMNS)

export function plainOf(letter: Letter): string {
  const { testNote, sender, title, amount, lead, button, commands, facts, closing } = letter
  const parts = [
    testNote === undefined ? '' : wrapped(`*** ${testNote} ***`, COLUMNS),
    block(wrapped(sender, COLUMNS), wrapped(title, COLUMNS)),
    amount ?? '',
    wrapped(lead, COLUMNS),
    button === undefined ? '' : `${button.label}:\n${button.url}`,
    commands.join('\n\n'),
    salesOf(letter),
    factsText(facts),
    block(RULE, ...closing.map((line) => wrapped(line, COLUMNS))),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function salesOf({ items, sums }: Letter): string {
  const lines = items.map(itemText)
  const total = sums.map(({ label, value }) => alignedRight(label, value, COLUMNS))
  if (lines.length === 0 && total.length === 0) return ''
  const heading = items.length > 0 ? [alignedRight('Item', 'Amount', COLUMNS), RULE] : []
  const between = lines.length > 0 && total.length > 0 ? [RULE] : []
  return block(...heading, ...lines, ...between, ...total)
}

function itemText({ name, details, amount }: Item): string {
  const first = alignedRight(name, amount ?? '', COLUMNS)
  return details === undefined ? first : block(first, indented(details, 2, COLUMNS))
}

/** Values begin in one column, wherever their labels end. */
function factsText(facts: readonly Fact[]): string {
  const width = Math.max(0, ...facts.map(({ label }) => label.length)) + 2
  return facts
    .map(({ label, value }) => label.padEnd(width) + indented(value, width, COLUMNS).trimStart())
    .join('\n')
}
