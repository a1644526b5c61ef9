// Texts that stand within a sentence, made into sentences of their own.

export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** `must be a name` becomes `Must be a name.` */
export function sentenceOf(text: string): string {
  return /[.!?]$/.test(text) ? capitalized(text) : `${capitalized(text)}.`
}
