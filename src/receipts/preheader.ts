// What a list of messages shows beside the subject.

import type { Letter } from './letter.ts'
import { sentences } from './shown.ts'

export function preheaderOf({ testNote, title, amount, lead }: Letter): string {
  const about = amount === undefined ? `${title}.` : `${title}: ${amount}.`
  return sentences(testNote, about, lead)
}
