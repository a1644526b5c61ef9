// A letter as HTML: the layout is compiled once a process, and filled in for each.

import assert from 'node:assert'
import Mustache from 'mustache'
import type { Letter } from './letter.ts'
import { sentences } from './shown.ts'
import { LAYOUT } from './templates/layout.ts'
import { LIGHT } from './templates/styles.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const STRUCK = `color:${LIGHT.quiet};text-decoration:line-through;text-decoration-thickness:2px`

/** The last of the sums is what they come to. */
const TOTAL = `color:${LIGHT.ink};font-weight:600;font-size:17px`
const SUM = `color:${LIGHT.quiet}`

let compiled: Promise<string> | undefined

export async function htmlOf(letter: Letter): Promise<string> {
  compiled ??= compile()
  return Mustache.render(await compiled, viewOf(letter), undefined, { escape: escaped })
}

/** A megabyte of WebAssembly, which a process that sends nothing need not hold. */
async function compile(): Promise<string> {
  const { Engine } = await import('mrml')
  const engine = new Engine()
  // Or it would have them fetched by name from where it knows them to be.
  engine.setRenderOptions({ disableComments: false, socialIconOrigin: null, fonts: {} })
  const result = engine.toHtml(LAYOUT)
  assert(result.type === 'success', 'the layout of letters is not MJML')
  return result.content.replace(/>\s+</g, '><')
}

function viewOf(letter: Letter) {
  const last = letter.sums.length - 1
  return {
    ...letter,
    preheader: preheaderOf(letter),
    tone: letter.isStruck ? 'quiet' : 'ink',
    style: letter.isStruck ? STRUCK : '',
    button: letter.button && { ...letter.button, address: withoutScheme(letter.button.url) },
    hasItems: letter.items.length > 0,
    hasSums: letter.sums.length > 0,
    hasCommands: letter.commands.length > 0,
    sums: letter.sums.map((sum, i) => ({
      ...sum,
      tone: i === last ? 'ink' : 'quiet',
      style: i === last ? TOTAL : SUM,
    })),
  }
}

/** Short enough for a phone, and as good where it is typed. */
function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '')
}

function escaped(value: unknown): string {
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

/** The text that a mail program shows beside the subject. */
export function preheaderOf({ testNote, title, amount, lead }: Letter): string {
  const about = amount === undefined ? `${title}.` : `${title}: ${amount}.`
  return sentences(testNote, about, lead)
}
