// A text with a capital first letter, and a part of a sentence as a sentence of its own.

export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** `must be a name` becomes `Must be a name.` */
export function sentenceOf(text: string): string {
  return /[.!?]$/.test(text) ? capitalized(text) : `${capitalized(text)}.`
}
