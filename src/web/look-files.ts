// The files of a merchant's look: the style sheet of a colour, since no page may have styles of its
// own, and the address of a logo. The name of each depends on its contents, so a browser loads it
// once.

import { type Scheme, shadesOf } from '../core/colour.ts'
import type { PictureKind } from '../core/picture.ts'
import { contentHash } from './assets.ts'

/** The class of elements that show the colour by day and by night, as the reader has it. */
export const OWN_COLOUR = 'own-colour'

/** The class of a sample that shows it as it is by day, or by night. */
export function sampleClass(colour: string, scheme: Scheme): string {
  return `${scheme}-${digitsOf(colour)}`
}

export function colourPath(colour: string): string {
  return `/look/${digitsOf(colour)}.${contentHash(colourSheet(colour))}.css`
}

export function logoPath({ hash, kind }: { hash: string; kind: PictureKind }): string {
  return `/look/${hash}.${kind}`
}

/** The colour, and whether the address has the hash of these contents. Undefined for other paths. */
export function colourOfFile(name: string): { sheet: string; isCurrent: boolean } | undefined {
  const [, digits, hash] = /^([0-9a-f]{6})\.([0-9a-f]{1,10})\.css$/.exec(name) ?? []
  if (digits === undefined) return undefined
  const sheet = colourSheet(`#${digits}`)
  return { sheet, isCurrent: hash === contentHash(sheet) }
}

export function logoOfFile(name: string): { hash: string; kind: string } | undefined {
  const [, hash, kind] = /^([0-9a-f]{32})\.(png|jpeg)$/.exec(name) ?? []
  return hash === undefined || kind === undefined ? undefined : { hash, kind }
}

function colourSheet(colour: string): string {
  const [light, dark] = [rulesOf(colour, 'light'), rulesOf(colour, 'dark')]
  return [
    `.${OWN_COLOUR}, .${sampleClass(colour, 'light')} ${light}`,
    `@media screen and (prefers-color-scheme: dark) { .${OWN_COLOUR} ${dark} }`,
    `.${sampleClass(colour, 'dark')} ${dark}`,
    '',
  ].join('\n')
}

/** On all pages `--amber` is the colour of lines, and `--amber-ink` that of the focus. */
function rulesOf(colour: string, scheme: Scheme): string {
  const { button, onButton, edge, ink } = shadesOf(colour, scheme)
  const rules = {
    '--button': button,
    '--on-button': onButton,
    '--edge': edge,
    '--amber': ink,
    '--amber-ink': ink,
  }
  const lines = Object.entries(rules).map(([name, value]) => `${name}: ${value};`)
  return `{ ${lines.join(' ')} }`
}

function digitsOf(colour: string): string {
  return colour.slice(1)
}
