// What a message to a person says, before it is laid out: its HTML and its text say the same.
//
// Every text in it may be shown as it is; what merchants and customers wrote went through shown.ts.

export interface Fact {
  readonly label: string
  readonly value: string
}

/** What was sold. */
export interface Item {
  readonly name: string
  /** How many at what price, and what else there is to say. */
  readonly details: string | undefined
  readonly amount: string | undefined
}

export interface Letter {
  readonly subject: string
  /** Whose letter it is: it stands at the head. */
  readonly sender: string
  /** That it is no real one; undefined where it is. */
  readonly testNote: string | undefined
  readonly title: string
  /** What it is about, in large; undefined where it is not about money. */
  readonly amount: string | undefined
  /** The amount no longer counts. */
  readonly isStruck: boolean
  readonly lead: string
  readonly button: { readonly label: string; readonly url: string } | undefined
  /** To be typed. */
  readonly commands: readonly string[]
  readonly items: readonly Item[]
  /** Below the items; the last one is what they come to. */
  readonly sums: readonly Fact[]
  readonly facts: readonly Fact[]
  /** At the foot. */
  readonly closing: readonly string[]
}

/** A fact that is there, as a list; none otherwise. */
export function fact(label: string, value: string | undefined): readonly Fact[] {
  return value === undefined || value === '' ? [] : [{ label, value }]
}
