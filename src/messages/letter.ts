// The contents of a message to a person, before layout. Its HTML and its text say the same.
//
// Every text in it is safe to show: the texts of merchants and customers have passed through
// shown.ts.

import type { Language } from '../core/language.ts'

export interface Fact {
  readonly label: string
  readonly value: string
}

/** A line item. */
export interface Item {
  readonly name: string
  /** The quantity and the unit price, and other details. */
  readonly details: string | undefined
  readonly amount: string | undefined
}

export interface Letter {
  readonly language: Language
  readonly subject: string
  /** The name at the head of the letter. */
  readonly sender: string
  /** The size of its logo, which the e-mail carries. */
  readonly logo: { readonly width: number; readonly height: number } | undefined
  /** The colour of its button and its line. */
  readonly colour: string | undefined
  /** The note that this is a test. Undefined for a real payment. */
  readonly testNote: string | undefined
  readonly title: string
  /** The large amount. Undefined if the letter is not about money. */
  readonly amount: string | undefined
  /** True if the amount no longer counts. */
  readonly isStruck: boolean
  readonly lead: string
  readonly button: { readonly label: string; readonly url: string } | undefined
  /** Commands for the reader to type. */
  readonly commands: readonly string[]
  readonly items: readonly Item[]
  /** The lines below the items; the last one is the total. */
  readonly sums: readonly Fact[]
  readonly facts: readonly Fact[]
  /** The lines at the foot. */
  readonly closing: readonly string[]
  /** The last line, if the recipient can opt out of such letters. */
  readonly optOut: { readonly label: string; readonly url: string } | undefined
}

/** A list with the fact, or an empty list without a value. */
export function fact(label: string, value: string | undefined): readonly Fact[] {
  return value === undefined || value === '' ? [] : [{ label, value }]
}
