// A letter as HTML. The layout is compiled once for each process and filled in for each letter.

import assert from 'node:assert'
import Mustache from 'mustache'
import { withoutScheme } from '../accounts/look.ts'
import { shadesOf } from '../core/colour.ts'
import type { Letter } from './letter.ts'
import { sentences } from './shown.ts'
import { LAYOUT } from './templates/layout.ts'
import { LIGHT } from './templates/styles.ts'
import { LETTER_TEXTS } from './texts/letter-texts.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const STRUCK = `color:${LIGHT.quiet};text-decoration:line-through;text-decoration-thickness:2px`

/** The last sum is the total. */
const TOTAL = `color:${LIGHT.ink};font-weight:600;font-size:17px`
const SUM = `color:${LIGHT.quiet}`

let compiled: Promise<string> | undefined

export async function letterHtml(letter: Letter): Promise<string> {
  compiled ??= compile()
  return Mustache.render(await compiled, viewOf(letter), undefined, { escape: escaped })
}

/** This loads a megabyte of WebAssembly, so a process that sends no e-mail does not do it. */
async function compile(): Promise<string> {
  const { Engine } = await import('mrml')
  const engine = new Engine()
  // Otherwise MJML would add links to fonts and icons on other hosts.
  engine.setRenderOptions({ disableComments: false, socialIconOrigin: null, fonts: {} })
  const result = engine.toHtml(LAYOUT)
  assert(result.type === 'success', 'the layout of letters is not MJML')
  return result.content.replace(/>\s+</g, '><')
}

function viewOf(letter: Letter) {
  const last = letter.sums.length - 1
  const { layout } = LETTER_TEXTS[letter.language]
  return {
    ...letter,
    ...coloursOf(letter),
    layout,
    preheader: preheaderOf(letter),
    tone: letter.isStruck ? 'quiet' : 'ink',
    style: letter.isStruck ? STRUCK : '',
    button: letter.button && {
      ...letter.button,
      before: `${layout.orOpen} `,
      address: withoutScheme(letter.button.url),
    },
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

/** `own` has the colour in the dark; without a colour the layout's own remain. */
function coloursOf({ colour }: Letter) {
  if (colour === undefined) {
    const [press, onPress, bar] = [LIGHT.ink, LIGHT.card, LIGHT.amber]
    return { press, onPress, bar, border: 'none', own: undefined }
  }
  const { button: press, onButton: onPress, edge } = shadesOf(colour, 'light')
  const own = shadesOf(colour, 'dark')
  return { press, onPress, bar: edge, border: `1px solid ${edge}`, own }
}

function escaped(value: unknown): string {
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

/** The text that a mail program shows beside the subject. */
export function preheaderOf({ language, testNote, title, amount, lead }: Letter): string {
  const { about: aboutAmount } = LETTER_TEXTS[language].layout
  const about = amount === undefined ? `${title}.` : aboutAmount(title, amount)
  return sentences(testNote, about, lead)
}
