// A letter as plain text, which says the same as its HTML.

import type { Fact, Item, Letter } from './letter.ts'
import { LETTER_TEXTS } from './texts/letter-texts.ts'

export const COLUMNS = 70

const RULE = '-'.repeat(COLUMNS)

export function plainOf(letter: Letter): string {
  const { layout } = LETTER_TEXTS[letter.language]
  const { testNote, sender, title, amount, lead, button, commands, facts, closing, optOut } = letter
  const parts = [
    testNote === undefined ? '' : wrapped(`*** ${testNote} ***`, COLUMNS),
    block(wrapped(sender, COLUMNS), wrapped(title, COLUMNS)),
    amount ?? '',
    wrapped(lead, COLUMNS),
    button === undefined ? '' : `${layout.labelled(button.label)}\n${button.url}`,
    commands.join('\n\n'),
    salesOf(letter),
    factsText(facts),
    block(
      RULE,
      ...closing.map((line) => wrapped(line, COLUMNS)),
      ...(optOut === undefined ? [] : [layout.labelled(optOut.label), optOut.url]),
    ),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function salesOf({ language, items, sums }: Letter): string {
  const { item, amount } = LETTER_TEXTS[language].layout
  const lines = items.map(itemText)
  const total = sums.map(({ label, value }) => alignedRight(label, value, COLUMNS))
  if (lines.length === 0 && total.length === 0) return ''
  const heading = items.length > 0 ? [alignedRight(item, amount, COLUMNS), RULE] : []
  const between = lines.length > 0 && total.length > 0 ? [RULE] : []
  return block(...heading, ...lines, ...between, ...total)
}

function itemText({ name, details, amount }: Item): string {
  const first = alignedRight(name, amount ?? '', COLUMNS)
  return details === undefined ? first : block(first, indented(details, 2, COLUMNS))
}

/** All values begin in one column, however long their labels are. */
function factsText(facts: readonly Fact[]): string {
  const width = Math.max(0, ...facts.map(({ label }) => label.length)) + 2
  return facts
    .map(({ label, value }) => label.padEnd(width) + indented(value, width, COLUMNS).trimStart())
    .join('\n')
}

// Columns of plain text. Their widths count visible characters only, not direction marks.

const UNSEEN = /[\u2068\u2069]/g

export function wrapped(text: string, width: number): string {
  return linesOf(text, width).join('\n')
}

/** Indents every line. */
export function indented(text: string, by: number, width: number): string {
  const margin = ' '.repeat(by)
  return linesOf(text, width - by)
    .map((line) => margin + line)
    .join('\n')
}

/** The value stands at the end of the last line, or on another line if there is no room for it. */
export function alignedRight(text: string, value: string, width: number): string {
  if (value === '') return wrapped(text, width)
  const lines = linesOf(text, Math.max(10, width - widthOf(value) - 2))
  const last = lines.pop() ?? ''
  const gap = ' '.repeat(Math.max(2, width - widthOf(last) - widthOf(value)))
  return [...lines, last + gap + value].join('\n')
}

function block(...lines: readonly string[]): string {
  return lines.join('\n')
}

function linesOf(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ').flatMap((word) => piecesOf(word, width))) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, line]
}

/** A word that is longer than a line is cut. */
function piecesOf(word: string, width: number): string[] {
  if (widthOf(word) <= width) return [word]
  const characters = [...word]
  const count = Math.ceil(characters.length / width)
  return Array.from({ length: count }, (_, i) =>
    characters.slice(i * width, (i + 1) * width).join(''),
  )
}

function widthOf(text: string): number {
  return [...text.replace(UNSEEN, '')].length
}
